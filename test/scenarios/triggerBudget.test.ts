// What a tick may fire, and what becomes of the rest (TRG-6). A thousand accounts with a stop each
// stand before what is looked at, so that it is due and waits for its turn.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { firedPerTickMax, triggerWorkPerTickMax } from '../../src/engine/limits.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { partsOf } from '../../src/engine/work.ts';
import type { MarketId, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { play } from './scenario.ts';
import { triggerPlacement } from './triggerWords.ts';
import { createWorld, type World } from './world.ts';

const markets = `
  market BTCUSDT
  market AVAXUSDT maxLeverage 25 maintenanceMarginRate 0.02 markClamp 0.005
  credit anna 100000
  credit ben 1000000
  credit carl 100000
  index 60000
  index AVAXUSDT 20
  ben buy 5 @ 57900
`;

/** As many stops at 59000 as a tick fires, of accounts with too little money: they fail as they fire. */
function crowd(world: World): void {
  for (let i = 0; i < firedPerTickMax / 200; i += 1) {
    play(world, `credit poor${i} 2000`);
    for (let k = 0; k < 200; k += 1) {
      const words = 'sell 5 STOP_MARKET stop 59000'.split(' ');
      applyCommand(world.exchange, triggerPlacement(world, `poor${i}`, words), 0 as Time);
    }
  }
}

/** A tick of the first markets, 250 ms later. */
function tick(exchange: Exchange, marks: readonly number[]): void {
  beginBatch(exchange, (exchange.time + 250) as Time);
  const { time: observedAt } = exchange;
  const prices = marks.map((ticks, market) => ({
    ...{ market: market as MarketId, source: 'sim', ticks: ticks as Ticks, observedAt },
  }));
  applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
}

function crowded(text: string): World {
  const world = play(createWorld(), `${markets}${text}`);
  crowd(world);
  return world;
}

test('TRG-6 what is due fires later even if the mark has come back', () => {
  const world = crowded('anna trigger sell 0.1 STOP_MARKET stop 58000 id late');
  play(
    world,
    `
    index 58000
    anna trigger late status NEW
    after 250
    index 60000
    anna trigger late status FINISHED
    `,
  );
});

test('TRG-6 what is due can be cancelled, expires at its date, and ends with its position', () => {
  const world = crowded(`
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    carl sell 1 @ 60000
    anna trigger sell close STOP_MARKET stop 58000 id closing
    anna trigger sell 0.1 STOP_MARKET stop 58000 id gone
    carl trigger sell 0.1 STOP_MARKET stop 58000 gtd 600000 algo id dated
  `);
  play(
    world,
    `
    index 58000
    anna triggers closing gone
    anna cancel gone
    anna trigger gone status CANCELED
    anna sell 0.1 @ 57900
    anna trigger closing status EXPIRED
    carl trigger dated status NEW
    after 600000
    carl trigger dated status EXPIRED
    index 60000
    `,
  );
  expect(world.exchange.waves).toEqual([]);
});

test('TRG-6 the oldest wave fires first, those of one tick by symbol, in a wave the nearest first', () => {
  const world = crowded(`
    anna trigger sell 1 AVAXUSDT TAKE_PROFIT_MARKET stop 21 id avax
    anna trigger sell 0.1 STOP_MARKET stop 57999 id second
    anna trigger sell 0.1 STOP_MARKET stop 58999 id first
    carl trigger buy 0.1 STOP_MARKET stop 61000 id younger
  `);
  const from = world.events.length;
  tick(world.exchange, [579_990, 21_000]);
  play(world, 'carl trigger younger status NEW\nafter 250\nindex 61000\nafter 250\nindex 61000');
  const names = world.events.slice(from).flatMap((event) => {
    const named = event.kind === 'triggerEnded' && event.trigger.clientOrderId !== '';
    return named ? [event.trigger.clientOrderId] : [];
  });
  expect(names.join(' ')).toBe('avax first second younger');
});

test('TRG-6 PRC-2 in a market that is not live what is due waits, and others do not wait for it', () => {
  const world = crowded('anna trigger sell 0.1 STOP_MARKET stop 58000 id late');
  play(
    world,
    `
    index 58000
    change status HALT
    carl trigger buy 1 AVAXUSDT STOP_MARKET stop 21 id other
    index AVAXUSDT 21
    carl trigger other status FINISHED
    anna trigger late status NEW
    change status TRADING
    index 58000
    anna trigger late status FINISHED
    `,
  );
});

test('TRG-6 SYM-2 with its market all that is due ends', () => {
  const world = crowded('anna trigger sell 0.1 STOP_MARKET stop 58000 id late');
  play(
    world,
    `
    change status CLOSE deliveryTime 1760000040000
    index 58000
    anna trigger late status NEW
    after 60000
    index 58000
    anna trigger late status EXPIRED
    after 250
    index AVAXUSDT 20
    `,
  );
  expect(world.exchange.waves).toEqual([]);
});

test('TRG-6 a tick that has spent its work fires no further trigger, and the next goes on', () => {
  const world = play(createWorld(), `${markets}credit taker 100000000\ncredit maker 100000000`);
  const { exchange } = world;
  const market = 0 as MarketId;
  for (let i = 0; i < 50; i += 1) {
    play(world, `credit maker${i} 1000000`);
    const { id: account } = exchange.accounts.at(-1)!;
    for (let k = 0; k < 200; k += 1) {
      const order = orderCommand({ account, market, side: -1, lots: 1, ticks: 610_000 });
      expect(applyCommand(exchange, order, 0 as Time).kind).toBe('accepted');
    }
  }
  for (let i = 0; i < 40; i += 1) {
    const words = 'buy 0.25 STOP_MARKET stop 60500'.split(' ');
    applyCommand(exchange, triggerPlacement(world, 'taker', words), 0 as Time);
  }
  const units = partsOf(triggerWorkPerTickMax);
  const perTick: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    exchange.events = [];
    tick(exchange, [609_000]);
    perTick.push(exchange.events.filter(({ kind }) => kind === 'triggerFired').length);
    // Each of them costs less than a fifth of a tick's work.
    if (i === 0) expect(exchange.work).toBeGreaterThanOrEqual(units);
    expect(exchange.work).toBeLessThan(units * 1.2);
  }
  expect(perTick[0]).toBeGreaterThan(5);
  expect(perTick[0]).toBeLessThan(40);
  expect(perTick.reduce((sum, count) => sum + count)).toBe(40);
});

test('TRG-6 those that open delay no stop-loss, however much work each of them makes', () => {
  const world = play(createWorld(), `${markets}anna buy 0.1 @ 60000\nben sell 0.1 @ 60000`);
  const { exchange } = world;
  const market = 0 as MarketId;
  for (let i = 0; i < 25; i += 1) {
    play(world, `credit maker${i} 1000000`);
    const { id: account } = exchange.accounts.at(-1)!;
    for (let k = 0; k < 200; k += 1) {
      const order = orderCommand({ account, market, side: 1, lots: 1, ticks: 580_000 });
      expect(applyCommand(exchange, order, 0 as Time).kind).toBe('accepted');
    }
  }
  // Each meets five thousand orders, is refused for want of margin, and leaves them as they were.
  play(world, 'credit attacker 2000');
  for (let i = 0; i < 200; i += 1) {
    const words = 'sell 10 STOP_MARKET stop 59000'.split(' ');
    const outcome = applyCommand(exchange, triggerPlacement(world, 'attacker', words), 0 as Time);
    expect(outcome.kind).toBe('accepted');
  }
  play(world, 'anna trigger sell close STOP_MARKET stop 58900 id rescue\nindex 58800');
  expect(exchange.waves).toHaveLength(1);
  play(world, 'anna trigger rescue status FINISHED');
  // A later stop does not wait for them either.
  play(
    world,
    `
    carl buy 0.1 @ 58900
    ben sell 0.1 @ 58900
    carl trigger sell close STOP_MARKET stop 58700 id rescue
    after 250
    index 58600
    carl trigger rescue status FINISHED
    `,
  );
});

test('TRG-6 what is due is in the snapshot and in the hash, and fires from there as it would have', () => {
  const world = crowded(`
    anna trigger sell 0.1 TRAILING_STOP_MARKET callback 3 algo id trailing
    anna trigger sell 0.1 STOP_MARKET stop 58100 id near
    anna trigger sell 0.1 STOP_MARKET stop 58000 id far
  `);
  play(world, 'index 58000');
  const { exchange } = world;
  const hash = stateHash(exchange);
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  const copy = decodeSnapshot(sections);
  expect(stateHash(copy)).toBe(hash);
  const { waves } = exchange;
  exchange.waves = [];
  expect(stateHash(exchange)).not.toBe(hash);
  exchange.waves = waves;
  const later = (other: Exchange): string => {
    other.events = [];
    tick(other, [595_000]);
    tick(other, [595_000]);
    const fired = other.events.flatMap((event) =>
      event.kind === 'triggerFired' ? [event.id] : [],
    );
    return `${fired} ${stateHash(other)} ${priceHash(other)}`;
  };
  const told = later(exchange);
  expect(told.split(' ')[0]!.split(',')).toHaveLength(3);
  expect(later(copy)).toBe(told);
});
