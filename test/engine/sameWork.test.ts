// Goal: the work of a command follows from state and command alone (ORD-14). What a tick may do
// depends on it (TRG-6), so replicas in the same state must count the same: one that was restored,
// and one that was asked with order/test, which is in no log. Method: a seeded stream; one exchange
// is asked before each order, the other is restored every few commands; both count.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch, testOrder } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { MarketId, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand, stopCommand } from '../fixtures/orderCommands.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';
import { createStream, openingCommands, streamStart } from './commandStream.ts';

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const commands = 600;
const restoredEvery = 40;

function restored(exchange: Exchange): Exchange {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  return decodeSnapshot(sections);
}

/** Asks for an order of each account in every market, as a client may at any time. */
function ask(exchange: Exchange, command: Command): void {
  if (command.kind !== 'placeOrder' && command.kind !== 'placeTrigger') return;
  for (const { id: market } of exchange.markets) testOrder(exchange, { ...command, market });
}

function workOf(exchange: Exchange, command: Command, time: Time): number {
  if (time > exchange.time) beginBatch(exchange, time);
  applyCommand(exchange, command, 0 as Time);
  exchange.events = [];
  return exchange.work;
}

test.each(seeds)(
  'ORD-14 TRG-6 neither a question nor a restore changes what later commands cost, seed %i',
  (seed) => {
    const asked = createExchange(43113);
    beginBatch(asked, streamStart);
    for (const command of openingCommands()) workOf(asked, command, streamStart);
    const stream = createStream(seed, () => asked);
    let twin = restored(asked);
    for (let n = 1; n <= commands; n += 1) {
      const command = stream.next();
      ask(asked, command);
      const work = workOf(asked, command, stream.time());
      const twinWork = workOf(twin, command, stream.time());
      expect(twinWork, `command ${n}, ${JSON.stringify(command)}`).toBe(work);
      if (n % restoredEvery !== 0) continue;
      expect(stateHash(twin)).toBe(stateHash(asked));
      twin = restored(twin);
    }
  },
);

/**
 * Nine hundred stops that are due at 60010, each of which meets five asks: more than one tick may
 * do.
 */
function crowdedWorld(): Exchange {
  const markets = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map((symbol) => `market ${symbol}`);
  const world = play(createWorld(), [...markets, 'index 60000'].join('\n'));
  const { exchange } = world;
  const crowd = (name: string, count: number): number[] =>
    Array.from({ length: count }, (_, index) => {
      play(world, `credit ${name}${index} 100000`);
      return exchange.accounts.length - 1;
    });
  for (const account of crowd('maker', 24)) {
    for (let n = 0; n < 190; n += 1) {
      const ask = orderCommand({ account, market: 0, side: -1, lots: 1, ticks: 600_200 });
      expect(applyCommand(exchange, ask, 0 as Time).kind).toBe('accepted');
    }
  }
  for (const account of crowd('stopper', 5)) {
    for (let n = 0; n < 180; n += 1) {
      const stop = stopCommand({ account, market: 0, side: 1, lots: 5, stopTicks: 600_100 });
      expect(applyCommand(exchange, stop, 0 as Time).kind).toBe('accepted');
    }
  }
  exchange.events = [];
  return exchange;
}

/** The number of triggers that the tick fires. */
function tick(exchange: Exchange): number {
  const time = (exchange.time + 1000) as Time;
  beginBatch(exchange, time);
  const source = exchange.markets[0]!.terms.indexSources[0]!.source;
  const price = { market: 0 as MarketId, source, ticks: 600_100 as Ticks, observedAt: time };
  applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
  return exchange.events.filter(({ kind }) => kind === 'triggerFired').length;
}

test('ORD-14 TRG-6 attack: questions, which no log has, do not change which triggers a tick fires', () => {
  const asked = crowdedWorld();
  const replica = restored(asked);
  for (let account = 1; account < asked.accounts.length; account += 1) {
    const far = orderCommand({ account, market: 2, side: 1, lots: 1, ticks: 1 });
    expect(testOrder(asked, far).outcome.kind).toBe('rejected');
  }
  expect(stateHash(asked)).toBe(stateHash(replica));
  const fired = tick(asked);
  expect(fired).toBeGreaterThan(0);
  expect(fired).toBeLessThan(900);
  expect(tick(replica)).toBe(fired);
  expect(stateHash(asked)).toBe(stateHash(replica));
});
