// Native records are FAPI's under other names: goal, that both surfaces describe a record alike,
// member for member and in one order; method, both surfaces give the same records, and a slow
// renaming of what FAPI answered must give the native answer.

import { expect, test } from 'vitest';
import { nativeRecord, nativeText } from '../../src/api/native/nativeRecord.ts';
import { fapiText } from '../../src/api/recordText.ts';
import { termsMembers } from '../../src/api/termsRecord.ts';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { setPrice } from '../fixtures/setPrice.ts';
import type { Trader } from '../fixtures/twoTraders.ts';
import { alice, bob, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

/** Letter by letter, unlike the sources. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  const letters = (name: string): string =>
    [...name]
      .map((each) => (each >= 'A' && each <= 'Z' ? `_${each.toLowerCase()}` : each))
      .join('');
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [letters(name), renamed(member)]),
  );
}

/** The native record is FAPI's, with further members, if any, at its end. */
function expectSame(native: object, fapi: object, further: readonly string[] = []): void {
  const names = Object.keys(native);
  expect(names.slice(names.length - further.length)).toEqual(further);
  const common = Object.entries(native).slice(0, names.length - further.length);
  expect(JSON.stringify(Object.fromEntries(common))).toBe(JSON.stringify(renamed(fapi)));
}

const symbol = 'BTCUSDT';
const limit = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '49000' } as const;
const stop = { ...limit, type: 'STOP', price: '60000', stopPrice: '50500' } as const;
const trailing = {
  algoType: 'CONDITIONAL',
  symbol,
  side: 'SELL',
  type: 'TRAILING_STOP_MARKET',
  quantity: '0.01',
  callbackRate: '1',
} as const;

test('NAT-1 an order of every kind is one record with the names of each surface', async () => {
  const { operator } = world.client({ operatorToken: world.operatorToken });
  type Order = Parameters<Trader['fapi']['placeOrder']>[0];
  const place = async (order: Order) => (await alice.fapi.placeOrder(order)).orderId;
  await alice.fapi.setLeverage({ symbol, leverage: 1 });
  await bob.fapi.placeOrder({ ...limit, side: 'SELL', price: '50000', quantity: '0.05' });
  const ids: Record<string, string> = {
    partly: await place({ ...limit, price: '50000' }),
    resting: await place(limit),
    cut: await place({ ...limit, timeInForce: 'IOC' }),
    waiting: await place({ ...stop, stopPrice: '52000' }),
    fired: await place(stop),
    // Its margin is more than the account has.
    failed: await place({ ...stop, quantity: '3' }),
  };
  const { algoId } = await bob.fapi.placeAlgoOrder(trailing);
  await setPrice(operator, { symbol, price: '50600' });
  await setPrice(operator, { symbol, price: '50000' });
  ids.trailed = (await bob.fapi.getAlgoOrder({ algoId })).actualOrderId;
  const shown: string[] = [];
  for (const [kind, orderId] of Object.entries(ids)) {
    const trader = kind === 'trailed' ? bob : alice;
    const fapi = await trader.fapi.getOrder({ symbol, orderId });
    expectSame(await trader.native.getNativeOrder({ id: orderId }), fapi);
    const { status, origType, cancelReason, failure, priceRate } = fapi;
    const more = [cancelReason, failure && 'failure', priceRate].filter((each) => each);
    shown.push([kind, status, origType, ...more].join(' '));
  }
  expect(shown).toEqual([
    'partly PARTIALLY_FILLED LIMIT',
    'resting NEW LIMIT',
    'cut CANCELED LIMIT IOC',
    'waiting NEW STOP',
    'fired PARTIALLY_FILLED STOP',
    'failed REJECTED STOP failure',
    'trailed FILLED TRAILING_STOP_MARKET 1',
  ]);
});

test('NAT-1 positions, balances, fills and markets are one record each', async () => {
  await bob.fapi.placeOrder({ ...limit, side: 'SELL', price: '50000' });
  await alice.fapi.placeOrder({ ...limit, price: '50000', timeInForce: 'IOC' });
  const [position] = await alice.native.listPositions();
  const ofPosition = [
    'margin_mode',
    'collateral',
    'uncovered',
    'maintenance_margin_rate',
    'margin_ratio',
    'flagged',
  ];
  const [fapiPosition] = await alice.fapi.getPositionRiskV2();
  // Native members of another name, or at another place.
  const { maintMarginRatio, marginRatio, ...same } = fapiPosition!;
  expectSame(position!, same, [...ofPosition, 'adl_quantile']);
  expect(position).toMatchObject({
    maintenance_margin_rate: maintMarginRatio,
    margin_ratio: marginRatio,
  });
  const [balance] = await alice.native.listBalances();
  const ofBalance = ['margin_mode', 'equity', 'maint_margin', 'margin_ratio', 'uncovered'];
  const [fapiBalance] = await alice.fapi.getBalanceV2();
  expectSame(balance!, fapiBalance!, [...ofBalance, 'withdrawable', 'flagged']);
  const [fill] = await alice.native.listFills({ symbol });
  const [fapiFill] = await alice.fapi.getUserTrades({ symbol });
  expectSame(fill!, fapiFill!, ['kind']);
  const markets = await alice.native.listNativeMarkets();
  const { symbols } = await alice.fapi.getExchangeInfo();
  const terms = Object.keys(termsMembers);
  for (const [i, market] of markets.entries()) {
    expectSame(market, symbols[i]!, ['tick_size', 'lot_size', ...terms, 'restriction']);
  }
  // The operator reads the same terms.
  const [listed] = await world.client({ operatorToken }).operator.listOperatorMarkets();
  // A trader also reads the leverage of each bracket, which follows from its rate (MAR-10).
  const [market] = markets;
  const brackets = market!.brackets.map(({ max_leverage: _, ...bracket }) => bracket);
  const shown = Object.entries({ ...market, brackets }).filter(([name]) => terms.includes(name));
  expect(listed).toMatchObject(Object.fromEntries(shown));
});

test('NAT-1 text in a value is never a name, and white space between members does not matter', () => {
  const value = '{"orderId":\n"aB":1}';
  const record = (json: typeof nativeText): string => json`{
    "orderId":"${value}",
    "isMaker":${true}}`;
  expect(record(fapiText)).toBe(`{"orderId":"${value}","isMaker":true}`);
  expect(record(nativeText)).toBe(`{"order_id":"${value}","is_maker":true}`);
  expect(nativeRecord({ aB: 'aB', cD: [{ eF: null }, 'gH'], iJ: undefined })).toEqual({
    a_b: 'aB',
    c_d: [{ e_f: null }, 'gH'],
    i_j: undefined,
  });
});
