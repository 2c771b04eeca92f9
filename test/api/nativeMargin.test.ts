// Margin modes, collateral, and the fields of native positions and balances about liquidation
// and deleveraging (MAR-7, MAR-8, LIQ-7, NAT-1, NAT-2).

import { expect, test } from 'vitest';
import { setPrice } from '../fixtures/setPrice.ts';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const symbol = 'BTCUSDT';

/** The source states its price a moment later than before. */
async function statePrice(price: string): Promise<void> {
  world.clock.advance(250);
  await setPrice(operator(), { symbol, price });
}

/** Alice long and bob short 0.1 BTC from 50,000, at alice's leverage. */
async function openPositions(leverage: number): Promise<void> {
  await alice.native.setNativeLeverage({ symbol, leverage });
  const order = { symbol, type: 'LIMIT', quantity: '0.1', price: '50000' } as const;
  await bob.native.placeNativeOrder({ ...order, side: 'SELL' });
  await alice.native.placeNativeOrder({ ...order, side: 'BUY' });
}

test('MAR-7 the margin mode is set and shown; a request for the current mode changes nothing', async () => {
  expect(await alice.native.listBalances()).toMatchObject([{ margin_mode: 'cross' }]);
  expect(await alice.native.setMarginMode({ mode: 'unified' })).toEqual({ mode: 'unified' });
  expect(await alice.native.setMarginMode({ mode: 'isolated' })).toEqual({ mode: 'isolated' });
  await openPositions(10);
  expect(await alice.native.setMarginMode({ mode: 'isolated' })).toEqual({ mode: 'isolated' });
  await expect(alice.native.setMarginMode({ mode: 'cross' })).rejects.toMatchObject({
    status: 409,
    code: 'HAS_OPEN_POSITIONS',
  });
  expect(await alice.native.listBalances()).toMatchObject([{ margin_mode: 'isolated' }]);
  // FAPI takes CROSSED in any mode and changes nothing.
  await alice.fapi.setMarginType({ symbol, marginType: 'CROSSED' });
  expect(await alice.native.listPositions()).toMatchObject([{ margin_mode: 'isolated' }]);
});

test('MAR-7 collateral of an isolated position is added and removed, never too much', async () => {
  await alice.native.setMarginMode({ mode: 'isolated' });
  await openPositions(10);
  const [before] = await alice.native.listPositions();
  expect(before).toMatchObject({ collateral: '500', margin_ratio: '0.1', flagged: false });
  const added = await alice.native.transferCollateral({ symbol: 'btc-usd', delta: '100.5' });
  const available = 100_000 - 500 - 2.5 - 100.5;
  expect(added).toEqual({
    symbol,
    delta: '100.5',
    collateral: '600.5',
    available_balance: String(available),
  });
  const [after] = await alice.native.listPositions();
  expect(after).toMatchObject({ collateral: '600.5', margin_ratio: '0.08326395' });
  expect(Number(after!.liquidation_price)).toBeLessThan(Number(before!.liquidation_price));
  // What 5,000 USDT of notional need at a leverage of 10 stays.
  const more = alice.native.transferCollateral({ symbol, delta: '-100.500001' });
  await expect(more).rejects.toMatchObject({
    status: 422,
    code: 'INSUFFICIENT_BALANCE',
    message: expect.stringContaining('The balance is insufficient: at most 100.5.'),
  });
  const taken = await alice.native.transferCollateral({ symbol, delta: '-100.5' });
  expect(taken).toMatchObject({ delta: '-100.5', collateral: '500' });
});

test('MAR-7 each invalid transfer of collateral has its code and changes nothing', async () => {
  await openPositions(10);
  const hash = world.stateHash();
  for (const [parameters, status, code] of [
    [{ symbol: 'XYZUSDT', delta: '1' }, 400, 'INVALID_SYMBOL'],
    [{ symbol, delta: '0' }, 400, 'INVALID_AMOUNT'],
    [{ symbol, delta: '0.0000001' }, 400, 'INVALID_AMOUNT'],
    [{ symbol, delta: '1e30' }, 400, 'INVALID_AMOUNT'],
    [{ symbol, delta: 'x' }, 400, 'INVALID_PARAMETER'],
    [{ symbol, delta: '' }, 400, 'INVALID_PARAMETER'],
    [{ symbol, delta: '1' }, 409, 'INVALID_MARGIN_MODE'],
  ] as const) {
    const answer = alice.native.transferCollateral(parameters);
    await expect(answer, JSON.stringify(parameters)).rejects.toMatchObject({ status, code });
  }
  expect(world.stateHash()).toBe(hash);
  const carol = (await world.login(3)).client.native;
  await carol.setMarginMode({ mode: 'isolated' });
  await expect(carol.transferCollateral({ symbol, delta: '1' })).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
});

test('NAT-1 MAR-8 balances and positions show the liquidation price and the withdrawable amount', async () => {
  await openPositions(20);
  await statePrice('49000');
  const [balance] = await alice.native.listBalances();
  // 5,000 at 0.05 % taker fee; 100 lost at the mark; 1 % maintenance of 4,900.
  expect(balance).toMatchObject({
    balance: '99997.5',
    // Of the equity the position needs 250 x 49000 / 50000 (MAR-9).
    available_balance: '99652.5',
    max_withdraw_amount: '99652.5',
    margin_mode: 'cross',
    equity: '99897.5',
    maint_margin: '49',
    margin_ratio: '0.00049051',
    uncovered: '0',
    // A tenth of the notional stays.
    withdrawable: '99407.5',
    flagged: false,
  });
  expect(await alice.native.listPositions()).toMatchObject([
    {
      symbol,
      position_amt: '0.100',
      maint_margin: '49',
      collateral: '250',
      uncovered: '0',
      margin_mode: 'cross',
      margin_ratio: '0.00049051',
      liquidation_price: '0',
      flagged: false,
      adl_quantile: expect.any(Number),
    },
  ]);
  expect(await bob.native.listPositions()).toMatchObject([{ adl_quantile: 4 }]);
});

test('LIQ-1 NAT-1 an account in liquidation is flagged and may open nothing', async () => {
  await alice.native.setMarginMode({ mode: 'isolated' });
  await openPositions(50);
  // 100 of collateral, 56 lost, 49.44 of maintenance: below it, but not deep.
  await statePrice('49440');
  expect(await alice.native.listPositions()).toMatchObject([
    { position_amt: '0.100', flagged: true, margin_ratio: '1.12363637' },
  ]);
  const more = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '49000' } as const;
  await expect(alice.native.placeNativeOrder(more)).rejects.toMatchObject({
    status: 422,
    code: 'INSUFFICIENT_BALANCE',
  });
});

test('NAT-2 LIQ-4 the public log of deleveraging shows each rank and no account', async () => {
  const { native } = world.client();
  expect(await native.listDeleveragings()).toEqual([]);
  await alice.native.setMarginMode({ mode: 'isolated' });
  await openPositions(50);
  await statePrice('49000');
  expect(await alice.native.listPositions()).toEqual([]);
  const time = world.clock.now();
  const row = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    symbol,
    cause: 'deleveraging',
    side: 'SELL',
    price: '49000.0',
    mark_price: '49000.0',
    quantity: '0.100',
    rank: {
      unrealized_profit: '100',
      notional: '4900',
      entry_notional: '5000',
      equity: expect.stringMatching(/^100099$/),
    },
    time,
  };
  expect(await native.listDeleveragings()).toEqual([row]);
  expect(await native.listDeleveragings({ symbol: 'BTC/USD', limit: 5 })).toEqual([row]);
  expect(await native.listDeleveragings({ symbol: 'ETHUSDT' })).toEqual([]);
  expect(await native.listDeleveragings({ start_time: time + 1 })).toEqual([]);
  expect(await native.listDeleveragings({ end_time: time })).toEqual([row]);
  await expect(native.listDeleveragings({ limit: 0 })).rejects.toMatchObject({ status: 400 });
  await expect(native.listDeleveragings({ symbol: 'XYZ' })).rejects.toMatchObject({
    status: 404,
    code: 'INVALID_MARKET',
  });
});

test('NAT-2 LIQ-3 the insurance fund shows what it has and what it has taken over', async () => {
  const { native } = world.client();
  expect(await native.getInsuranceFund()).toEqual({
    balance: '0',
    equity: '0',
    notional: '0',
    shortfall: '0',
    positions: [],
    time: world.clock.now(),
  });
  await operator().creditInsurance({ amount: '100000', reference: 'seed' });
  await alice.native.setMarginMode({ mode: 'isolated' });
  await openPositions(50);
  // 30 are left of 100, below two thirds of the maintenance: the fund takes over at 49,000.
  await statePrice('49300');
  expect(await native.getInsuranceFund()).toMatchObject({
    balance: '100000',
    equity: '100030',
    notional: '4930',
    shortfall: '0',
    positions: [
      {
        symbol,
        position_amt: '0.100',
        entry_price: '49000',
        mark_price: '49300.0',
        un_realized_profit: '30',
        notional: '4930',
      },
    ],
  });
});
