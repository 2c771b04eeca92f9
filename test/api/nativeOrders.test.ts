// Native orders, positions and balances (NAT-1) and public market data (NAT-2).

import { expect, test } from 'vitest';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { alice, bob, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const resting = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.5',
  price: '49000',
} as const;
const market = { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '0.5' } as const;

test('NAT-1 an order is the FAPI record in snake_case, on every route that shows it', async () => {
  const placed = await alice.native.placeNativeOrder({ ...resting, client_order_id: 'mine:1' });
  expect(placed).toEqual({
    order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_order_id: 'mine:1',
    symbol: 'BTCUSDT',
    pair: 'BTCUSDT',
    status: 'NEW',
    side: 'BUY',
    position_side: 'BOTH',
    type: 'LIMIT',
    orig_type: 'LIMIT',
    time_in_force: 'GTC',
    price: '49000.0',
    avg_price: '0',
    orig_qty: '0.500',
    executed_qty: '0.000',
    cum_qty: '0.000',
    cum_quote: '0',
    stop_price: '0',
    working_type: 'CONTRACT_PRICE',
    price_protect: false,
    close_position: false,
    reduce_only: false,
    price_match: 'NONE',
    self_trade_prevention_mode: 'EXPIRE_MAKER',
    good_till_date: 0,
    time: world.clock.now(),
    update_time: world.clock.now(),
  });
  const { order_id: id } = placed;
  expect(await alice.native.getNativeOrder({ id })).toEqual(placed);
  expect(await alice.native.getNativeOrder({ id: 'mine:1' })).toEqual(placed);
  expect(await alice.native.listNativeOrders({ symbol: 'btc-usd' })).toEqual([placed]);
  expect(await alice.native.listNativeOrders({ status: 'PARTIALLY_FILLED' })).toEqual([]);
  expect(await alice.native.listNativeOrders({ symbol: 'ETHUSDT' })).toEqual([]);
  expect(await bob.native.listNativeOrders()).toEqual([]);
  expect(await alice.fapi.getOrder({ symbol: 'BTCUSDT', orderId: id })).toMatchObject({
    orderId: id,
  });
});

test('NAT-1 a fill moves positions and balances of both sides', async () => {
  await alice.native.placeNativeOrder(resting);
  const sold = await bob.native.placeNativeOrder({ ...market, quantity: '0.2' });
  expect(sold).toMatchObject({ status: 'FILLED', avg_price: '49000', executed_qty: '0.200' });
  expect(await alice.native.listNativeOrders({ status: 'PARTIALLY_FILLED' })).toMatchObject([
    { executed_qty: '0.200', orig_qty: '0.500' },
  ]);
  expect(await alice.native.listPositions()).toMatchObject([
    {
      symbol: 'BTCUSDT',
      position_amt: '0.200',
      entry_price: '49000',
      position_side: 'LONG',
      margin_type: 'cross',
    },
  ]);
  expect(await bob.native.listPositions({ symbol: 'BTCUSDT' })).toMatchObject([
    { position_amt: '-0.200', position_side: 'SHORT' },
  ]);
  expect(await bob.native.listPositions({ symbol: 'ETHUSDT' })).toEqual([]);
  // 0.2 × 49,000 × 0.05 % taker fee.
  expect(await bob.native.listBalances()).toMatchObject([{ balance: '99995.1' }]);
  const interest = await world.client().native.getOpenInterest({ symbol: 'BTC_USDT' });
  expect(interest).toMatchObject({
    symbol: 'BTCUSDT',
    long_oi: '0.200',
    short_oi: '0.200',
    cap_long_usd: '20000000',
    cap_short_usd: '20000000',
    time: world.clock.now(),
  });
  expect(Number(interest.long_oi_usd)).toBeGreaterThan(9000);
});

test('ORDER_NOT_OWNED, ORDER_NOT_FOUND, ORDER_NOT_CANCELLABLE (ID-2, ORD-2)', async () => {
  const { order_id: id } = await alice.native.placeNativeOrder(resting);
  const notOwned = { status: 403, code: 'ORDER_NOT_OWNED' };
  await expect(bob.native.getNativeOrder({ id })).rejects.toMatchObject(notOwned);
  await expect(bob.native.cancelNativeOrder({ id })).rejects.toMatchObject(notOwned);
  expect(await alice.native.cancelNativeOrder({ id })).toMatchObject({
    status: 'CANCELED',
    cancel_reason: 'USER',
  });
  const again = { status: 409, code: 'ORDER_NOT_CANCELLABLE' };
  await expect(alice.native.cancelNativeOrder({ id })).rejects.toMatchObject(again);
  expect(await alice.native.getNativeOrder({ id })).toMatchObject({ status: 'CANCELED' });
  await expect(bob.native.cancelNativeOrder({ id })).rejects.toMatchObject(notOwned);
  const never = { status: 404, code: 'ORDER_NOT_FOUND' };
  const far = `${id.slice(0, 19)}f${id.slice(20)}`;
  for (const unknown of [far, 'nobody', '3f2504e0-4f89-41d3-9a0c-0305e82c3301']) {
    await expect(alice.native.getNativeOrder({ id: unknown })).rejects.toMatchObject(never);
    await expect(alice.native.cancelNativeOrder({ id: unknown })).rejects.toMatchObject(never);
  }
  await expect(alice.native.getNativeOrder({ id: 'ä' })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_PARAMETER',
  });
});

test('ORD-3 max_slippage is refused before anything is frozen', async () => {
  await alice.native.placeNativeOrder(resting);
  const before = await bob.native.listBalances();
  const hash = world.stateHash();
  const tight = bob.native.placeNativeOrder({ ...market, max_slippage: '0.01' });
  await expect(tight).rejects.toMatchObject({ status: 422, code: 'SLIPPAGE_EXCEEDED' });
  expect(await bob.native.listBalances()).toEqual(before);
  expect(world.stateHash()).toBe(hash);
  for (const max_slippage of ['-0.1', '1.5', '1e9']) {
    const answer = bob.native.placeNativeOrder({ ...market, max_slippage });
    await expect(answer, max_slippage).rejects.toMatchObject({ code: 'INVALID_AMOUNT' });
  }
  const loose = await bob.native.placeNativeOrder({ ...market, max_slippage: '0.03' });
  expect(loose.status).toBe('FILLED');
});

test('ID-3 the same Idempotency-Key gives the same order, and another request a conflict', async () => {
  const key = { idempotencyKey: 'order 1' };
  const first = await alice.native.placeNativeOrder(resting, key);
  const second = await alice.native.placeNativeOrder(resting, key);
  expect(second.order_id).toBe(first.order_id);
  expect(await alice.native.listNativeOrders()).toHaveLength(1);
  const other = alice.native.placeNativeOrder({ ...resting, price: '48000' }, key);
  await expect(other).rejects.toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
});

test('AUTH-6 every refusal of an order has its native code and status', async () => {
  await bob.native.placeNativeOrder({ ...resting, side: 'SELL', price: '50500' });
  await alice.native.placeNativeOrder({ ...resting, client_order_id: 'taken' });
  const hash = world.stateHash();
  const cases = [
    [{ symbol: 'XYZUSDT' }, 400, 'INVALID_SYMBOL'],
    [{ price: undefined }, 400, 'PRICE_REQUIRED'],
    [{ side: 'buy' }, 400, 'INVALID_PARAMETER'],
    [{ type: 'STOP' }, 400, 'INVALID_PARAMETER'],
    [{ time_in_force: 'GTD' }, 400, 'INVALID_PARAMETER'],
    [{ max_slippage: '0.1' }, 400, 'INVALID_PARAMETER'],
    [{ client_order_id: 'a b' }, 400, 'INVALID_PARAMETER'],
    [{ quantity: '0.0001' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: '-1' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: '1', price: '1' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: '100' }, 400, 'INVALID_AMOUNT'],
    [{ price: '49000.05' }, 400, 'INVALID_AMOUNT'],
    [{ price: '0' }, 400, 'INVALID_AMOUNT'],
    [{ client_order_id: 'taken' }, 409, 'DUPLICATE_CLIENT_ORDER_ID'],
    [{ reduce_only: true }, 409, 'REDUCE_ONLY_REJECTED'],
    [{ time_in_force: 'GTX', price: '51000' }, 409, 'ORDER_WOULD_MATCH'],
    [{ symbol: 'ETHUSDT' }, 503, 'PRICE_DATA_UNAVAILABLE'],
  ] as const;
  for (const [change, status, code] of cases) {
    const answer = alice.native.placeNativeOrder({ ...resting, ...change } as typeof resting);
    await expect(answer, JSON.stringify(change)).rejects.toMatchObject({ status, code });
  }
  const gtxMarket = { ...market, time_in_force: 'GTX' } as const;
  await expect(alice.native.placeNativeOrder(gtxMarket)).rejects.toMatchObject({ status: 400 });
  expect(world.stateHash()).toBe(hash);
});

test('MAR-4 OI-1 MAR-11 SYM-1 margin, caps and closed markets in native codes', async () => {
  const { operator } = world.client({ operatorToken });
  const much = { ...resting, quantity: '20', price: '49000' };
  await alice.native.setNativeLeverage({ symbol: 'BTCUSDT', leverage: 1 });
  await expect(alice.native.placeNativeOrder(much)).rejects.toMatchObject({
    status: 422,
    code: 'INSUFFICIENT_BALANCE',
  });
  await operator.changeMarket({ symbol: 'BTCUSDT', oi_cap_usd: '1000' });
  await expect(alice.native.placeNativeOrder(resting)).rejects.toMatchObject({
    status: 422,
    code: 'OI_CAP_EXCEEDED',
    message: expect.stringMatching(/current=.*cap=.*requested_delta=/),
  });
  await operator.changeMarket({
    symbol: 'BTCUSDT',
    oi_cap_usd: '20000000',
    account_share_max: '0.00001',
  });
  await expect(alice.native.placeNativeOrder(resting)).rejects.toMatchObject({
    status: 422,
    code: 'POSITION_LIMIT',
    message: expect.stringMatching(/current=.*max=200, requested_delta=/),
  });
  await operator.changeMarket({
    symbol: 'BTCUSDT',
    account_share_max: '0.25',
    status: 'HALT',
  });
  await expect(alice.native.placeNativeOrder(resting)).rejects.toMatchObject({
    status: 503,
    code: 'CIRCUIT_OPEN',
  });
  await operator.changeMarket({ symbol: 'BTCUSDT', status: 'CLOSE' });
  await expect(alice.native.placeNativeOrder(resting)).rejects.toMatchObject({
    status: 503,
    code: 'CIRCUIT_OPEN',
  });
});

test('ORD-9 the two hundred and first open order on a market is LIMIT_REACHED', async () => {
  const { operator } = world.client({ operatorToken });
  for (let count = 0; count < 200; count += 1) {
    // Prices age: beyond thirty seconds nothing may be opened (PRC-2).
    if (count % 20 === 0) await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
    await alice.native.placeNativeOrder({ ...resting, quantity: '0.001' });
    world.clock.advance(1000);
  }
  const more = alice.native.placeNativeOrder({ ...resting, quantity: '0.001' });
  await expect(more).rejects.toMatchObject({ status: 400, code: 'LIMIT_REACHED' });
  expect(await alice.native.listNativeOrders()).toHaveLength(200);
});

test('MAR-5 native leverage is stored and shown, and refused outside the bounds of the market', async () => {
  const set = await alice.native.setNativeLeverage({ symbol: 'BTC/USD', leverage: '7' });
  expect(set).toEqual({ symbol: 'BTCUSDT', leverage: 7, max_notional_value: '20000000' });
  for (const leverage of [0, 51, -1, 1e15]) {
    const answer = alice.native.setNativeLeverage({ symbol: 'BTCUSDT', leverage });
    await expect(answer).rejects.toMatchObject({ status: 400, code: 'INVALID_LEVERAGE' });
  }
});

test('NAT-2 markets, and an unknown one is 404 INVALID_MARKET', async () => {
  const { native } = world.client();
  const [record] = await native.listNativeMarkets();
  expect(record).toMatchObject({
    symbol: 'BTCUSDT',
    contract_type: 'PERPETUAL',
    status: 'TRADING',
    base_asset: 'BTC',
    price_precision: 1,
    quantity_precision: 3,
    trigger_protect: '0.01',
  });
  expect(record?.filters[0]).toMatchObject({ filter_type: 'PRICE_FILTER', tick_size: '0.1' });
  await expect(native.getOpenInterest({ symbol: 'XYZ' })).rejects.toMatchObject({
    status: 404,
    code: 'INVALID_MARKET',
  });
});

test('MAR-4a an order without margin is -2019 on every route and leaves no row', async () => {
  await alice.native.placeNativeOrder({ ...resting, side: 'SELL', price: '50000' });
  const { client } = await world.login(3);
  const { api_key: apiKey, secret_key: secretKey } = await client.native.createApiKey();
  const { fapi } = world.client({ apiKey, secretKey });
  const before = world.stateHash();
  const buys = [
    { ...market, side: 'BUY' },
    { ...resting, price: '50000', time_in_force: 'IOC' },
    { ...resting, price: '50000', time_in_force: 'FOK' },
    { ...resting, price: '50000' },
  ] as const;
  for (const buy of buys) {
    const refused = { status: 422, code: 'INSUFFICIENT_BALANCE' };
    await expect(client.native.placeNativeOrder(buy)).rejects.toMatchObject(refused);
    const { time_in_force: timeInForce, ...rest } = { time_in_force: undefined, ...buy };
    const order = { ...rest, ...(timeInForce === undefined ? {} : { timeInForce }) } as never;
    const insufficient = { status: 400, code: -2019 };
    await expect(fapi.placeOrder(order)).rejects.toMatchObject(insufficient);
    await expect(fapi.testOrder(order)).rejects.toMatchObject(insufficient);
    const [item] = await fapi.placeBatchOrders({ batchOrders: [order] });
    expect(item).toEqual({ code: -2019, msg: 'Margin is insufficient.' });
  }
  expect(await fapi.getAllOrders({ symbol: 'BTCUSDT' })).toEqual([]);
  expect(world.stateHash()).toBe(before);
});
