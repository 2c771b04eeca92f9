// OPS-7: an operator asks for a table of brackets that fits a fund, is shown how it was derived,
// and passes it on to the market.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMarkets } from '../../src/bin/markets.ts';
import { fundCredit } from '../../src/bin/prepareDemo.ts';
import { demoMarkets } from '../../src/feeds/demoMarkets.ts';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const symbol = 'BTCUSDT';

const brackets = [
  { up_to_usd: '1200000', rate: '0.01' },
  { up_to_usd: '3000000', rate: '0.02' },
  { up_to_usd: '4000000', rate: '0.025' },
  { up_to_usd: '8000000', rate: '0.05' },
  { up_to_usd: '20000000', rate: '0.1' },
];

async function run(
  args: readonly string[],
): Promise<{ code: number; out: string[]; err: string[] }> {
  const { operatorApp } = world;
  if (!operatorApp.server.listening) await operatorApp.listen({ host: '127.0.0.1', port: 0 });
  const { port } = operatorApp.server.address() as { readonly port: number };
  const out: string[] = [];
  const err: string[] = [];
  const environment = {
    EVERMARK_OPERATOR_TOKEN: operatorToken,
    EVERMARK_OPERATOR_URL: `http://127.0.0.1:${port}`,
  };
  const io = {
    print: (line: string) => out.push(line),
    complain: (line: string) => err.push(line),
    environment,
  };
  return { code: await runMarkets(args, io), out, err };
}

test('OPS-7 a table fits the fund and the gap, and each step says how it was derived', async () => {
  const before = world.stateHash();
  const table = await operator().getBracketTable({ symbol, fund: '1000000', gap: '0.05' });
  expect(table).toMatchObject({
    symbol,
    fund_usd: '1000000',
    gap_rate: '0.05',
    brackets,
    hole_usd: '218000',
  });
  expect(table.steps).toMatchObject([
    { leverage: 50, loss_usd: '52000' },
    { leverage: 25, loss_usd: '66000' },
    { leverage: 20, loss_usd: '33333.333334' },
    { leverage: 10, loss_usd: '66666.666667' },
    { leverage: 5, loss_usd: '0' },
  ]);
  expect(table.steps.map(({ text }) => text)).toEqual([
    'From 0 to 1200000 USDT the rate is 1 %: a gap of 5 % takes 4.333334 % more than two thirds of ' +
      'it, 52000 USDT. Its share of what is left is 62500 USDT and would reach to 1442307.692307 ' +
      'USDT; the bound is the next lower figure of the list.',
    'From 1200000 to 3000000 USDT the rate is 2 %: a gap of 5 % takes 3.666667 % more than two ' +
      'thirds of it, 66000 USDT. Its share of what is left is 66000 USDT and would reach to 3000000 ' +
      'USDT; the bound is the next lower figure of the list.',
    'From 3000000 to 4000000 USDT the rate is 2.5 %: a gap of 5 % takes 3.333334 % more than two ' +
      'thirds of it, 33333.333334 USDT. Its share of what is left is 66000 USDT and would reach to ' +
      '4980000 USDT; the bound is the next lower figure of the list.',
    'From 4000000 to 8000000 USDT the rate is 5 %: a gap of 5 % takes 1.666667 % more than two ' +
      'thirds of it, 66666.666667 USDT. Its share of what is left is 98666.666666 USDT and would ' +
      'reach to 9920000 USDT; the bound is the next lower figure of the list.',
    'From 8000000 to 20000000 USDT the rate is 10 %: a gap of 5 % takes no more than two thirds ' +
      'of it.',
  ]);
  const rich = await operator().getBracketTable({ symbol, fund: '10000000', gap: '0.05' });
  expect(rich.steps).toEqual([
    {
      leverage: 50,
      loss_usd: '866666.666667',
      text:
        'From 0 to 20000000 USDT the rate is 1 %: a gap of 5 % takes 4.333334 % more than two ' +
        'thirds of it, 866666.666667 USDT. 2500000 USDT are left for it: it reaches the cap.',
    },
  ]);
  expect(world.stateHash()).toBe(before);
});

test('OPS-7 the demo lists the tables of its fund', async () => {
  for (const record of demoMarkets('manual')) {
    const { symbol: listed, brackets: table, gap_rate } = record;
    if (listed === 'AVAXUSDT') await operator().listMarket(record as never);
    else await operator().changeMarket({ symbol: listed, brackets: table, gap_rate } as never);
    const asked = { symbol: listed, fund: fundCredit.amount, gap: gap_rate };
    expect(await operator().getBracketTable(asked)).toMatchObject({ brackets: table });
  }
  const shown = (await operator().listOperatorMarkets()).map(({ brackets: table }) => table.length);
  expect(shown).toEqual([5, 5, 6]);
});

test('OPS-7 what the command prints is a file for the command that changes the terms', async () => {
  const derived = await run(['brackets', 'btc-usd', '--fund', '1000000', '--gap', '0.05']);
  expect(derived.code).toBe(0);
  expect(derived.err).toHaveLength(6);
  expect(derived.err[0]).toMatch(/^1\. 50x\. From 0 to 1200000 USDT/);
  expect(derived.err[5]).toContain('at most 218000 of 1000000 USDT');
  expect(derived.err[5]).toContain('evermark markets change BTCUSDT --file FILE');
  using directory = createTemporaryDirectory();
  const file = join(directory.path, 'btc.json');
  writeFileSync(file, derived.out.join('\n'));
  expect((await run(['change', symbol, '--file', file])).code).toBe(0);
  const [changed, other] = await operator().listOperatorMarkets();
  expect(changed).toMatchObject({ symbol, brackets, gap_rate: '0.05' });
  expect(other).toMatchObject({ brackets: [{ up_to_usd: '20000000', rate: '0.01' }] });
});

test('OPS-7 an amount or a rate that is none, or out of range, is refused', async () => {
  const asked = { symbol, fund: '1000000', gap: '0.05' };
  for (const [fund, code] of [
    ['0', 'INVALID_AMOUNT'],
    ['-1', 'INVALID_AMOUNT'],
    ['1e6', 'INVALID_AMOUNT'],
    ['0.0000001', 'INVALID_AMOUNT'],
    ['99999999999', 'INVALID_AMOUNT'],
    ['much', 'INVALID_PARAMETER'],
  ] as const) {
    const refused = { status: 400, code };
    await expect(operator().getBracketTable({ ...asked, fund }), fund).rejects.toMatchObject(
      refused,
    );
  }
  for (const [gap, code] of [
    ['0', 'INVALID_AMOUNT'],
    ['1', 'INVALID_AMOUNT'],
    ['5', 'INVALID_AMOUNT'],
    ['-0.05', 'INVALID_AMOUNT'],
    ['0.000000001', 'INVALID_AMOUNT'],
    ['5 %', 'INVALID_PARAMETER'],
  ] as const) {
    const refused = { status: 400, code };
    await expect(operator().getBracketTable({ ...asked, gap }), gap).rejects.toMatchObject(refused);
  }
  const unknown = operator().getBracketTable({ ...asked, symbol: 'XYZUSDT' });
  await expect(unknown).rejects.toMatchObject({ code: 'INVALID_MARKET' });
  for (const left of ['fund', 'gap'] as const) {
    const { [left]: _, ...rest } = asked;
    const missing = operator().getBracketTable(rest as typeof asked);
    await expect(missing, left).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  }
});

test('OPS-7 a fund that is too small is refused, and so is a gap that no table bears', async () => {
  const small = await run(['brackets', symbol, '--fund', '3.46', '--gap', '0.05']);
  expect(small).toMatchObject({ code: 1, out: [] });
  expect(small.err[0]).toMatch(/^A fund of 3.46 USDT cannot bear a gap of 5 % in BTCUSDT: /);
  expect(small.err[0]).toContain(
    'set a max_leverage of 5 and a maintenance_margin_rate of one and a',
  );
  expect(small.err[0]).toContain('(409 CONFLICT)');
  const least = await operator().getBracketTable({ symbol, fund: '3.466667', gap: '0.05' });
  expect(least.brackets[0]).toEqual({ up_to_usd: '5', rate: '0.01' });
  const large = await run(['brackets', symbol, '--fund', '1000000', '--gap', '0.34']);
  expect(large).toMatchObject({ code: 1, out: [] });
  expect(large.err[0]).toContain('No table bears a gap of 34 %');
});

test('OPS-7 the command typed wrongly says how it is typed', async () => {
  for (const args of [
    ['brackets'],
    ['brackets', symbol],
    ['brackets', symbol, '--fund', '1000000'],
    ['brackets', symbol, '--gap', '0.05'],
    ['brackets', symbol, 'ETHUSDT', '--fund', '1000000', '--gap', '0.05'],
    ['brackets', symbol, '--fund', '1000000', '--gap', '0.05', '--file', 'x.json'],
    ['--fund', '1000000'],
    ['change', symbol, 'max_leverage=10', '--gap', '0.05'],
  ]) {
    const { code, err } = await run(args);
    expect(code, args.join(' ')).toBe(2);
    expect(err.at(-1)).toMatch(
      /^usage: evermark markets [\s\S]*brackets SYMBOL --fund USDT --gap RATE/,
    );
  }
});

test('MAR-10 leverageBracket lists the brackets, with cum by its formula, exactly', async () => {
  const odd = [
    { up_to_usd: '100000.000001', rate: '0.01' },
    { up_to_usd: '2500000', rate: '0.01333333' },
    { up_to_usd: '25000000', rate: '0.6' },
  ];
  await operator().changeMarket({ symbol, brackets: odd });
  expect(await alice.fapi.getLeverageBracket({ symbol })).toEqual([
    {
      symbol,
      brackets: [
        {
          bracket: 1,
          initialLeverage: 50,
          notionalCap: 100_000.000001,
          notionalFloor: 0,
          maintMarginRatio: 0.01,
          cum: 0,
        },
        {
          bracket: 2,
          initialLeverage: 37,
          notionalCap: 2_500_000,
          notionalFloor: 100_000.000001,
          maintMarginRatio: 0.01333333,
          // 100,000.000001 × 0.00333333
          cum: Number('333.33300000333333'),
        },
        {
          bracket: 3,
          initialLeverage: 1,
          // The cap on the open interest.
          notionalCap: 20_000_000,
          notionalFloor: 2_500_000,
          maintMarginRatio: 0.6,
          // and 2,500,000 × 0.58666667
          cum: Number('1467000.00800000333333'),
        },
      ],
    },
  ]);
  await operator().changeMarket({ symbol, oi_cap_usd: '2500000' });
  const [lower] = await alice.fapi.getLeverageBracket({ symbol });
  expect(lower!.brackets.map(({ notionalCap }) => notionalCap)).toEqual([
    100_000.000001, 2_500_000,
  ]);
});

test('MAR-10 a position shows its own maintenance rate, its margin and the ratio to the equity', async () => {
  const table = [
    { up_to_usd: '1000', rate: '0.01' },
    { up_to_usd: '20000000', rate: '0.05' },
  ];
  await operator().changeMarket({ symbol, brackets: table });
  const order = { symbol, type: 'LIMIT', quantity: '0.1', price: '50000' } as const;
  for (const [trader, side] of [
    [bob, 'SELL'],
    [alice, 'BUY'],
  ] as const) {
    await trader.native.setNativeLeverage({ symbol, leverage: 10 });
    await trader.native.placeNativeOrder({ ...order, side });
  }
  // 1000 of 5000 at 1 %, the rest at 5 %: 4.2 %; 210 of 99,997.5.
  const shown = { maintMarginRatio: '0.042', maintMargin: '210', marginRatio: '0.00210006' };
  expect(await alice.fapi.getPositionRiskV2({ symbol })).toMatchObject([shown]);
  expect(await alice.fapi.getPositionRiskV3({ symbol })).toMatchObject([shown]);
  expect(await alice.native.listPositions({ symbol })).toMatchObject([
    { maintenance_margin_rate: '0.042', maint_margin: '210', margin_ratio: '0.00210006' },
  ]);
  const [market] = await alice.native.listNativeMarkets();
  expect(market).toMatchObject({ maintenance_margin_rate: '0.01', brackets: table });
});
