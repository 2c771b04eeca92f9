// The cost of waiting triggers in a tick (TRG-4): it reads groups of trailing triggers and not
// each of them. Counted by the fields of triggers that are read or written, not in time.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { MarketId, Ticks, Time } from '../../src/units/units.ts';
import { play } from './scenario.ts';
import { triggerPlacement } from './triggerWords.ts';
import { createWorld } from './world.ts';

/** How often a tick reads the bound of each waiting trigger. */
function countLooks(exchange: Exchange): { count: number } {
  const looks = { count: 0 };
  for (const trigger of exchange.triggers.values()) {
    for (const name of ['callbackRate', 'activationTicks', 'extreme'] as const) {
      let value: unknown = trigger[name];
      Object.defineProperty(trigger, name, {
        get: () => {
          looks.count += 1;
          return value;
        },
        set: (next: unknown) => {
          looks.count += 1;
          value = next;
        },
      });
    }
  }
  return looks;
}

function tick(exchange: Exchange, ticks: number): void {
  beginBatch(exchange, (exchange.time + 250) as Time);
  const { time: observedAt } = exchange;
  const price = { market: 0 as MarketId, source: 'sim', ticks: ticks as Ticks, observedAt };
  applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
}

test('TRG-4 a tick reads only the trailing triggers that it fires or activates', () => {
  const world = play(createWorld(), 'market BTCUSDT\nindex 60000');
  const { exchange } = world;
  for (let i = 0; i < 20; i += 1) {
    play(world, `credit anna${i} 100000`);
    for (let k = 0; k < 200; k += 1) {
      // Half of them wait for a mark that never comes.
      const activation = k % 2 === 0 ? '' : `activation ${k % 4 === 1 ? 90_000 : 30_000}`;
      const side = k % 4 === 3 || k % 4 === 2 ? 'buy' : 'sell';
      const callback = `callback ${((5 + (k % 45)) / 10).toFixed(1)}`;
      const words = `${side} 0.001 TRAILING_STOP_MARKET ${callback} ${activation} algo`;
      const placement = triggerPlacement(world, `anna${i}`, words.trim().split(/\s+/));
      expect(applyCommand(exchange, placement, 0 as Time).kind).toBe('accepted');
    }
  }
  // Until those that share an extreme have found together.
  for (let i = 1; i <= 40; i += 1) tick(exchange, 600_000 + (i % 2 === 0 ? i : -i));
  const looks = countLooks(exchange);
  const { size } = exchange.triggers;
  expect(size).toBe(4000);
  for (let i = 1; i <= 50; i += 1) tick(exchange, 600_100 + (i % 2 === 0 ? i : -200 - i));
  expect(exchange.triggers.size).toBe(size);
  expect(looks.count).toBeLessThan(size);
});
