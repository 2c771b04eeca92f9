// What must be true of the tables of a replica that has been drained: they contain what the engine
// and its views hold, as far back as those go, and the ledger sums up to every balance.

import { expect } from 'vitest';
import { balanceOf } from '../../src/engine/account.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { Market } from '../../src/engine/market.ts';
import { recordOf } from '../../src/engine/views/trigger.ts';
import { orderRowOf } from '../../src/history/orderRowOf.ts';
import type { FillRow, LedgerRow, TradeRow } from '../../src/history/rows.ts';
import { candlesIn } from '../../src/market-data/candles.ts';
import { candleKinds } from '../../src/market-data/marketData.ts';
import { aggregatesIn } from '../../src/market-data/recentTrades.ts';
import { remembersAll, rowsInOrder } from '../../src/market-data/rowRing.ts';
import { directValues } from '../../src/std/directMap.ts';
import { nativeIntervals } from '../../src/units/interval.ts';
import type { Money } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import type { Projection } from './projection.ts';
import type { TableModel } from './tableModel.ts';

/** Every row of the ledger by its number, with those that follow from fills (HIST-1). */
export function ledgerOfTables({ ledger, fills }: TableModel): readonly LedgerRow[] {
  const rows: LedgerRow[] = [...ledger.values()].map((row) => ({ ...row, tradeId: 0 }));
  for (const { pnl, fee, ledgerId, balance, ...fill } of fills.values()) {
    const { account, market, event, tradeId, time } = fill;
    const of = { account, market, event, tradeId, reference: '', time };
    const before = (balance + fee) as Money;
    const id = pnl === 0 ? ledgerId : ledgerId + 1;
    const kind = 'realized_pnl';
    if (pnl !== 0) rows.push({ ...of, id: ledgerId, kind, amount: pnl, balance: before });
    if (fee !== 0) rows.push({ ...of, id, kind: 'fee', amount: (0 - fee) as Money, balance });
  }
  return rows.sort(byId);
}

/** Cheap enough for every drain. */
export function expectLedger({ tables, state: { exchange } }: Projection): void {
  const sums = liveAccounts(exchange).map(() => 0);
  let id = 0;
  for (const row of ledgerOfTables(tables)) {
    id += 1;
    sums[row.account]! += row.amount;
    if (row.id !== id || row.balance !== sums[row.account]) {
      expectSame(
        row,
        {
          ...row,
          id,
          balance: sums[row.account],
        },
        'the rows lead to each other',
      );
    }
  }
  expectSame(sums, liveAccounts(exchange).map(balanceOf), 'Σ rows = balance (BAL-3)');
}

/** Everything. The views may have forgotten ended orders, aggregates and candles, nothing else. */
export function expectTables(projection: Projection): void {
  expectLedger(projection);
  expectOrders(projection);
  expectRecords(projection);
  expectViewRows(projection);
  expectReferralDays(projection);
  for (const market of projection.state.exchange.markets) {
    expectTrades(projection, market);
    expectCandles(projection, market);
  }
}

const byId = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;

/**
 * What accrued by day is what referrers have claimed and may claim, and today's is the engine's.
 */
function expectReferralDays({ tables, state: { exchange } }: Projection): void {
  for (const { id, referral } of liveAccounts(exchange)) {
    const days = [...tables.referralDays.values()].filter(({ account }) => account === id);
    const total = days.reduce((sum, { amount }) => sum + amount, 0);
    expectSame(total, (referral?.accrued ?? 0) + (referral?.claimed ?? 0));
    if (days.length === 0) continue;
    const last = days.sort((a, b) => a.day - b.day).at(-1)!;
    expectSame([last.day / 86_400_000, last.amount], [referral!.day, referral!.today]);
  }
}

function expectOrders({ tables, state: { exchange, views } }: Projection): void {
  const known = [...rowsInOrder(views.endedOrders), ...directValues(exchange.orders)];
  const rows = known.map(({ id }) => tables.orders.get(String(id)));
  expectSame(rows, known.map(orderRowOf));
  const live = [...tables.orders.values()].filter(({ open }) => open > 0);
  expect(live).toHaveLength(exchange.orders.size);
  if (!remembersAll(views.endedOrders)) return;
  expectSame(tables.orders.size, known.length);
}

function expectRecords({ tables, state: { exchange, views } }: Projection): void {
  // The extreme of a trailing trigger is recorded with its next event.
  const waiting = [...exchange.triggers.values()].map((trigger) => {
    const extreme = tables.triggers.get(String(trigger.id))?.extreme;
    return { ...recordOf(trigger), extreme };
  });
  const ended = [...rowsInOrder(views.endedTriggers)].map(recordOf);
  const triggers = [...ended, ...waiting];
  expectSame([...tables.triggers.values()].sort(byId), triggers.sort(byId));
  // Of those that were never credited there is no row (AUTH-5a).
  const funded = liveAccounts(exchange).filter((account) => account.funded);
  const accounts = funded.map(({ id, address, createdAt }) => ({
    id,
    address,
    createdAt,
  }));
  expectSame([...tables.accounts.values()], accounts);
  const statuses = [...tables.markets.values()].map(({ symbol, status }) => ({ symbol, status }));
  expectSame(
    statuses,
    exchange.markets.map(({ symbol, status }) => ({ symbol, status })),
  );
  const pending = [...tables.withdrawals.values()].filter(({ status }) => status === 'pending');
  expectSame(pending.map(({ id }) => id).sort(), [...exchange.withdrawals.keys()].sort());
}

function expectViewRows({ tables, state: { views } }: Projection): void {
  const { withdrawals } = views;
  expectSame([...tables.forceOrders.values()], [...rowsInOrder(views.forceOrders)]);
  expectSame([...tables.deleveragings.values()], [...rowsInOrder(views.deleveragings)]);
  expectSame([...tables.fundingRates.values()], [...rowsInOrder(views.settledFunding)]);
  const requested = [...rowsInOrder(withdrawals), ...withdrawals.pending.values()];
  expectSame([...tables.withdrawals.values()].sort(byId), requested.sort(byId));
}

/**
 * ID-1: the numbers of a market are its fills' without a hole, and trades have two of them each.
 */
function expectTrades({ tables, state: { views } }: Projection, market: Market): void {
  const fills = new Map<number, FillRow[]>();
  for (const fill of tables.fills.values()) {
    if (fill.market !== market.id) continue;
    fills.set(fill.tradeId, [...(fills.get(fill.tradeId) ?? []), fill]);
  }
  const numbers = Array.from({ length: market.figures.tradeId }, (_, index) => index + 1);
  expectSame([...fills.keys()], numbers);
  const trades = [...tables.trades.values()].filter((trade) => trade.market === market.id);
  const traded = new Map(trades.map((trade) => [trade.tradeId, trade]));
  const pairs = [...fills].map(([tradeId, both]) => fillsOf(both, traded.get(tradeId)));
  expectSame(
    pairs.map(({ reported }) => reported),
    pairs.map(({ due }) => due),
  );
  const aggregates = [...Map.groupBy(trades, ({ aggregateId }) => aggregateId)].map(
    ([id, parts]) => ({
      id,
      lots: parts.reduce((sum, { lots }) => sum + lots, 0),
      firstId: parts[0]!.tradeId,
      lastId: parts.at(-1)!.tradeId,
    }),
  );
  const shown = aggregatesIn(views.markets[market.id]!.recent, { limit: 1000 });
  const reported = shown.map(({ id, lots, firstId, lastId }) => ({ id, lots, firstId, lastId }));
  expectSame(aggregates.slice(-1000), reported);
}

/** Both fills of a number: they must be the two sides of its trade, or of no trade. */
function fillsOf(both: readonly FillRow[], trade: TradeRow | undefined) {
  const { lots, ticks, side, kind } = both[0]!;
  const reported = {
    traded: kind === 'trade',
    sides: both.map((fill) => [fill.maker, fill.lots, fill.ticks, fill.side]),
  };
  const of = trade ?? { lots, ticks, takerSide: side };
  const due = {
    traded: trade !== undefined,
    sides: [
      [false, of.lots, of.ticks, of.takerSide],
      [true, of.lots, of.ticks, -of.takerSide],
    ],
  };
  return { reported, due };
}

function expectCandles({ tables, state }: Projection, { id }: Market): void {
  const { views, exchange } = state;
  for (const kind of candleKinds) {
    for (const interval of nativeIntervals) {
      const window = { limit: 100_000 };
      const shown = candlesIn(views.markets[id]!.candles[kind], interval, window, exchange.time);
      const closed = shown
        .filter(({ closed, count }) => closed && count > 0)
        .map(({ closeTime: _, closed: __, volume, quoteVolume, ...rest }) => ({
          ...{ ...rest, market: id, kind, interval },
          volume: String(volume),
          quoteVolume: String(quoteVolume),
        }));
      const rows = [...tables.candles.values()].filter(
        (row) => row.market === id && row.kind === kind && row.interval === interval,
      );
      expectSame(rows.slice(-closed.length), closed, `${kind} ${interval}`);
    }
  }
}
