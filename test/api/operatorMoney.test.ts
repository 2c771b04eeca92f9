// The operator's hands on money and fees (OPS-1): the insurance fund, funding, the fee table.
// Withdrawals are in nativeWithdrawals.test.ts.

import { expect, test } from 'vitest';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const symbol = 'BTCUSDT';

test('OPS-1 the insurance fund is credited once per reference, which it shares with accounts', async () => {
  const credit = { amount: '5000.25', reference: 'seed of the fund' };
  expect(await operator().creditInsurance(credit)).toEqual(credit);
  expect(await operator().creditInsurance({ ...credit, amount: '5000.250' })).toEqual(credit);
  expect(await world.client().native.getInsuranceFund()).toMatchObject({ balance: '5000.25' });
  const conflict = { status: 409, code: 'CONFLICT' };
  const other = operator().creditInsurance({ ...credit, amount: '1' });
  await expect(other).rejects.toMatchObject(conflict);
  const account = operator().creditAccount({ ...credit, address: alice.address });
  await expect(account).rejects.toMatchObject(conflict);
  const taken = { amount: '100000', reference: 'start of 1' };
  await expect(operator().creditInsurance(taken)).rejects.toMatchObject(conflict);
  const { figures } = await operator().getInvariants();
  expect(figures).toMatchObject({ insurance: '5000.25', deposits: '205000.25', accounts: 2 });
});

test('OPS-1 a credit of the fund must be above zero, exact, and within the largest number', async () => {
  const hash = world.stateHash();
  for (const amount of ['0', '-5', '0.0000001', '1e40', '99999999999']) {
    const answer = operator().creditInsurance({ amount, reference: amount });
    await expect(answer, amount).rejects.toMatchObject({ status: 400, code: 'INVALID_AMOUNT' });
  }
  expect(world.stateHash()).toBe(hash);
});

test('OPS-1 FUND-2 funding is settled now, with the current time as its boundary', async () => {
  await operator().changeAccount({ address: bob.address, house: true });
  const order = { symbol, type: 'LIMIT', quantity: '0.2', price: '50000' } as const;
  await bob.native.placeNativeOrder({ ...order, side: 'SELL' });
  await alice.native.placeNativeOrder({ ...order, side: 'BUY' });
  const [before] = await alice.native.listBalances();
  world.clock.advance(1_800_000);
  await operator().setIndexPrice({ symbol, price: '50000' });
  const settled = await operator().settleFunding({ symbol: 'btc-usd' });
  const now = world.clock.now();
  expect(settled).toEqual({
    symbol,
    // 1 % for half an hour of eight.
    funding_rate: '0.000625',
    funding_time: now,
    mark_price: '50000.0',
  });
  const [after] = await alice.native.listBalances();
  // 0.0625 % of 10,000.
  expect(Number(before!.balance) - Number(after!.balance)).toBe(6.25);
  expect(await world.client().fapi.getFundingRate({ symbol })).toMatchObject([
    { symbol, fundingRate: '0.000625', fundingTime: now },
  ]);
});

test('OPS-1 PRC-2 funding needs a live market with prices of this deployment', async () => {
  await operator().changeMarket({ symbol, status: 'HALT' });
  await expect(operator().settleFunding({ symbol })).rejects.toMatchObject({
    status: 503,
    code: 'CIRCUIT_OPEN',
  });
  await operator().changeMarket({ symbol, status: 'TRADING' });
  world.clock.advance(5001);
  await expect(operator().settleFunding({ symbol })).rejects.toMatchObject({
    status: 503,
    code: 'PRICE_DATA_UNAVAILABLE',
  });
  const index_sources = [
    { source: 'manual', weight: 1 },
    { source: 'binance', weight: 1 },
  ];
  const present = [{ source: 'manual', weight: 1 }];
  await operator().changeMarket({ symbol, index_sources, expected_index_sources: present });
  await operator().setIndexPrice({ symbol, price: '50000' });
  await expect(operator().settleFunding({ symbol })).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: expect.stringContaining('binance'),
  });
  await expect(operator().settleFunding({ symbol: 'XYZ' })).rejects.toMatchObject({
    status: 404,
    code: 'INVALID_MARKET',
  });
});

const plain = { min_volume: '0', maker_discount: '0', taker_discount: '0' };

test('MAR-6 OPS-1 the fee table is replaced as a whole, and the tier of an account is raised', async () => {
  expect(await operator().getFeeTiers()).toEqual({ tiers: [plain] });
  const tiers = [
    plain,
    { min_volume: '1000000.5', maker_discount: '0.1', taker_discount: '0.05' },
    { min_volume: '5000000', maker_discount: '1', taker_discount: '0.25' },
  ];
  expect(await operator().setFeeTiers({ tiers })).toEqual({ tiers });
  expect(await operator().getFeeTiers()).toEqual({ tiers });
  const { address } = alice;
  const raised = await operator().changeAccount({ address, fee_tier: 2 });
  expect(raised).toEqual({ address, house: false, fee_tier: 2 });
  expect(await alice.native.getFeeInfo({ symbol })).toMatchObject({
    fee_tier: 2,
    rates: [{ maker_commission_rate: '0', taker_commission_rate: '0.000375' }],
  });
  const order = { symbol, type: 'LIMIT', quantity: '0.2', price: '50000' } as const;
  await bob.native.placeNativeOrder({ ...order, side: 'SELL' });
  await alice.native.placeNativeOrder({ ...order, side: 'BUY' });
  // 10,000 × 0.0375 %.
  expect(await alice.native.listBalances()).toMatchObject([{ balance: '99996.25' }]);
  await expect(operator().changeAccount({ address, fee_tier: 3 })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_PARAMETER',
    message: expect.stringContaining('there are tiers 0…2'),
  });
});

test('MAR-6 MAR-3 an invalid table is refused with the rule that it breaks', async () => {
  const hash = world.stateHash();
  const second = { min_volume: '1', maker_discount: '0.1', taker_discount: '0.1' };
  for (const [tiers, code] of [
    [[], 'INVALID_PARAMETER'],
    [[second], 'INVALID_PARAMETER'],
    [[plain, { ...second, min_volume: '0' }], 'INVALID_PARAMETER'],
    [[plain, { ...second, maker_discount: '1.1' }], 'INVALID_PARAMETER'],
    [[plain, { ...second, taker_discount: '-0.1' }], 'INVALID_PARAMETER'],
    [[plain, second, { ...second, min_volume: '2', maker_discount: '0' }], 'INVALID_PARAMETER'],
    [Array.from({ length: 33 }, (_, at) => ({ ...plain, min_volume: at })), 'INVALID_PARAMETER'],
    [[plain, 'tier'], 'INVALID_PARAMETER'],
    [[plain, { min_volume: '1' }], 'INVALID_PARAMETER'],
    [[plain, { ...second, min_volume: [] }], 'INVALID_PARAMETER'],
    [[plain, { ...second, min_volume: 'x' }], 'INVALID_PARAMETER'],
    [[plain, { ...second, min_volume: '0.0000001' }], 'INVALID_AMOUNT'],
    [[plain, { ...second, taker_discount: '0.000000001' }], 'INVALID_AMOUNT'],
  ] as const) {
    const answer = operator().setFeeTiers({ tiers });
    await expect(answer, JSON.stringify(tiers)).rejects.toMatchObject({ status: 400, code });
  }
  await expect(operator().setFeeTiers({} as never)).rejects.toMatchObject({ status: 400 });
  expect(world.stateHash()).toBe(hash);
  // A rebate that a discounted taker fee would no longer pay.
  await operator().changeMarket({ symbol, maker_fee: '-0.0005' });
  const broken = operator().setFeeTiers({ tiers: [plain, { ...second, maker_discount: '0.1' }] });
  await expect(broken).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('BTCUSDT'),
  });
});
