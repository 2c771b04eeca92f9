// What the views make of events: which rows, for which account, and what they drop.

import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/engine/event.ts';
import { createDeleveragings, deleveragingsIn } from '../../src/market-data/deleveragings.ts';
import {
  createEndedTriggers,
  findEndedTrigger,
  findEndedTriggerById,
} from '../../src/market-data/endedTriggers.ts';
import { createForceOrders, forceOrdersOf } from '../../src/market-data/forceOrders.ts';
import { countsOf } from '../../src/market-data/riskCounts.ts';
import { rowsInOrder } from '../../src/market-data/rowRing.ts';
import { createSettledFunding, settledFundingIn } from '../../src/market-data/settledFunding.ts';
import { createViews, type Views, viewEvent } from '../../src/market-data/views.ts';
import { createWithdrawals, withdrawalsOf } from '../../src/market-data/withdrawals.ts';
import type { AccountId, MarketId, OrderId } from '../../src/units/units.ts';
import {
  breakerTripped,
  deleveraged,
  exchangeAt,
  fundingSettled,
  indexRefused,
  liquidationFlagged,
  orderEnded,
  takenOver,
  triggerEnded,
  withdrawalRequested,
  withdrawalResolved,
} from './eventRows.ts';

function viewsOf(events: readonly Event[], views: Views = createViews()): Views {
  for (const [index, event] of events.entries()) viewEvent(views, exchangeAt(5000 + index), event);
  return views;
}

const account = (id: number) => id as AccountId;
const market = (id: number) => id as MarketId;
const all = { limit: 1000 };
const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

describe('ended triggers', () => {
  test('TRG-2: either id finds them, only in their own account', () => {
    const named = { clientOrderId: 'stop', status: 'EXPIRED' } as const;
    const { endedTriggers } = viewsOf([
      triggerEnded(8, 1, named),
      triggerEnded(9, 2, named),
      triggerEnded(10, 1, { ...named, status: 'FAILED', failure: 'marginInsufficient' }),
      triggerEnded(11, 1, { status: 'FINISHED' }),
    ]);
    const find = (whose: number, reference: { id: OrderId } | { clientOrderId: string }) =>
      findEndedTrigger(endedTriggers, account(whose), reference)?.id;
    expect(find(1, { id: 8 as OrderId })).toBe(8);
    expect(find(1, { id: 9 as OrderId })).toBeUndefined();
    expect(findEndedTriggerById(endedTriggers, 9 as OrderId)?.status).toBe('EXPIRED');
    expect([1, 2, 3].map((whose) => find(whose, { clientOrderId: 'stop' }))).toEqual([
      10,
      9,
      undefined,
    ]);
  });
});

describe('force orders', () => {
  test('LIQ-1: are liquidation orders that closed something, one row each', () => {
    const { forceOrders } = viewsOf([
      orderEnded(1, 3, { origin: 'liquidation' }),
      orderEnded(2, 3, { origin: 'liquidation', filled: 0 as never }),
      orderEnded(3, 3),
      orderEnded(4, 0, { origin: 'unwinding' }),
    ]);
    expect([...rowsInOrder(forceOrders)]).toEqual([
      {
        id: 1,
        account: 3,
        market: 0,
        side: -1,
        autoCloseType: 'LIQUIDATION',
        ticks: 890,
        lots: 20,
        filled: 12,
        notional: 107_000,
        time: 1001,
      },
    ]);
  });

  test('LIQ-3: are takeovers by the fund, only on the side of the account', () => {
    const { forceOrders } = viewsOf([takenOver(4, { id: 6, market: 1, side: 1 })]);
    expect([...rowsInOrder(forceOrders)]).toMatchObject([
      {
        id: 6,
        account: 4,
        side: 1,
        autoCloseType: 'LIQUIDATION',
        notional: 900 * 7 * 3,
        time: 5000,
      },
    ]);
  });

  test('LIQ-4: are both sides of a deleveraging, the counterparty as ADL', () => {
    const { forceOrders } = viewsOf([deleveraged(4, 5, { id: 6 })]);
    expect([...rowsInOrder(forceOrders)]).toMatchObject([
      { id: 6, account: 4, side: -1, autoCloseType: 'LIQUIDATION', filled: 7, time: 5000 },
      { id: 6, account: 5, side: 1, autoCloseType: 'ADL', filled: 7, time: 5000 },
    ]);
  });

  test('LIQ-6: the fund itself has no row, on either side', () => {
    const { forceOrders } = viewsOf([
      deleveraged(0, 5, { id: 6, cause: 'fund_reduction' }),
      deleveraged(0, 6, { id: 7 }),
      deleveraged(8, 0, { id: 8 }),
    ]);
    const rows = [...rowsInOrder(forceOrders)].map((row) => [row.account, row.autoCloseType]);
    expect(rows).toEqual([
      [5, 'ADL'],
      [6, 'ADL'],
      [8, 'LIQUIDATION'],
    ]);
  });

  test('are listed by account, market, type and time', () => {
    const { forceOrders } = viewsOf([
      deleveraged(1, 2, { id: 10 }),
      deleveraged(2, 1, { id: 11, market: 1 }),
      takenOver(1, { id: 12, market: 1 }),
      deleveraged(3, 1, { id: 13 }),
    ]);
    const list = (window: object) =>
      idsOf(forceOrdersOf(forceOrders, account(1), { ...all, ...window }));
    expect(list({})).toEqual([10, 11, 12, 13]);
    expect(list({ autoCloseType: 'ADL' })).toEqual([11, 13]);
    expect(list({ autoCloseType: 'LIQUIDATION', limit: 1 })).toEqual([12]);
    expect(list({ market: market(1), autoCloseType: 'LIQUIDATION' })).toEqual([12]);
    expect(list({ startTime: 5001, endTime: 5002 })).toEqual([11, 12]);
    expect(forceOrdersOf(forceOrders, account(7), all)).toEqual([]);
  });
});

test('LIQ-4: the public log has the inputs of the rank and names no account', () => {
  const { deleveragings } = viewsOf([
    deleveraged(1, 2, { id: 10 }),
    deleveraged(0, 3, { id: 11, market: 1, cause: 'fund_reduction', side: 1 }),
  ]);
  expect(deleveragingsIn(deleveragings, all)).toEqual([
    {
      id: 10,
      market: 0,
      time: 5000,
      cause: 'deleveraging',
      side: -1,
      ticks: 900,
      mark: 910,
      lots: 7,
      unrealized: 5,
      notional: 6,
      entry: 1,
      equity: 4,
    },
    expect.objectContaining({ id: 11, market: 1, cause: 'fund_reduction', side: 1, time: 5001 }),
  ]);
  expect(idsOf(deleveragingsIn(deleveragings, { ...all, market: market(1) }))).toEqual([11]);
  expect(idsOf(deleveragingsIn(deleveragings, { endTime: 5000, limit: 5 }))).toEqual([10]);
});

describe('withdrawals', () => {
  const events = [
    withdrawalRequested(1, 4),
    withdrawalRequested(2, 5),
    withdrawalRequested(3, 4),
    withdrawalRequested(4, 4),
    withdrawalResolved(3, 4, true),
    withdrawalResolved(1, 4, false),
  ];
  const shown = (views: Views) =>
    withdrawalsOf(views.withdrawals, account(4), all).map((row) => [
      row.id,
      row.status,
      row.createdAt,
      row.resolvedAt,
    ]);
  const expected = [
    [1, 'released', 5000, 5005],
    [3, 'completed', 5002, 5004],
    [4, 'pending', 5003, 0],
  ];

  test('NAT-3: pending and ended ones are listed in the order of their requests', () => {
    expect(shown(viewsOf(events))).toEqual(expected);
  });

  test.each([0, 1, 2, 3, 4, 5])('whether they were requested before event %i or after', (asked) => {
    const views = createViews();
    for (const [index, event] of events.entries()) {
      if (index >= asked) shown(views);
      viewEvent(views, exchangeAt(5000 + index), event);
    }
    expect(shown(views)).toEqual(expected);
  });
});

test('FUND-3: settled boundaries are listed in order, including those recorded at rate 0', () => {
  const { settledFunding } = viewsOf([
    fundingSettled(0, 8000),
    fundingSettled(1, 8000, 0),
    fundingSettled(0, 24_000, -5),
    fundingSettled(0, 16_000, 0),
    fundingSettled(0, 24_000, 7),
  ]);
  const list = (window: object) =>
    settledFundingIn(settledFunding, { ...all, ...window }).map((row) => [row.boundary, row.rate]);
  expect(list({ market: market(0) })).toEqual([
    [8000, 100],
    [16_000, 0],
    [24_000, -5],
    [24_000, 7],
  ]);
  expect(list({ startTime: 8000, limit: 2 })).toEqual([
    [8000, 100],
    [8000, 0],
  ]);
});

test('events for alarms are counted by market', () => {
  const { riskCounts } = viewsOf([
    indexRefused(2),
    indexRefused(2),
    breakerTripped(2),
    liquidationFlagged(4, true),
    liquidationFlagged(5, true),
    liquidationFlagged(4, false),
    orderEnded(1, 4, { origin: 'liquidation', filled: 0 as never }),
    takenOver(4, { id: 6 }),
    deleveraged(4, 5, { id: 7 }),
    deleveraged(0, 5, { id: 8, cause: 'fund_reduction' }),
  ]);
  const none = { indexRefusals: 0, breakerTrips: 0 };
  expect(countsOf(riskCounts, market(0))).toEqual({
    ...none,
    liquidations: 1,
    takeovers: 1,
    deleveragings: 2,
  });
  expect(countsOf(riskCounts, market(2))).toMatchObject({ indexRefusals: 2, breakerTrips: 1 });
  expect(riskCounts.flagged).toBe(1);
});

describe('a view at its bound drops the oldest row', () => {
  const small = (): Views => ({
    ...createViews(),
    endedTriggers: createEndedTriggers(3),
    forceOrders: createForceOrders(3),
    deleveragings: createDeleveragings(3),
    withdrawals: createWithdrawals(3),
    settledFunding: createSettledFunding(3),
  });

  test.each(['without an earlier query', 'after an earlier query'])('%s', (when) => {
    const views = small();
    const answers = () => [
      [1, 2, 3, 4, 5, 6, 7].filter((id) =>
        findEndedTriggerById(views.endedTriggers, id as OrderId),
      ),
      idsOf(forceOrdersOf(views.forceOrders, account(1), all)),
      idsOf(deleveragingsIn(views.deleveragings, all)),
      idsOf(withdrawalsOf(views.withdrawals, account(1), all)),
      settledFundingIn(views.settledFunding, all).map(({ boundary }) => boundary),
    ];
    if (when === 'when somebody did') answers();
    for (let id = 1; id <= 7; id += 1) {
      viewsOf(
        [
          triggerEnded(id, 1, { clientOrderId: 'same' }),
          deleveraged(1, 0, { id }),
          withdrawalRequested(id, 1),
          fundingSettled(0, id),
        ],
        views,
      );
      if (id <= 6) viewsOf([withdrawalResolved(id, 1, true)], views);
    }
    const last = [5, 6, 7];
    // Pending withdrawals are not dropped.
    expect(answers()).toEqual([last, last, last, [4, 5, 6, 7], last]);
    expect(findEndedTriggerById(views.endedTriggers, 4 as OrderId)).toBeUndefined();
    const same = findEndedTrigger(views.endedTriggers, account(1), { clientOrderId: 'same' });
    expect(same?.id).toBe(7);
  });
});
