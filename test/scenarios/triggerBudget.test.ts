// What a tick may fire, and what happens to the rest (TRG-6). A thousand accounts with one stop
// each come before the tested trigger, so that it is due and waits for its turn.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { firedPerTickMax, triggerWorkPerTickMax } from '../../src/engine/limits.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { isDue, isIdle, placedItems } from '../../src/engine/triggers/dueQueue.ts';
import { partsOf } from '../../src/engine/work.ts';
import type { AccountId, MarketId, Money, Ticks, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { orderCommand, stopCommand } from '../fixtures/orderCommands.ts';
import { play } from './scenario.ts';
import { triggerPlacement } from './triggerWords.ts';
import { addressOf, createWorld, type World } from './world.ts';

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

/**
 * As many stops at 59000 as a tick fires, of accounts with too little money: they fail as they
 * fire.
 */
function crowd({ exchange }: World): void {
  for (let i = 0; i < firedPerTickMax; i += 1) {
    const stop = { account: creditOne(exchange, `poor ${i}`), market: 0, side: -1 } as const;
    perform(exchange, stopCommand({ ...stop, lots: 5000, stopTicks: 590_000 }));
  }
}

/** A new account with 2,000 USDT; gives its number. */
function creditOne(exchange: Exchange, reference: string): AccountId {
  const number = exchange.accounts.length;
  const address = `0x${(1_000_000 + number).toString(16).padStart(40, '0')}`;
  perform(exchange, { kind: 'credit', address, amount: 2_000_000_000 as Money, reference });
  return number as AccountId;
}

function perform(exchange: Exchange, command: Command): void {
  expectSame(applyCommand(exchange, command, 0 as Time).kind, 'accepted');
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

test('TRG-6 a due trigger fires later even if the mark has come back', () => {
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

test('TRG-6 a due trigger can be cancelled, expires at its date, and ends with its position', () => {
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
  expect(isDue(world.exchange)).toBe(false);
});

test('TRG-6 the oldest wave fires first, waves of one tick by symbol, and in a wave the nearest first', () => {
  const world = crowded(`
    anna trigger sell 1 AVAXUSDT TAKE_PROFIT_MARKET stop 21 id avax
    credit dora 100000
    ben trigger sell 0.1 STOP_MARKET stop 57999 id second
    carl trigger sell 0.1 STOP_MARKET stop 58999 id first
    dora trigger buy 0.1 STOP_MARKET stop 61000 id younger
  `);
  const from = world.events.length;
  tick(world.exchange, [579_990, 21_000]);
  play(world, 'dora trigger younger status NEW\nafter 250\nindex 61000\nafter 250\nindex 61000');
  const names = world.events.slice(from).flatMap((event) => {
    const named = event.kind === 'triggerEnded' && event.trigger.clientOrderId !== '';
    return named ? [event.trigger.clientOrderId] : [];
  });
  expect(names.join(' ')).toBe('avax first second younger');
});

test('TRG-6 PRC-2 due triggers wait in a market that is not live, and others do not wait for them', () => {
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

test('TRG-6 SYM-2 all due triggers end with their market', () => {
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
  expect(isDue(world.exchange)).toBe(false);
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

test('TRG-6 orders that meet thousands of orders stand back behind cheap ones, ten rounds at most', () => {
  const world = play(createWorld(), markets);
  const { exchange } = world;
  // Orders of the smallest size, which the stops of ten accounts would meet.
  for (let i = 0; i < 60; i += 1) {
    play(world, `credit maker${i} 1000000`);
    const { id: account } = exchange.accounts.at(-1)!;
    for (let k = 0; k < 200; k += 1) {
      const order = orderCommand({
        account,
        market: 0 as MarketId,
        side: -1,
        lots: 1,
        ticks: 609_000,
      });
      expect(applyCommand(exchange, order, 0 as Time).kind).toBe('accepted');
    }
  }
  for (let i = 0; i < 10; i += 1) {
    play(
      world,
      `credit dear${i} 1000000\ndear${i} trigger buy 1.2 STOP_MARKET stop 60100 id d${i}`,
    );
  }
  play(
    world,
    `
    carl sell 1 @ 20.1 AVAXUSDT
    anna trigger buy 0.001 STOP_MARKET stop 60200 id cheap1
    anna trigger buy 1 AVAXUSDT STOP_MARKET stop 20.1 id cheap2
    `,
  );
  exchange.events = [];
  tick(exchange, [609_000, 20_100]);
  const fired = (): string[] =>
    exchange.events.flatMap((event) =>
      event.kind === 'triggerEnded' ? [event.trigger.clientOrderId] : [],
    );
  // The ten are nearer to the mark before, and each costs 1,800 units.
  expect(fired().slice(0, 2)).toEqual(['cheap2', 'cheap1']);
  for (let ticks = 0; ticks < 4 && isDue(exchange); ticks += 1) tick(exchange, [609_000, 20_100]);
  expect(isDue(exchange)).toBe(false);
  expect(fired().sort()).toEqual([
    ...['cheap1', 'cheap2'],
    ...Array.from({ length: 10 }, (_, i) => `d${i}`),
  ]);
});

test('TRG-6 opening triggers delay no stop-loss, even if each of them causes much work', () => {
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
  expect(isIdle(exchange.due.reducing)).toBe(true);
  expect(isIdle(exchange.due.opening)).toBe(false);
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

test('TRG-6 due triggers are in the snapshot and in the hash, and fire the same after a restore', () => {
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
  const { opening } = exchange.due;
  const { waves } = opening;
  opening.waves = [];
  expect(stateHash(exchange)).not.toBe(hash);
  opening.waves = waves;
  const later = (other: Exchange): string => {
    other.events = [];
    tick(other, [595_000]);
    tick(other, [595_000]);
    const fired = other.events.flatMap((event) =>
      event.kind === 'triggerFired' ? [event.id] : [],
    );
    return `${fired} ${stateHash(other)} ${priceHash(other)}`;
  };
  const reported = later(exchange);
  expect(reported.split(' ')[0]!.split(',')).toHaveLength(3);
  expect(later(copy)).toBe(reported);
});

/** Accounts with so many stops that close 0.001 each, and a position for all of them. */
function attackers(world: World, { count, stops }: { count: number; stops: number }): void {
  const { exchange } = world;
  const accounts = Array.from({ length: count }, (_, i) => creditOne(exchange, `attacker ${i}`));
  const ben = exchange.accountByAddress.get(addressOf(world, 'ben'))!;
  const market = 0 as MarketId;
  for (const account of accounts) {
    const order = { market, lots: stops, ticks: 600_000 };
    perform(exchange, orderCommand({ ...order, account, side: 1 }));
    perform(exchange, orderCommand({ ...order, account: ben, side: -1 }));
    const stop = { account, market, side: -1, lots: 1, reduceOnly: true } as const;
    for (let i = 0; i < stops; i += 1)
      perform(exchange, stopCommand({ ...stop, stopTicks: 590_000 }));
  }
}

test('TRG-6 attack: many stops of few accounts delay the stops of others by one round each', () => {
  const world = play(
    createWorld(),
    `
    ${markets}
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna trigger sell close STOP_MARKET stop 58900 id rescue
    `,
  );
  attackers(world, { count: 50, stops: 100 });
  play(world, 'index 59000');
  // 1,000 have fired, and 4,000 are older and nearer than the one that becomes due now.
  play(world, 'after 250\nindex 58800\nanna trigger rescue status FINISHED');
  expect(isDue(world.exchange)).toBe(true);
});

test('TRG-6 rounds and places are in the snapshot and in the hash, and work the same after a restore', () => {
  const world = play(createWorld(), markets);
  attackers(world, { count: 50, stops: 100 });
  const { exchange } = world;
  tick(exchange, [590_000]);
  const { reducing } = exchange.due;
  expectSame(reducing.round, 20);
  expectSame(reducing.places.size, 50);
  const placed = placedItems(reducing).map(({ round }) => round);
  expectSame(
    placed,
    Array.from({ length: 4000 }, (_, i) => 21 + Math.floor(i / 50)),
  );
  expectSame(checkInvariants(exchange).failures, []);
  const hash = stateHash(exchange);
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  const copy = decodeSnapshot(sections);
  expectSame(stateHash(copy), hash);
  const again: Buffer[] = [];
  encodeSnapshot(copy, (section) => again.push(section));
  expectSame(again, sections);
  // One of them becomes due later: behind its account's others, and before none of them.
  for (const other of [exchange, copy]) {
    const stop = { account: 5, market: 0, side: -1, lots: 1, reduceOnly: true } as const;
    perform(other, stopCommand({ ...stop, stopTicks: 589_000 }));
    tick(other, [588_000]);
    expectSame(other.due.reducing.places.get(5 as AccountId), 101);
  }
  const [account] = reducing.places.keys();
  for (const change of [
    ({ due }: Exchange) => (due.reducing.round += 1),
    ({ due }: Exchange) => due.reducing.places.delete(account!),
    ({ due }: Exchange) => due.reducing.rounds.pop(),
  ]) {
    const other = decodeSnapshot(sections);
    change(other);
    expect(stateHash(other)).not.toBe(hash);
  }
  for (let i = 0; i < 6; i += 1) {
    for (const other of [exchange, copy]) tick(other, [600_000]);
    expectSame(stateHash(copy), stateHash(exchange));
  }
  expectSame(isDue(exchange), false);
  expectSame(reducing.places.size, 0);
});

test('TRG-6 PRC-2 a trigger keeps its place while its market is not live and delays no other market', () => {
  const world = play(createWorld(), markets);
  attackers(world, { count: 50, stops: 100 });
  const { exchange } = world;
  tick(exchange, [590_000]);
  play(
    world,
    `
    change status HALT
    anna buy 1 AVAXUSDT @ 20
    ben sell 1 AVAXUSDT @ 20
    ben buy 2 AVAXUSDT @ 18
    anna trigger sell close AVAXUSDT STOP_MARKET stop 19 id other
    index AVAXUSDT 18.9
    anna trigger other status FINISHED
    `,
  );
  expect(placedItems(exchange.due.reducing)).toHaveLength(4000);
  play(world, 'change status TRADING');
  for (let i = 0; i < 4; i += 1) tick(exchange, [590_000]);
  expect(isDue(exchange)).toBe(false);
});
