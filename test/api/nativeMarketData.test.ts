// Public native market data (NAT-2), what markets show when their prices restrict them (PRC-2,
// PRC-3, SYM-1), and fees (MAR-6).

import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type MemoryExchange,
  openMemoryExchange,
  operatorToken,
} from '../fixtures/memoryExchange.ts';
import { type Trader, twoTraders } from '../fixtures/twoTraders.ts';

let world: MemoryExchange;
let alice: Trader;
let bob: Trader;

beforeEach(async () => {
  world = await openMemoryExchange();
  ({ alice, bob } = await twoTraders(world));
});

afterEach(async () => {
  expect(world.faults).toEqual([]);
  const { ok, failures } = await operator().getInvariants();
  expect({ ok, failures }).toEqual({ ok: true, failures: [] });
  await world.close();
});

const operator = () => world.client({ operatorToken }).operator;
const symbol = 'BTCUSDT';
const limit = { symbol, type: 'LIMIT', quantity: '0.2', price: '50000' } as const;

async function trade(): Promise<void> {
  await bob.native.placeNativeOrder({ ...limit, side: 'SELL' });
  await alice.native.placeNativeOrder({ ...limit, side: 'BUY' });
}

/** What a market shows, and what an order that opens is answered. */
async function lookAt(): Promise<{ readonly status: string; readonly code: unknown }> {
  const [record] = await world.client().native.listNativeMarkets();
  const order = { ...limit, side: 'BUY', quantity: '0.01', price: '49000' } as const;
  const code = await alice.native.placeNativeOrder(order).then(
    () => 'taken',
    (error: { readonly status: number; readonly code: string }) => `${error.status} ${error.code}`,
  );
  return { status: record!.status, code };
}

test('NAT-2 FUND-4 funding-rates in full; the side that pays has a negative hour', async () => {
  await operator().changeAccount({ address: bob.address, house: true });
  await trade();
  const { native } = world.client();
  const hour = 3_600_000;
  const next = Math.ceil((world.clock.now() + 1) / (8 * hour)) * 8 * hour;
  // Only longs count: 0.01 × (0.2 − 0) / 0.2, which is the cap.
  expect(await native.getNativeFundingRate({ symbol: 'btc_usd' })).toEqual({
    symbol,
    funding_rate: '0.01',
    funding_rate_long_1h: '-0.00125',
    funding_rate_short_1h: '0.00125',
    min_funding_rate: '-0.01',
    max_funding_rate: '0.01',
    funding_interval_hours: 8,
    next_funding_time: next,
    mark_price: '50000.0',
    index_price: '50000.0',
    long_oi_usd: '10000',
    short_oi_usd: '0',
    time: world.clock.now(),
  });
  expect(await native.getNativeFundingRate({ symbol: 'ETHUSDT' })).toMatchObject({
    funding_rate: '0',
    funding_rate_long_1h: '0',
    mark_price: '0.0',
    long_oi_usd: '0',
  });
  await expect(native.getNativeFundingRate({ symbol: 'XYZ' })).rejects.toMatchObject({
    status: 404,
    code: 'INVALID_MARKET',
  });
});

test('FUND-4 an hour of a rate that eight hours do not divide is rounded half to even', async () => {
  await operator().changeMarket({ symbol, funding_factor: '0.00000004', max_funding_rate: '0.01' });
  await operator().changeAccount({ address: bob.address, house: true });
  await trade();
  // 4e-8 / 8 = 0.5e-8, half way to an even 0.
  expect(await world.client().native.getNativeFundingRate({ symbol })).toMatchObject({
    funding_rate: '0.00000004',
    funding_rate_long_1h: '0',
    funding_rate_short_1h: '0',
  });
});

test('PRC-2 SYM-1 markets show what the age of their index allows; orders say why', async () => {
  expect(await lookAt()).toEqual({ status: 'TRADING', code: 'taken' });
  world.clock.advance(30_001);
  expect(await lookAt()).toEqual({ status: 'CLOSE', code: '503 PRICE_DATA_UNAVAILABLE' });
  expect((await operator().listOperatorMarkets())[0]).toMatchObject({
    status: 'TRADING',
    shown_status: 'CLOSE',
    restriction: 'stale',
    index_age: 30_001,
  });
  world.clock.advance(90_000);
  expect(await lookAt()).toEqual({ status: 'HALT', code: '503 PRICE_DATA_UNAVAILABLE' });
  expect((await operator().listOperatorMarkets())[0]).toMatchObject({ restriction: 'halted' });
  // Recovery is automatic, and cancels have always passed.
  await alice.fapi.cancelAllOpenOrders({ symbol });
  await operator().setIndexPrice({ symbol, price: '50000' });
  expect(await lookAt()).toEqual({ status: 'TRADING', code: 'taken' });
});

test('PRC-3 SYM-1 a tripped breaker leaves reducing for thirty seconds', async () => {
  await trade();
  world.clock.advance(1000);
  await operator().setIndexPrice({ symbol, price: '56000' });
  expect(await lookAt()).toEqual({ status: 'CLOSE', code: '503 CIRCUIT_OPEN' });
  const [record] = await operator().listOperatorMarkets();
  const until = world.clock.now() + 30_000;
  expect(record).toMatchObject({ restriction: 'breaker', breaker_until: until });
  const reducing = {
    symbol,
    side: 'SELL',
    type: 'LIMIT',
    quantity: '0.1',
    price: '60000',
  } as const;
  const reduced = await alice.native.placeNativeOrder({ ...reducing, reduce_only: true });
  expect(reduced.status).toBe('NEW');
  world.clock.advance(30_000);
  await operator().setIndexPrice({ symbol, price: '56000' });
  expect(await lookAt()).toEqual({ status: 'TRADING', code: 'taken' });
  expect((await operator().listOperatorMarkets())[0]).toMatchObject({
    restriction: 'none',
    breaker_until: null,
  });
});

test('TRG-2 a trigger of the order route is an order here too, one of the algo route is none', async () => {
  const stop = { symbol, side: 'SELL', quantity: '0.1' } as const;
  const { orderId: id } = await alice.fapi.placeOrder({
    ...stop,
    type: 'STOP_MARKET',
    stopPrice: '40000',
    newClientOrderId: 'my-stop',
  });
  const shown = {
    order_id: id,
    client_order_id: 'my-stop',
    status: 'NEW',
    type: 'STOP_MARKET',
    stop_price: '40000.0',
  };
  expect(await alice.native.getNativeOrder({ id })).toMatchObject(shown);
  expect(await alice.native.getNativeOrder({ id: 'my-stop' })).toMatchObject(shown);
  const notOwned = { status: 403, code: 'ORDER_NOT_OWNED' };
  await expect(bob.native.getNativeOrder({ id })).rejects.toMatchObject(notOwned);
  await expect(bob.native.cancelNativeOrder({ id })).rejects.toMatchObject(notOwned);
  const ended = { ...shown, status: 'CANCELED' };
  expect(await alice.native.cancelNativeOrder({ id })).toMatchObject(ended);
  expect(await alice.native.getNativeOrder({ id })).toMatchObject(ended);
  await expect(alice.native.cancelNativeOrder({ id })).rejects.toMatchObject({
    status: 409,
    code: 'ORDER_NOT_CANCELLABLE',
  });
  await expect(bob.native.cancelNativeOrder({ id })).rejects.toMatchObject(notOwned);

  const { algoId } = await alice.fapi.placeAlgoOrder({
    ...stop,
    algoType: 'CONDITIONAL',
    type: 'STOP_MARKET',
    triggerPrice: '40000',
  });
  const unknown = { status: 404, code: 'ORDER_NOT_FOUND' };
  for (const { native } of [alice, bob]) {
    await expect(native.getNativeOrder({ id: algoId })).rejects.toMatchObject(unknown);
    await expect(native.cancelNativeOrder({ id: algoId })).rejects.toMatchObject(unknown);
  }
  expect(await alice.native.listNativeOrders()).toEqual([]);
});

test('MAR-6 fee-info gives the base rates with a token and without; a bad token is refused', async () => {
  const info = {
    fee_tier: 0,
    volume_14d: '0',
    rates: [
      { symbol: 'BTCUSDT', maker_commission_rate: '0.0002', taker_commission_rate: '0.0005' },
    ],
    tiers: [{ min_volume: '0', maker_discount: '0', taker_discount: '0' }],
  };
  expect(await world.client().native.getFeeInfo({ symbol: 'BTCUSDT' })).toEqual(info);
  expect(await alice.native.getFeeInfo({ symbol: 'btcusd' })).toEqual(info);
  expect((await alice.native.getFeeInfo()).rates).toHaveLength(2);
  const wrong = world.client({ token: `${alice.token}x` }).native.getFeeInfo();
  await expect(wrong).rejects.toMatchObject({ status: 401, code: 'INVALID_TOKEN' });
});

test('MAR-6 fee-info shows the tier that the volume of fourteen days gives, and its rates', async () => {
  const tiers = [
    { min_volume: '0', maker_discount: '0', taker_discount: '0' },
    { min_volume: '10000', maker_discount: '0.1', taker_discount: '0.2' },
  ];
  await operator().setFeeTiers({ tiers });
  await trade();
  expect(await alice.native.getFeeInfo()).toMatchObject({ fee_tier: 0, volume_14d: '0', tiers });
  // The next UTC day; the token is of another.
  world.clock.advance(86_400_000);
  await operator().setIndexPrice({ symbol, price: '50000' });
  const { client } = await world.login(1);
  expect(await client.native.getFeeInfo({ symbol })).toMatchObject({
    fee_tier: 1,
    volume_14d: '10000',
    rates: [{ symbol, maker_commission_rate: '0.00018', taker_commission_rate: '0.0004' }],
  });
  expect(await world.client().native.getFeeInfo({ symbol })).toMatchObject({
    fee_tier: 0,
    rates: [{ taker_commission_rate: '0.0005' }],
  });
});
