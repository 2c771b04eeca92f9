// The operator's markets (OPS-1, OPS-2): listing with defaults, changing, what never changes, and
// prices by hand (PRC-2).

import { expect, test } from 'vitest';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { useExchange, world } from '../fixtures/useTraders.ts';

useExchange();

const btc = { symbol: 'BTCUSDT', base_asset: 'BTC', tick_size: '0.1', lot_size: '0.001' };
const operator = () => world.client({ operatorToken }).operator;

test('OPS-2 absent fields take the defaults, which follow from the leverage (MAR-8, PRC-1)', async () => {
  const record = await operator().listMarket({ ...btc, max_leverage: 50 });
  expect(record).toEqual({
    ...btc,
    max_leverage: 50,
    maintenance_margin_rate: '0.01',
    liquidation_fee_rate: '0.005',
    min_order_size_usd: '5',
    max_order_size_usd: '1000000',
    oi_cap_usd: '20000000',
    funding_factor: '0.01',
    max_funding_rate: '0.01',
    min_funding_rate: '-0.01',
    funding_interval_hours: 8,
    max_market_slippage: '0.05',
    mark_clamp: '0.0025',
    mark_band: '0.02',
    maker_fee: '0.0002',
    taker_fee: '0.0005',
    self_trade_prevention: 'EXPIRE_MAKER',
    index_sources: [{ source: 'manual', weight: 1 }],
    underlying_type: 'COIN',
    status: 'TRADING',
    delivery_time: null,
    brackets: [{ up_to_usd: '20000000', rate: '0.01' }],
    price_band: '0.05',
    account_share_max: '0.25',
    fund_fee_share: '0.2',
    fund_target_usd: '2000000',
    gap_rate: '0.05',
    shown_status: 'HALT',
    index_price: '0',
    mark_price: '0',
    restriction: 'halted',
    index_age: null,
    breaker_until: null,
    pending_raise: null,
    settled_time: null,
  });
  expect(await operator().listOperatorMarkets()).toEqual([record]);
});

test('OPS-2 a listing reads every field, and a refusal names the field as on the wire', async () => {
  const given = {
    ...btc,
    max_leverage: '25',
    maintenance_margin_rate: '0.015',
    maker_fee: '-0.0001',
    min_order_size_usd: '12.5',
    index_sources: [
      { source: 'manual', weight: 2 },
      { source: 'other', weight: '1' },
    ],
    status: 'CLOSE',
    delivery_time: 1_800_000_000_000,
    underlying_type: 'INDEX',
    self_trade_prevention: 'EXPIRE_BOTH',
  } as const;
  const confirmed = { ...given, expected_index_sources: [] };
  expect(await operator().listMarket(confirmed)).toMatchObject({
    ...given,
    max_leverage: 25,
    index_sources: [
      { source: 'manual', weight: 2 },
      { source: 'other', weight: 1 },
    ],
  });
  const eth = { ...btc, symbol: 'ETHUSDT', base_asset: 'ETH' };
  for (const [field, value] of [
    ['min_order_size_usd', '0'],
    ['maintenance_margin_rate', '0.2'],
    ['oi_cap_usd', '-1'],
    ['mark_clamp', '0.9'],
    ['index_sources', [{ source: 'a', weight: 0 }]],
    ['tick_size', '0.0000001'],
    ['max_leverage', 0],
  ] as const) {
    await expect(operator().listMarket({ ...eth, [field]: value }), field).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining(field),
    });
  }
  for (const [field, value] of [
    ['tick_size', '-0.1'],
    ['lot_size', '0'],
    ['maker_fee', '0.000000001'],
    ['oi_cap_usd', '0.0000001'],
    ['oi_cap_usd', '1e30'],
  ] as const) {
    await expect(operator().listMarket({ ...eth, [field]: value }), field).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_AMOUNT',
    });
  }
  for (const index_sources of [
    ['x'],
    [{ source: 'a' }],
    [{ weight: 1 }],
    [{ source: [], weight: 1 }],
  ]) {
    await expect(operator().listMarket({ ...eth, index_sources })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  }
});

test('OPS-2 an unknown member is refused by name, and a record is accepted as it was read', async () => {
  const misspelt = { oi_cap: '1000' };
  await expect(operator().listMarket({ ...btc, ...misspelt } as never)).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_PARAMETER',
    message: expect.stringContaining("'oi_cap'"),
  });
  const record = await operator().listMarket(btc);
  const changes = { symbol: 'BTCUSDT', max_leverage: 10, ...misspelt };
  await expect(operator().changeMarket(changes as never)).rejects.toMatchObject({ status: 400 });
  expect(await operator().changeMarket(record as never)).toEqual(record);
});

test('UNIT-1 OPS-2 a grid whose notional would be rounded is not listed, and a symbol only once', async () => {
  const fine = { ...btc, tick_size: '0.0001', lot_size: '0.001' };
  await expect(operator().listMarket(fine)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  await operator().listMarket({ ...btc, tick_size: '0.50', symbol: 'btc-usd' });
  expect((await operator().listOperatorMarkets())[0]).toMatchObject({
    symbol: 'BTCUSDT',
    tick_size: '0.5',
  });
  await expect(operator().listMarket(btc)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('OPS-2 base_asset, tick_size and lot_size never change (409); the other fields can', async () => {
  await operator().listMarket(btc);
  for (const change of [{ base_asset: 'ETH' }, { tick_size: '0.2' }, { lot_size: '1' }]) {
    await expect(
      operator().changeMarket({ symbol: 'BTCUSDT', ...change, max_leverage: 10 }),
    ).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  }
  const same = { base_asset: 'BTC', tick_size: '0.10', lot_size: '0.001' };
  const changed = await operator().changeMarket({
    symbol: 'btc_usd',
    ...same,
    max_leverage: 10,
    status: 'HALT',
    taker_fee: '0.001',
  });
  expect(changed).toMatchObject({ max_leverage: 10, status: 'HALT', taker_fee: '0.001' });
  expect(changed.tick_size).toBe('0.1');
  await expect(operator().changeMarket({ symbol: 'BTCUSDT' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
  });
  await expect(
    operator().changeMarket({ symbol: 'XYZUSDT', status: 'HALT' }),
  ).rejects.toMatchObject({ status: 404, code: 'INVALID_MARKET' });
});

test('PRC-2 an operator sets a price at once and withdraws it with null, not by omission', async () => {
  await operator().listMarket(btc);
  const priced = await operator().setIndexPrice({ symbol: 'BTC-USD', price: '50000.06' });
  expect(priced).toMatchObject({ index_price: '50000.1', shown_status: 'TRADING' });
  expect(await operator().setIndexPrice({ symbol: 'BTCUSDT', price: '50001' })).toMatchObject({
    index_price: '50001.0',
  });
  for (const price of ['0', '-1', '1e400', '0.01', '1e12']) {
    await expect(
      operator().setIndexPrice({ symbol: 'BTCUSDT', price }),
      price,
    ).rejects.toMatchObject({ status: 400 });
  }
  await expect(operator().setIndexPrice({ symbol: 'BTCUSDT' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
  });
  await expect(operator().setIndexPrice({ symbol: 'BTCUSDT', price: '' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
  });
  const withdrawn = await operator().setIndexPrice({ symbol: 'BTCUSDT', price: null });
  expect(withdrawn.index_price).toBe('50001.0');
});

test('PRC-2 a market without the source manual accepts no operator price', async () => {
  await operator().listMarket({ ...btc, index_sources: [{ source: 'sim', weight: 1 }] });
  await expect(
    operator().setIndexPrice({ symbol: 'BTCUSDT', price: '1000' }),
  ).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('SYM-2 a delivery is scheduled with CLOSE for a future whole minute; then the market ends', async () => {
  await operator().listMarket(btc);
  const symbol = 'BTCUSDT';
  await operator().setIndexPrice({ symbol, price: '50000' });
  const delivery_time = (Math.floor(world.clock.now() / 60_000) + 2) * 60_000;
  const closing = { symbol, status: 'CLOSE' } as const;
  for (const time of [delivery_time + 1, delivery_time - 180_000]) {
    await expect(
      operator().changeMarket({ ...closing, delivery_time: time }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('delivery_time'),
    });
  }
  expect(await operator().changeMarket({ ...closing, delivery_time })).toMatchObject({
    status: 'CLOSE',
    delivery_time,
    settled_time: null,
  });
  // While it is in the future it can be withdrawn.
  await operator().changeMarket({ symbol, status: 'TRADING' });
  await operator().changeMarket({ ...closing, delivery_time });
  world.clock.advance(delivery_time - world.clock.now());
  const settled = await operator().setIndexPrice({ symbol, price: '50500' });
  expect(settled).toMatchObject({ shown_status: 'CLOSE', settled_time: delivery_time });
  await expect(operator().changeMarket({ symbol, status: 'TRADING' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('settled'),
  });
});

test('OPS-2 a raised maintenance rate is shown as pending until its day', async () => {
  await operator().listMarket({ ...btc, max_leverage: 10 });
  const symbol = 'BTCUSDT';
  await operator().setIndexPrice({ symbol, price: '50000' });
  const traders = await Promise.all([world.login(1), world.login(2)]);
  for (const [at, { address, client }] of traders.entries()) {
    await operator().creditAccount({ address, amount: '10000', reference: `trader ${at}` });
    const side = at === 0 ? 'BUY' : 'SELL';
    const order = { symbol, side, type: 'LIMIT', quantity: '0.1', price: '50000' } as const;
    await client.native.placeNativeOrder(order);
  }
  const before = '0.05';
  const maintenance_margin_rate = '0.06';
  const time = world.clock.now() + 86_400_000;
  const raised = await operator().changeMarket({ symbol, maintenance_margin_rate });
  expect(raised).toMatchObject({
    maintenance_margin_rate: before,
    pending_raise: { maintenance_margin_rate, time },
  });
  world.clock.advance(86_400_000);
  expect(await operator().setIndexPrice({ symbol, price: '50000' })).toMatchObject({
    maintenance_margin_rate,
    pending_raise: null,
  });
});

test('PRC-2 the record states the age of the index and what it forbids', async () => {
  await operator().listMarket(btc);
  const symbol = 'BTCUSDT';
  const priced = await operator().setIndexPrice({ symbol, price: '50000' });
  expect(priced).toMatchObject({ restriction: 'none', index_age: 0, breaker_until: null });
  world.clock.advance(40_000);
  const [record] = await operator().listOperatorMarkets();
  expect(record).toMatchObject({ restriction: 'stale', index_age: 40_000, shown_status: 'CLOSE' });
});
