// Public native market data (NAT-2), what markets show when their prices restrict them (PRC-2,
// PRC-3, SYM-1), and fees (MAR-6).

import { expect, test } from 'vitest';
import { marketsOf } from '../../src/engine/views/exchange.ts';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const symbol = 'BTCUSDT';
const limit = { symbol, type: 'LIMIT', quantity: '0.2', price: '50000' } as const;

async function trade(): Promise<void> {
  await bob.native.placeNativeOrder({ ...limit, side: 'SELL' });
  await alice.native.placeNativeOrder({ ...limit, side: 'BUY' });
}

/** The state that a market shows, and the answer to an opening order. */
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
  // Only longs count: 0.01 × (0.2 − 0) / 0.2, which is the cap, for the 25,600 s of eight hours
  // that are left (FUND-1b).
  expect(await native.getNativeFundingRate({ symbol: 'btc_usd' })).toEqual({
    symbol,
    funding_rate: '0.00888889',
    funding_rate_long_1h: '-0.00111111',
    funding_rate_short_1h: '0.00111111',
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

test('FUND-4 the hourly part of a rate is rounded half to even', async () => {
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

test('PRC-2 SYM-1 markets show what the age of their index allows, and refused orders state the reason', async () => {
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

test('PRC-3 PRC-3b SYM-1 a tripped breaker allows only orders that reduce or rest for thirty seconds', async () => {
  await trade();
  world.clock.advance(1000);
  await operator().setIndexPrice({ symbol, price: '56000', expected_index: '50000' });
  expect(await lookAt()).toEqual({ status: 'CLOSE', code: 'taken' });
  const taking = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.1' } as const;
  await expect(alice.native.placeNativeOrder(taking)).rejects.toMatchObject({
    code: 'CIRCUIT_OPEN',
  });
  const [record] = await operator().listOperatorMarkets();
  const until = world.clock.now() + 30_000;
  expect(record).toMatchObject({ restriction: 'breaker', breaker_until: until });
  const [shown] = await alice.native.listNativeMarkets();
  expect(shown).toMatchObject({ status: 'CLOSE', restriction: 'breaker' });
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

test('TRG-2 a trigger of the order route is an order here too, one of the algo route is not', async () => {
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

test('NAT-2 OI-2 FUND-4 the ticker has the fields of the ticker channel, all of them strings', async () => {
  await operator().changeAccount({ address: bob.address, house: true });
  await trade();
  world.clock.advance(60_000);
  await operator().setIndexPrice({ symbol, price: '50000' });
  await bob.native.placeNativeOrder({ ...limit, side: 'SELL', price: '50100' });
  await alice.native.placeNativeOrder({ ...limit, side: 'BUY', price: '50100' });
  const { mark, index } = marketsOf(world.replica.exchange)[0]!.prices;
  expect([mark, index]).toEqual([500_000, 500_000]);
  expect(await world.client().native.getTicker({ symbol: 'btc_usd' })).toEqual({
    type: 'ticker',
    symbol,
    last_price: '50100.0',
    mark_price: '50000.0',
    index_price: '50000.0',
    price_change_24h: '100.0',
    price_change_percent_24h: '0.2',
    high_24h: '50100.0',
    low_24h: '50000.0',
    volume_24h: '0.400',
    volume_24h_usd: '20020',
    // 0.4 at the mark; the short side is the house's.
    open_interest_long: '20000',
    open_interest_short: '0',
    open_interest_long_percent: '100',
    open_interest_short_percent: '0',
    available_liquidity_long: '19980000',
    available_liquidity_short: '20000000',
    funding_rate_long_1h: '-0.00111111',
    funding_rate_short_1h: '0.00111111',
  });
  await operator().changeMarket({ symbol, oi_cap_usd: '15000' });
  expect(await world.client().native.getTicker({ symbol })).toMatchObject({
    available_liquidity_long: '0',
    available_liquidity_short: '15000',
  });
});

test('NAT-2 a ticker before the first trade has the mark; before the first index there is none', async () => {
  const { native } = world.client();
  expect(await native.getTicker({ symbol })).toMatchObject({
    last_price: '50000.0',
    price_change_24h: '0.0',
    price_change_percent_24h: '0',
    high_24h: '50000.0',
    volume_24h: '0.000',
    volume_24h_usd: '0',
    open_interest_long_percent: '0',
  });
  const noData = { status: 404, code: 'ERR_NO_DATA' };
  await expect(native.getTicker({ symbol: 'ETHUSDT' })).rejects.toMatchObject(noData);
  const unknown = { status: 404, code: 'INVALID_MARKET' };
  await expect(native.getTicker({ symbol: 'XYZ' })).rejects.toMatchObject(unknown);
});

test('NAT-2 depth: the levels of FAPI with native names; an empty book is ERR_NO_DATA', async () => {
  const { native, fapi } = world.client();
  const noData = { status: 404, code: 'ERR_NO_DATA' };
  await expect(native.getDepth({ symbol })).rejects.toMatchObject(noData);
  await alice.native.placeNativeOrder({ ...limit, side: 'BUY', price: '49000' });
  await alice.native.placeNativeOrder({ ...limit, side: 'BUY', price: '48000' });
  const { lastUpdateId, bids } = await fapi.getOrderBook({ symbol });
  expect(await native.getDepth({ symbol })).toEqual({
    symbol,
    last_update_id: lastUpdateId,
    time: world.replica.exchange.time,
    bids,
    asks: [],
  });
  await bob.native.placeNativeOrder({ ...limit, side: 'SELL', price: '51000' });
  expect(await native.getDepth({ symbol, limit: '5' })).toMatchObject({
    bids: [
      ['49000.0', '0.200'],
      ['48000.0', '0.200'],
    ],
    asks: [['51000.0', '0.200']],
  });
  const badLimit = { status: 400, code: 'INVALID_PARAMETER' };
  await expect(native.getDepth({ symbol, limit: '7' as '5' })).rejects.toMatchObject(badLimit);
  const unknown = { status: 404, code: 'INVALID_MARKET' };
  await expect(native.getDepth({ symbol: 'XYZ' })).rejects.toMatchObject(unknown);
});

test('NAT-2 candles: the klines with native names, and whether they are closed', async () => {
  const { native } = world.client();
  const ask = (parameters: object) => native.getCandles({ symbol, period: '1m', ...parameters });
  const noData = { status: 404, code: 'ERR_NO_DATA' };
  await expect(ask({})).rejects.toMatchObject(noData);
  const begin = world.clock.now() - (world.clock.now() % 60_000);
  await trade();
  world.clock.advance(60_000);
  await operator().setIndexPrice({ symbol, price: '50000' });
  const flat = { open: '50000.0', high: '50000.0', low: '50000.0', close: '50000.0' };
  const candles = [
    {
      open_time: begin,
      close_time: begin + 59_999,
      ...flat,
      volume: '0.200',
      quote_volume: '10000',
      trades: 1,
      closed: true,
    },
    {
      open_time: begin + 60_000,
      close_time: begin + 119_999,
      ...flat,
      volume: '0.000',
      quote_volume: '0',
      trades: 0,
      closed: false,
    },
  ];
  expect(await ask({})).toEqual(candles);
  expect(await ask({ limit: 1 })).toEqual(candles.slice(1));
  expect(await ask({ start_time: begin, limit: 1 })).toEqual(candles.slice(0, 1));
  expect(await ask({ end_time: begin + 59_999 })).toEqual(candles.slice(0, 1));
  await expect(ask({ start_time: begin + 120_000 })).rejects.toMatchObject(noData);
  const [hour] = await native.getCandles({ symbol, period: '2h' });
  expect(hour).toMatchObject({ volume: '0.200', trades: 1, closed: false });
  const badPeriod = { status: 400, code: 'ERR_INVALID_PERIOD' };
  await expect(ask({ period: '7m' })).rejects.toMatchObject(badPeriod);
  const unknown = { status: 404, code: 'INVALID_MARKET' };
  await expect(ask({ symbol: 'XYZ' })).rejects.toMatchObject(unknown);
});
