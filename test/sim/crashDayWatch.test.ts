// The watch of a simulated day must find violations, and not only report that all is well: each of
// its checks is shown a breach.

import { expect, test } from 'vitest';
import {
  type CrashDayWatch,
  checkMoney,
  checkNobodyIsMissed,
  createCrashDayWatch,
  watchCommand,
} from '../../sim/crashDayWatch.ts';
import { gridsFor, listingOf } from '../../sim/simMarket.ts';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { Fill } from '../../src/engine/fill.ts';
import type { LiquidationFlagged } from '../../src/engine/riskEvent.ts';
import type {
  AccountId,
  Lots,
  MarketId,
  Money,
  OrderId,
  Ticks,
  Time,
} from '../../src/units/units.ts';

const market = 0 as MarketId;
const [anna, bert] = [1, 2] as [AccountId, AccountId];
const tick: Command = { kind: 'indexTick', prices: [] };

/** Two accounts with 1,000 USDT each on a market of tick 0.01, lot 0.01. */
function stage(): { exchange: Exchange; watch: CrashDayWatch } {
  const exchange = createExchange(43113);
  beginBatch(exchange, 1_760_000_000_000 as Time);
  applyCommand(exchange, listingOf(gridsFor([{ at: 1, price: '100' }])), 0 as Time);
  const watch = createCrashDayWatch(3, exchange.markets[0]!);
  for (const address of ['anna', 'bert']) {
    const amount = 1_000_000_000 as Money;
    const command = { kind: 'credit', address, amount, reference: address } as const;
    watchCommand(watch, exchange, command, applyCommand(exchange, command, 0 as Time));
  }
  return { exchange, watch };
}

function tell(watch: CrashDayWatch, exchange: Exchange, events: Event[]): string {
  exchange.events = events;
  watchCommand(watch, exchange, tick, undefined);
  return watch.violations.found.join('\n');
}

const fillOf = (account: AccountId, position: number): Fill => ({
  account,
  order: 1 as OrderId,
  pnl: 0 as Money,
  fee: 0 as Money,
  balance: 0 as Money,
  position: position as Lots,
});

/** Anna buys of Bert. */
const bought = (lots: number, ticks: number): Event => ({
  kind: 'traded',
  id: 1 as OrderId,
  market,
  tradeId: 1,
  ticks: ticks as Ticks,
  lots: lots as Lots,
  takerSide: 1,
  liquidation: false,
  taker: fillOf(anna, lots),
  maker: fillOf(bert, -lots),
});

const priced = (mark: number, index = mark): Event => ({
  kind: 'priced',
  market,
  index: index as Ticks,
  mark: mark as Ticks,
});

const flagged = (equity: number, maintenance: number): LiquidationFlagged => ({
  kind: 'liquidationFlagged',
  account: anna,
  market: undefined,
  flagged: true,
  equity: equity as Money,
  maintenance: maintenance as Money,
});

/** Anna sells to Bert at `ticks` because she is bankrupt. */
const deleveraged = (lots: number, ticks: number, marginStatus: [number, number]): Event => ({
  kind: 'deleveraged',
  cause: 'deleveraging',
  id: 2 as OrderId,
  market,
  tradeId: 2,
  ticks: ticks as Ticks,
  mark: ticks as Ticks,
  lots: lots as Lots,
  side: -1,
  marginStatus: { equity: marginStatus[0] as Money, maintenance: marginStatus[1] as Money },
  bankrupt: fillOf(anna, 0),
  counterparty: fillOf(bert, 0),
  rank: { unrealized: 0 as Money, notional: 0 as Money, entry: 0 as Money, equity: 0 as Money },
});

// 100 USDT are 10,000 ticks; a lot is 0.01 coins, so that a tick of 10,000 lots is 1 USDT. Anna's
// 100 coins at 100 USDT need 200 USDT, and her 1,000 USDT are gone at 90.
test('LIQ-1: a liquidation of an account that holds at the index is found', () => {
  const { exchange, watch } = stage();
  const events = [bought(10_000, 10_000), priced(9150, 9300), flagged(150_000_000, 183_000_000)];
  expect(tell(watch, exchange, events)).toContain('account 1 holds at the index');
  expect(watch.figures.innocentLiquidated).toBe(1);
});

test('a flag with wrong figures is found', () => {
  const { exchange, watch } = stage();
  const events = [bought(10_000, 10_000), priced(9150), flagged(140_000_000, 183_000_000)];
  expect(tell(watch, exchange, events)).toContain('flagged at 140000000');
});

test('LIQ-1: an account that is not tested is found', () => {
  const { exchange, watch } = stage();
  expect(tell(watch, exchange, [bought(10_000, 10_000), priced(9150)])).toBe('');
  checkNobodyIsMissed(watch);
  expect(watch.violations.found.join('\n')).toContain('account 1 fails at mark and index');
});

test('LIQ-5: a position without equity is found', () => {
  const { exchange, watch } = stage();
  expect(tell(watch, exchange, [bought(10_000, 10_000), priced(9000)])).toContain('(LIQ-5)');
});

test('LIQ-4: deleveraging above two thirds, and of less than was due, is found', () => {
  const early = stage();
  const marginStatus: [number, number] = [150_000_000, 183_000_000];
  const events = [bought(10_000, 10_000), priced(9150), flagged(...marginStatus)];
  const reported = tell(early.watch, early.exchange, [
    ...events,
    deleveraged(10_000, 9100, marginStatus),
  ]);
  expect(reported).toContain('not below two thirds (LIQ-4)');
  expect(reported).not.toContain('instead of');
  const short = stage();
  const poor: [number, number] = [30_000_000, 180_600_000];
  const fewer = [bought(10_000, 10_000), priced(9030), flagged(...poor)];
  const left = tell(short.watch, short.exchange, [...fewer, deleveraged(9000, 9000, poor)]);
  expect(left).toContain('9000 lots were deleveraged instead of 10000 (LIQ-4)');
  expect(left).not.toContain('(LIQ-3)');
});

test('LIQ-3: deleveraging beyond the bankruptcy price, or too far from the mark, is found', () => {
  const beyond = stage();
  const poor: [number, number] = [30_000_000, 180_600_000];
  const events = [bought(10_000, 10_000), priced(9030), flagged(...poor)];
  const reported = tell(beyond.watch, beyond.exchange, [
    ...events,
    deleveraged(10_000, 8999, poor),
  ]);
  expect(reported).toContain('deleveraged 31 ticks from the mark (LIQ-3)');
  const far = stage();
  // Two thirds of 2 % are 122 ticks.
  const rich: [number, number] = [150_000_000, 183_000_000];
  const fallen = [bought(10_000, 10_000), priced(9150), flagged(...rich)];
  const told = tell(far.watch, far.exchange, [...fallen, deleveraged(10_000, 9027, rich)]);
  expect(told).toContain('deleveraged 123 ticks from the mark (LIQ-3)');
});

test('BAL-2: money that no event explains is found', () => {
  const { exchange, watch } = stage();
  checkMoney(watch, exchange);
  expect(watch.violations.count).toBe(0);
  const account = exchange.accounts[anna]!;
  Object.assign(account, { available: account.available + 1 });
  checkMoney(watch, exchange);
  expect(watch.violations.found.join('\n')).toContain('balances make or lose 1');
  expect(watch.figures.unconserved).toBe(1);
});

test('BAL-2: a negative bucket is found', () => {
  const { exchange, watch } = stage();
  Object.assign(exchange.accounts[anna]!, { available: -1 });
  expect(tell(watch, exchange, [bought(1, 10_000)])).toContain('account 1 has the buckets -1');
  expect(watch.figures.negativeBuckets).toBe(1);
});
