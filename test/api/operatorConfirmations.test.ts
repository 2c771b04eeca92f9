// What the operator must confirm (OPS-4): prices far away, prices and terms that liquidate accounts
// at once, sources that the deployment does not have or that would be the index alone.

import { expect, test } from 'vitest';
import { runMarkets } from '../../src/bin/markets.ts';
import type { VerbIo } from '../../src/bin/operatorVerb.ts';
import { runPrice } from '../../src/bin/price.ts';
import type { ApiError } from '../../src/client/apiError.ts';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const symbol = 'BTCUSDT';
const manual = [{ source: 'manual', weight: 1 }];

/** Refused with these words, and nothing is another than before. */
async function mustConfirm(asked: Promise<unknown>, ...words: readonly string[]): Promise<void> {
  const before = world.stateHash();
  const refused = await asked.then(
    () => undefined,
    (error: ApiError) => error,
  );
  expect(refused).toMatchObject({ status: 409, code: 'CONFIRMATION_REQUIRED' });
  for (const word of words) expect(refused?.detail).toContain(word);
  expect(world.stateHash()).toBe(before);
}

const indexNow = async (): Promise<string> =>
  (await operator().listOperatorMarkets())[0]!.index_price;

async function openLong(leverage: number, quantity = '0.1'): Promise<void> {
  await alice.native.setNativeLeverage({ symbol, leverage });
  const order = { symbol, type: 'LIMIT', quantity, price: '50000' } as const;
  await bob.native.placeNativeOrder({ ...order, side: 'SELL' });
  await alice.native.placeNativeOrder({ ...order, side: 'BUY' });
}

test('OPS-4 a price further than 5 % from the current index must be confirmed', async () => {
  const set = (price: string, expected?: string) =>
    operator().setIndexPrice({
      symbol,
      price,
      ...(expected === undefined ? {} : { expected_index: expected }),
    });
  await mustConfirm(set('5000'), '5000.0 is 90 % below', 'expected_index=50000');
  await mustConfirm(set('52500.1'), 'above the present index');
  await mustConfirm(set('47499.9'), 'below');
  // Exactly 5 % is near.
  expect(await set('52500')).toMatchObject({ index_price: '52500.0' });
  // An earlier confirmation, or one of another market, is not accepted.
  await mustConfirm(set('5000', '50000'), 'is 52500, not 50000');
  await mustConfirm(set('5000', '1'), 'is 52500, not 1.0');
  expect(await set('5000', '52500')).toMatchObject({ index_price: '5000.0' });
  expect(await indexNow()).toBe('5000.0');
});

test('OPS-4 of two simultaneous prices the second is measured from the first', async () => {
  const asked = ['52000', '54900'].map((price) => operator().setIndexPrice({ symbol, price }));
  const [first, second] = await Promise.allSettled(asked);
  expect(first?.status).toBe('fulfilled');
  expect(second).toMatchObject({ reason: { code: 'CONFIRMATION_REQUIRED' } });
});

test('OPS-4 a near price that liquidates accounts reports how many and how much', async () => {
  await alice.native.setMarginMode({ mode: 'isolated' });
  await openLong(50);
  const set = (more: object) => operator().setIndexPrice({ symbol, price: '49000', ...more });
  await mustConfirm(set({}), 'would liquidate 1 account at once: 1 position of 4900 USDT');
  world.clock.advance(250);
  expect(await operator().setIndexPrice({ symbol, price: '49900' })).toBeDefined();
  world.clock.advance(250);
  await set({ expected_index: '49900' });
  const [position] = await alice.native.listPositions();
  expect(position?.flagged ?? true).toBe(true);
});

test('OPS-4 the withdrawal of a price is measured by the prices of the other sources', async () => {
  // No other source has a price, so nothing happens at once.
  expect(await operator().setIndexPrice({ symbol, price: null })).toMatchObject({ symbol });
});

test('OPS-4 a narrower mark clamp that liquidates an account must be confirmed', async () => {
  await operator().changeMarket({
    symbol,
    max_leverage: 100,
    maintenance_margin_rate: '0.005',
    liquidation_fee_rate: '0.001',
    mark_clamp: '0.004',
  });
  await alice.native.setMarginMode({ mode: 'isolated' });
  await openLong(100);
  // The book lifts the mark above the index, and the long lives on that.
  const rest = { symbol, type: 'LIMIT', quantity: '0.1' } as const;
  await bob.native.placeNativeOrder({ ...rest, side: 'BUY', price: '50190' });
  await bob.native.placeNativeOrder({ ...rest, side: 'SELL', price: '50200' });
  for (let step = 0; step < 400; step += 1) {
    world.clock.advance(1000);
    await operator().setIndexPrice({ symbol, price: '50000' });
  }
  const price = '49700';
  world.clock.advance(250);
  await operator().setIndexPrice({ symbol, price });
  const [position] = await alice.native.listPositions();
  expect(position).toMatchObject({ flagged: false });
  const narrow = { symbol, mark_clamp: '0' };
  await mustConfirm(
    operator().changeMarket(narrow),
    'would liquidate 1 account at once',
    'expected_mark_clamp=0.004',
  );
  await mustConfirm(operator().changeMarket({ ...narrow, expected_mark_clamp: '0.1' }), 'is 0.004');
  // What harms no account needs no confirmation.
  await operator().changeMarket({ symbol, taker_fee: '0.0006', expected_mark_clamp: '0.004' });
  const confirmed = { ...narrow, expected_mark_clamp: '0.004' };
  expect(await operator().changeMarket(confirmed)).toMatchObject({ mark_clamp: '0' });
});

test('OPS-4 the end of a halt that liquidates an account must be confirmed', async () => {
  await alice.native.setMarginMode({ mode: 'isolated' });
  await openLong(50);
  await operator().changeMarket({ symbol, status: 'HALT' });
  world.clock.advance(250);
  // While the market is halted, the price harms no account yet.
  await operator().setIndexPrice({ symbol, price: '48000' });
  const open = { symbol, status: 'TRADING' } as const;
  await mustConfirm(
    operator().changeMarket(open),
    'would liquidate 1 account at once',
    'expected_status=HALT',
  );
  await mustConfirm(operator().changeMarket({ ...open, expected_status: 'CLOSE' }), 'is HALT now');
  const opened = await operator().changeMarket({ ...open, expected_status: 'HALT' });
  expect(opened).toMatchObject({ status: 'TRADING' });
});

test('OPS-4 of two simultaneous changes the second is refused when the first changed its basis', async () => {
  const index_sources = [...manual, { source: 'sim', weight: 1 }];
  const [first, second, third] = await Promise.allSettled([
    operator().changeMarket({ symbol, mark_clamp: '0.004' }),
    operator().changeMarket({ symbol, index_sources }),
    operator().changeMarket({ symbol, index_sources, expected_mark_clamp: '0.005' }),
  ]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { mark_clamp: '0.004' } });
  expect(second).toMatchObject({ reason: { status: 409, code: 'CONFLICT' } });
  // Judged again by the current state.
  expect(third).toMatchObject({ reason: { status: 409, code: 'CONFIRMATION_REQUIRED' } });
  expect((await operator().listOperatorMarkets())[0]).toMatchObject({
    mark_clamp: '0.004',
    index_sources: manual,
  });
  expect(await operator().changeMarket({ symbol, index_sources })).toMatchObject({ index_sources });
});

test('OPS-4 a source that the deployment does not have must be confirmed', async () => {
  const index_sources = [
    ...manual,
    { source: 'nowhere', weight: 1 },
    { source: 'other', weight: 1 },
  ];
  const change = { symbol, index_sources };
  await mustConfirm(
    operator().changeMarket(change),
    'no source "nowhere" for BTCUSDT; it has manual',
  );
  const other = [{ source: 'sim', weight: 1 }];
  await mustConfirm(operator().changeMarket({ ...change, expected_index_sources: other }), 'now');
  const confirmed = { ...change, expected_index_sources: manual };
  expect(await operator().changeMarket(confirmed)).toMatchObject({ index_sources });

  const listing = { symbol: 'SOLUSDT', base_asset: 'SOL', tick_size: '0.01', lot_size: '0.1' };
  const listed = { ...listing, index_sources };
  await mustConfirm(operator().listMarket(listed), '"nowhere"', 'expected_index_sources=[]');
  await mustConfirm(
    operator().listMarket({ ...listed, expected_index_sources: manual }),
    'nowhere',
  );
  expect(await operator().listMarket({ ...listed, expected_index_sources: [] })).toMatchObject({
    index_sources,
  });
});

test('OPS-4 a source with half of the weight or more must be confirmed', async () => {
  const heavy = [
    { source: 'manual', weight: 5 },
    { source: 'other', weight: 1 },
  ];
  await mustConfirm(
    operator().changeMarket({ symbol, index_sources: heavy }),
    '"manual" has 5 of 6 parts of the weight',
  );
  // Where a testnet has nothing but its own prices, there is nothing to weigh them with.
  const own = [
    { source: 'manual', weight: 5 },
    { source: 'sim', weight: 1 },
  ];
  expect(await operator().changeMarket({ symbol, index_sources: own })).toMatchObject({
    index_sources: own,
  });
});

type Ran = { readonly code: number; readonly out: string[]; readonly err: string[] };

async function run(
  verb: (args: readonly string[], io: VerbIo) => Promise<number>,
  args: readonly string[],
  confirm?: VerbIo['confirm'],
): Promise<Ran> {
  const { server } = world.operatorApp;
  if (!server.listening) await world.operatorApp.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.address() as { readonly port: number };
  const out: string[] = [];
  const err: string[] = [];
  const code = await verb(args, {
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
    confirm,
    environment: {
      EVERMARK_OPERATOR_TOKEN: operatorToken,
      EVERMARK_OPERATOR_URL: `http://127.0.0.1:${port}`,
    },
  });
  return { code, out, err };
}

test('OPS-4 the command line asks at a terminal, and elsewhere prints how to confirm', async () => {
  const typed = ['BTCUSDT', '5000'];
  const refused = await run(runPrice, typed);
  expect(refused).toMatchObject({ code: 1, out: [] });
  // First the defects; their code comes last.
  expect(refused.err.join('\n')).toMatch(
    /^The price 5000\.0 is 90 % below .* repeat it with --expect 50000 \(409 CONFIRMATION_REQUIRED\)$/,
  );
  const asked: string[] = [];
  const answer = (yes: boolean) => async (question: string) => {
    asked.push(question);
    return yes;
  };
  expect(await run(runPrice, typed, answer(false))).toMatchObject({ code: 1, out: [] });
  expect(await indexNow()).toBe('50000.0');
  expect(asked).toHaveLength(1);
  expect(await run(runPrice, typed, answer(true))).toMatchObject({ code: 0 });
  expect(await indexNow()).toBe('5000.0');
  expect(await run(runPrice, ['BTCUSDT', '50000', '--expect', '5000'])).toMatchObject({ code: 0 });
  const change = ['change', 'BTCUSDT', 'index_sources=[{"source":"nowhere","weight":1}]'];
  const sure = 'expected_index_sources=[{"source":"manual","weight":1}]';
  // In quotes, so that a shell leaves those of the JSON alone.
  const unsure = await run(runMarkets, change);
  expect(unsure).toMatchObject({ code: 1 });
  expect(unsure.err.join('\n')).toContain(`repeat it with '${sure}' (409`);
  expect(await run(runMarkets, [...change, sure])).toMatchObject({ code: 0 });
});

test('OPS-1 an amount or a price with an exponent is refused', async () => {
  const credit = { address: alice.address, amount: '1e3', reference: 'thousand' };
  await expect(operator().creditAccount(credit)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' });
  const fund = { amount: '1e3', reference: 'thousand' };
  await expect(operator().creditInsurance(fund)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' });
  await expect(operator().setIndexPrice({ symbol, price: '5e4' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
  });
});

test('OPS-2 a market that names no source takes one that prices it', async () => {
  const listing = { symbol: 'SOLUSDT', base_asset: 'SOL', tick_size: '0.01', lot_size: '0.1' };
  expect(await operator().listMarket(listing)).toMatchObject({ index_sources: manual });
  const priced = await operator().setIndexPrice({ symbol: 'SOLUSDT', price: '180' });
  expect(priced).toMatchObject({ index_price: '180.00' });
});
