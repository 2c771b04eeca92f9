// What an order would do, asked before it is placed (NAT-7).

import { beforeEach, expect, test } from 'vitest';
import { accountByAddress } from '../../src/engine/views/exchange.ts';
import { recordOf } from '../../src/gateway/rateLimits.ts';
import { must } from '../../src/std/assert.ts';
import { alice, bob, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

beforeEach(async () => {
  for (const [side, price] of [
    ['SELL', '50100'],
    ['SELL', '50200'],
    ['BUY', '49900'],
  ] as const) {
    await bob.native.placeNativeOrder({ ...terms, type: 'LIMIT', side, price });
  }
});

const terms = { symbol: 'BTCUSDT', quantity: '0.5' } as const;

type Order = Parameters<typeof alice.native.placeNativeOrder>[0];

/** The preview's account, from the rows that show it. */
async function shownAfter(): Promise<object> {
  const [position] = await alice.native.listPositions();
  const [balance] = await alice.native.listBalances();
  return {
    position_amt: position?.position_amt ?? '0.000',
    entry_price: position?.entry_price ?? '0',
    liquidation_price: position?.liquidation_price ?? '0',
    margin_ratio: position?.margin_ratio ?? '0',
    maint_margin: position?.maint_margin ?? '0',
    available_balance: balance!.available_balance,
    equity: balance!.equity,
  };
}

const orders: readonly (readonly [string, Order])[] = [
  ['rests', { ...terms, side: 'BUY', type: 'LIMIT', price: '49000' }],
  [
    'fills a part and rests',
    { ...terms, side: 'BUY', type: 'LIMIT', price: '50150', quantity: '0.8' },
  ],
  ['fills two levels', { ...terms, side: 'BUY', type: 'MARKET', quantity: '0.7' }],
  ['closes a part', { ...terms, side: 'SELL', type: 'MARKET', quantity: '0.2', reduce_only: true }],
  ['finds too little', { ...terms, side: 'BUY', type: 'MARKET', quantity: '2' }],
  ['turns the position', { ...terms, side: 'SELL', type: 'LIMIT', price: '49900', quantity: '3' }],
  ['ends at once', { ...terms, side: 'BUY', type: 'LIMIT', price: '49000', time_in_force: 'IOC' }],
];

test.each(['cross', 'unified', 'isolated'] as const)(
  'NAT-7 a preview has the figures that the order then leaves, and changes no bit (%s)',
  async (mode) => {
    await alice.native.setMarginMode({ mode });
    for (const [what, order] of orders) {
      const hash = world.stateHash();
      const preview = await alice.native.previewNativeOrder(order);
      expect(world.stateHash(), what).toBe(hash);
      const [before] = await alice.native.listBalances();
      const placed = await alice.native.placeNativeOrder(order);
      expect(placed, what).toMatchObject({
        executed_qty: preview.executed_qty,
        avg_price: preview.avg_price,
        cum_quote: preview.cum_quote,
        orig_qty: preview.orig_qty,
      });
      const rests = placed.status === 'NEW' || placed.status === 'PARTIALLY_FILLED';
      const left = Number(placed.orig_qty) - Number(placed.executed_qty);
      expect(Number(preview.resting_qty), what).toBeCloseTo(rests ? left : 0, 9);
      expect(Number(preview.cancelled_qty), what).toBeCloseTo(rests ? 0 : left, 9);
      expect(preview.after, what).toMatchObject(await shownAfter());
      if (placed.executed_qty === '0.000') continue;
      const [after] = await alice.native.listBalances();
      const fills = await alice.native.listFills({ symbol: 'BTCUSDT', order_id: placed.order_id });
      const paid = fills.reduce((sum, { commission }) => sum + Number(commission), 0);
      expect(paid, what).toBeCloseTo(Number(preview.fee), 6);
      expect(after).not.toEqual(before);
    }
  },
);

test('NAT-7 the slippage is signed by the side, and nothing that fills has none', async () => {
  const { native } = alice;
  const buy = await native.previewNativeOrder({ ...terms, side: 'BUY', type: 'MARKET' });
  const mark = Number(buy.mark_price);
  expect(buy.avg_price).toBe('50100');
  expect(Number(buy.slippage)).toBeCloseTo((50_100 - mark) / mark, 8);
  const sell = await native.previewNativeOrder({ ...terms, side: 'SELL', type: 'MARKET' });
  expect(Number(sell.slippage)).toBeCloseTo((mark - 49_900) / mark, 8);
  const killed = await native.previewNativeOrder({
    ...{ ...terms, side: 'BUY', type: 'LIMIT' },
    ...{ price: '50100', quantity: '9', time_in_force: 'FOK' },
  });
  expect(killed).toMatchObject({
    executed_qty: '0.000',
    avg_price: '0',
    slippage: '0',
    margin: '0',
    cancelled_qty: '9.000',
  });
});

test('NAT-7 a preview is refused as its order would be', async () => {
  const hash = world.stateHash();
  const base = { ...terms, side: 'BUY', type: 'LIMIT', price: '49000' } as const;
  const cases = [
    { ...base, quantity: '0.0001' },
    { ...base, price: '90000' },
    { ...base, price: '1' },
    { ...base, quantity: '19' },
    { ...base, reduce_only: true },
    { ...base, time_in_force: 'GTX', price: '50100' },
    { ...base, type: 'MARKET', max_slippage: '0.00001' },
    { ...base, symbol: 'ETHUSDT' },
    { ...base, type: 'STOP' },
    { ...base, price: undefined },
  ] as unknown as readonly Order[];
  await alice.native.setNativeLeverage({ symbol: 'BTCUSDT', leverage: 1 });
  const lower = world.stateHash();
  expect(lower).not.toBe(hash);
  for (const order of cases) {
    const failureOf = (answer: Promise<unknown>) =>
      answer.then(
        () => 'accepted',
        ({ status, code, detail }) => ({ status, code, detail }),
      );
    const asked = await failureOf(alice.native.previewNativeOrder(order));
    expect(asked, JSON.stringify(order)).not.toBe('accepted');
    expect(await failureOf(alice.native.placeNativeOrder(order))).toEqual(asked);
  }
  expect(world.stateHash()).toBe(lower);
});

test('NAT-7 AUTH-7b a preview counts as an order, and its work is charged', async () => {
  const order = { ...terms, side: 'BUY', type: 'LIMIT', price: '49000' } as const;
  const account = must(
    accountByAddress(world.replica.exchange, alice.address),
    'the trader has an account',
  );
  const { work } = recordOf(world.gateway.limits.accounts, account.id, world.clock.now());
  const before = work.used;
  await alice.native.previewNativeOrder({ ...terms, side: 'BUY', type: 'MARKET', quantity: '0.7' });
  const fillsTwo = work.used - before;
  await alice.native.previewNativeOrder(order);
  const rests = work.used - before - fillsTwo;
  // What it meets in the book costs the engine more.
  expect(rests).toBeGreaterThan(0);
  expect(fillsTwo).toBeGreaterThan(rests);
  for (let i = 2; i < 50; i += 1) await alice.native.previewNativeOrder(order);
  const beyond = { status: 429, code: 'TOO_MANY_REQUESTS' };
  await expect(alice.native.previewNativeOrder(order)).rejects.toMatchObject(beyond);
  await expect(alice.native.placeNativeOrder(order)).rejects.toMatchObject(beyond);
  expect(await alice.native.listNativeOrders()).toEqual([]);
});
