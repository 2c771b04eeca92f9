// A trigger that only reduces and whose order can fill nothing for want of margin is not used up:
// it waits and is tried again (TRG-8). Here margin is missing because another market of the account
// is old (MAR-4c) and the only bid lies beyond the mark's band.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { triedPerTickMax, triedWorkPerTickMax } from '../../src/engine/limits.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { isDue, newItems, placedItems } from '../../src/engine/triggers/dueQueue.ts';
import { triedItems } from '../../src/engine/triggers/triedTriggers.ts';
import { partsOf } from '../../src/engine/work.ts';
import type { AccountId, MarketId, Money, Ticks, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { orderCommand, stopCommand } from '../fixtures/orderCommands.ts';
import { play, scenario } from './scenario.ts';
import { addressOf, createWorld, type World } from './world.ts';

/**
 * Ava is healthy: 1,300 against 150 of maintenance. The bid for her ether is 3 % below the mark at
 * which her stop fires; her bitcoin, whose price is six seconds old, keeps 1,320 back from it.
 */
const start = `
  market BTCUSDT
  market ETHUSDT
  credit ava 1300
  credit ben 1000000
  index 60000
  index ETHUSDT 3000
  ava buy 0.2 @ 60000
  ben sell 0.2 @ 60000
  ava buy 1 ETHUSDT @ 3000
  ben sell 1 ETHUSDT @ 3000
  ben buy 1 ETHUSDT @ 2813 id bid
`;

const stopped = `
  ${start}
  ava trigger sell close ETHUSDT STOP_MARKET stop 2900 id stop
  after 6000
  index ETHUSDT 2900
`;

scenario(
  'TRG-8 MAR-4c attack A2: a stop that finds no margin while another market is old waits, and then closes',
  `
  ${stopped}
  ava trigger stop status NEW failure marginInsufficient fired never order none
  ava triggers stop
  ava has position 1 ETHUSDT orders 0
  events triggerTried 1 triggerFired 0 triggerEnded 0
  # The bitcoin price is back 250 ms later; the stop is tried a second after its first try.
  index 60000
  ava trigger stop status NEW
  after 500
  index ETHUSDT 2900
  ava trigger stop status FINISHED failure none fired 0
  ava has position 0 ETHUSDT
  trades 0.2@60000
  trades 1@3000 1@2813 ETHUSDT
  events triggerTried 1 triggerFired 1 triggerEnded 1
  `,
);

scenario(
  'TRG-8 a trigger is tried at each tick, at most once a second, at the book of that moment',
  `
  ${stopped}
  index ETHUSDT 2950
  index ETHUSDT 2950
  index ETHUSDT 2950
  events triggerTried 1
  index ETHUSDT 2950
  events triggerTried 2
  after 749
  index ETHUSDT 2950
  events triggerTried 2
  after 1
  index ETHUSDT 2950
  events triggerTried 3
  # The mark has come back above the stop, and a bid stands at the mark: that costs nothing.
  ben buy 1 ETHUSDT @ 2950
  after 750
  index ETHUSDT 2950
  ava trigger stop status FINISHED
  events triggerTried 3
  trades 0.2@60000
  trades 1@3000 1@2950 ETHUSDT
  `,
);

scenario(
  'TRG-8 a limit type that closes waits in the same way, and then rests as an order',
  `
  ${start}
  ava trigger sell 1 ETHUSDT STOP stop 2900 @ 2800 reduceOnly algo id stop
  after 6000
  index ETHUSDT 2900
  ava trigger stop status NEW failure marginInsufficient
  ben cancel bid
  after 1000
  index 60000
  index ETHUSDT 2900
  ava trigger stop status TRIGGERED failure none order other
  ava has orders 1 ETHUSDT
  events triggerTried 1
  `,
);

scenario(
  'TRG-8 it waits for its owner: cancelled, its client id is free',
  `
  ${stopped}
  ava cancelTrigger stop -> CANCELED
  ava trigger stop status CANCELED failure none
  ava triggers
  ava trigger sell close ETHUSDT STOP_MARKET stop 2890 id stop -> NEW
  after 1000
  index ETHUSDT 2900
  events triggerTried 1 triggerEnded 1
  `,
);

scenario(
  'TRG-8 TRG-5 it expires at its date',
  `
  ${start}
  ava trigger sell 1 ETHUSDT STOP_MARKET stop 2900 reduceOnly algo gtd 600000 id stop
  after 6000
  index ETHUSDT 2900
  ava trigger stop status NEW failure marginInsufficient
  after 594000
  ava trigger stop status EXPIRED
  `,
);

scenario(
  'TRG-8 TRG-3 it ends with the position: closePosition at once, reduceOnly at its next try',
  `
  ${start}
  ava trigger sell 1 ETHUSDT STOP_MARKET stop 2900 reduceOnly id reducing
  ava trigger sell close ETHUSDT STOP_MARKET stop 2900 id closing
  after 6000
  index ETHUSDT 2900
  ava triggers reducing closing
  events triggerTried 2
  ben buy 1 ETHUSDT @ 2900
  ava sell 1 ETHUSDT @ 2900 -> FILLED
  ava trigger closing status EXPIRED
  ava trigger reducing status NEW
  after 1000
  index ETHUSDT 2900
  ava trigger reducing status FAILED failure reduceOnlyRejected
  events triggerTried 2
  `,
);

scenario(
  'TRG-8 counterpartyMissing: a market type that finds no order waits, at the first try and at later ones',
  `
  ${start}
  ava trigger sell close ETHUSDT STOP_MARKET stop 2900 id close
  ava trigger sell 1 ETHUSDT TAKE_PROFIT_MARKET stop 3100 reduceOnly algo id take
  ben cancel bid
  index ETHUSDT 2900
  ava trigger close status NEW failure counterpartyMissing fired never order none
  events triggerTried 1 triggerFired 0 triggerEnded 0 orderPlaced 5
  after 1000
  index ETHUSDT 3100
  ava trigger close status NEW failure counterpartyMissing
  ava trigger take status NEW failure counterpartyMissing
  ava has position 1 ETHUSDT orders 0
  events triggerTried 3
  ben buy 1 ETHUSDT @ 3100
  after 1000
  index ETHUSDT 3100
  # The second was tried first, as one that is due for the first time (TRG-6).
  ava trigger take status FINISHED failure none
  ava trigger close status EXPIRED
  ava has position 0 ETHUSDT
  trades 0.2@60000
  trades 1@3000 1@3100 ETHUSDT
  `,
);

scenario(
  'TRG-8 counterpartyMissing: the failure of a try is the reason of that try',
  `
  ${stopped}
  index 60000
  ben cancel bid
  after 750
  index ETHUSDT 2900
  ava trigger stop status NEW failure counterpartyMissing
  events triggerTried 2
  ben buy 1 ETHUSDT @ 2890
  after 750
  index ETHUSDT 2900
  ava trigger stop status FINISHED
  trades 0.2@60000
  `,
);

scenario(
  'TRG-8 TRG-2b a limit type that is killed is used up',
  `
  ${start}
  ava trigger sell 1 ETHUSDT STOP stop 2900 @ 2890 FOK reduceOnly algo id stop
  index ETHUSDT 2900
  ava trigger stop status FINISHED failure none fired 0
  ava has position 1 ETHUSDT orders 0
  events triggerTried 0
  `,
);

scenario(
  'TRG-8 PRC-2 in a market that is halted or old it keeps waiting, and is not tried',
  `
  ${stopped}
  change ETHUSDT status HALT
  index 60000
  after 2000
  index 60000
  index ETHUSDT 2900
  events triggerTried 1
  change ETHUSDT status TRADING
  ava trigger stop status NEW
  index 60000
  index ETHUSDT 2900
  ava trigger stop status FINISHED
  `,
);

scenario(
  'TRG-8 TRG-1a MAR-4 a trigger that opens fails as before',
  `
  ${start}
  ava trigger sell 300 ETHUSDT STOP stop 2900 @ 2900 id opens
  index ETHUSDT 2900
  ava trigger opens status FAILED failure marginInsufficient
  events triggerTried 0
  `,
);

function perform(exchange: Exchange, command: Command): void {
  expect(applyCommand(exchange, command, 0 as Time).kind).toBe('accepted');
}

const ether = 1 as MarketId;

/** A tick of ether, 250 ms later; gives the accounts of the tries in it, in their order. */
function tick({ exchange }: World, ticks: number): AccountId[] {
  beginBatch(exchange, (exchange.time + 250) as Time);
  exchange.events = [];
  const { time: observedAt } = exchange;
  const price = { market: ether, source: 'sim', ticks: ticks as Ticks, observedAt };
  applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
  return exchange.events.flatMap((event) => (event.kind === 'triggerTried' ? [event.account] : []));
}

/**
 * Accounts as Ava's, each with so many stops at 2,900 that each sell a hundredth and find no
 * margin.
 */
function attackers(world: World, { count, stops }: { count: number; stops: number }): void {
  const { exchange } = world;
  const ben = exchange.accountByAddress.get(addressOf(world, 'ben'))!;
  const trade = (account: number, market: MarketId, lots: number, ticks: number): void => {
    perform(exchange, orderCommand({ account, market, side: 1, lots, ticks }));
    perform(exchange, orderCommand({ account: ben, market, side: -1, lots, ticks }));
  };
  for (let i = 0; i < count; i += 1) {
    const account = exchange.accounts.length;
    const address = `0x${(1_000_000 + account).toString(16).padStart(40, '0')}`;
    const reference = `attacker ${i}`;
    perform(exchange, { kind: 'credit', address, amount: 1_000_000_000 as Money, reference });
    trade(account, 0 as MarketId, 200, 600_000);
    trade(account, ether, stops, 300_000);
    const stop = { account, market: ether, side: -1, lots: 1, reduceOnly: true } as const;
    for (let k = 0; k < stops; k += 1)
      perform(exchange, stopCommand({ ...stop, stopTicks: 290_000 }));
  }
}

const crowded = `
  market BTCUSDT
  market ETHUSDT
  credit ben 100000000
  credit carl 100000
  index 60000
  index ETHUSDT 3000
`;

test('TRG-8 TRG-6 attack: what is tried in vain takes a quarter of a tick, by rounds of accounts', () => {
  const world = play(createWorld(), crowded);
  attackers(world, { count: 100, stops: 12 });
  play(world, 'ben buy 10 ETHUSDT @ 2813\nafter 6000');
  const { exchange } = world;
  // All are fresh at first, and a tick may fire a thousand of these.
  expect(tick(world, 290_000)).toHaveLength(1000);
  expect(tick(world, 290_000)).toHaveLength(200);
  expect(triedItems(exchange.due.tried)).toHaveLength(1200);
  for (let i = 0; i < 2; i += 1) expect(tick(world, 290_000)).toEqual([]);
  for (let i = 0; i < 8; i += 1) {
    const tried = tick(world, 290_000);
    expect(tried).toHaveLength(triedPerTickMax);
    expect(exchange.work).toBeLessThan(partsOf(triedWorkPerTickMax) * 1.2);
    // No account comes a third time before all have come twice.
    const counts = new Map<AccountId, number>();
    for (const account of tried) counts.set(account, (counts.get(account) ?? 0) + 1);
    expect(counts.size).toBe(100);
    expect(Math.max(...counts.values())).toBe(3);
    expect(checkInvariants(exchange).failures).toEqual([]);
  }
  // A fresh stop, of the last account that became due, fires at once.
  play(
    world,
    `
    carl buy 1 ETHUSDT @ 2900
    ben sell 1 ETHUSDT @ 2900
    carl trigger sell close ETHUSDT STOP_MARKET stop 2890 id rescue
    index ETHUSDT 2890
    carl trigger rescue status FINISHED
    `,
  );
  expect(isDue(exchange)).toBe(true);
});

test('TRG-8 who has one trigger to try does not wait for those who have hundreds', () => {
  const world = play(createWorld(), `${crowded}credit ava 1300`);
  attackers(world, { count: 20, stops: 50 });
  play(
    world,
    `
    ava buy 0.2 @ 60000
    ben sell 0.2 @ 60000
    ava buy 1 ETHUSDT @ 3000
    ben sell 1 ETHUSDT @ 3000
    ben buy 100 ETHUSDT @ 2813
    ava trigger sell close ETHUSDT STOP_MARKET stop 2895 id stop
    after 6000
    `,
  );
  const { exchange } = world;
  const ava = exchange.accountByAddress.get(addressOf(world, 'ava'))!;
  tick(world, 290_000);
  expect(tick(world, 289_500)).toEqual([ava]);
  // Tried again in the first tick after its second, though a thousand became due before it.
  const when: number[] = [];
  for (let i = 1; i <= 24; i += 1) if (tick(world, 289_500).includes(ava)) when.push(i);
  expect(when).toEqual([4, 8, 12, 16, 20, 24]);
});

test('TRG-8 what was tried is in the snapshot and in the hash, and is tried from there as it would be', () => {
  const world = play(createWorld(), crowded);
  attackers(world, { count: 100, stops: 8 });
  play(world, 'ben buy 10 ETHUSDT @ 2813\nafter 6000');
  const { exchange } = world;
  for (let i = 0; i < 7; i += 1) tick(world, 290_000);
  const { tried, retrying } = exchange.due;
  // 250 are placed again in each of the last ticks; the others rest, or wait for their round.
  expect(triedItems(tried)).toHaveLength(750);
  expectSame(placedItems(retrying).length + newItems(retrying).length, 50);
  const hash = stateHash(exchange);
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  const copy = { ...world, exchange: decodeSnapshot(sections) };
  expectSame(stateHash(copy.exchange), hash);
  expectSame(checkInvariants(copy.exchange).failures, []);
  const again: Buffer[] = [];
  encodeSnapshot(copy.exchange, (section) => again.push(section));
  expectSame(again, sections);
  for (const change of [
    ({ due }: Exchange) => (due.retrying.round += 1),
    ({ due }: Exchange) => due.retrying.places.clear(),
    ({ due }: Exchange) => due.tried.triggers.reverse(),
  ]) {
    const other = decodeSnapshot(sections);
    change(other);
    expect(stateHash(other)).not.toBe(hash);
  }
  for (let i = 0; i < 12; i += 1) {
    expectSame(tick(copy, 290_000), tick(world, 290_000));
    expectSame(stateHash(copy.exchange), stateHash(exchange));
  }
});
