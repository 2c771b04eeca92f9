// Goal: whether an account has what it owes of funding (FUND-1d) is decided to the unit, although a
// bound in floating point answers first. Method: random sums, shares and positions up to the
// largest that can be; the answer is compared with the exact sum, at the sum itself and beside it.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import {
  accrueFunding,
  coversOwed,
  coversOwedApart,
  intervalMs,
  owedApart,
  owedFunding,
  owedIn,
} from '../../src/engine/clearing/accrueFunding.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { Market } from '../../src/engine/market.ts';
import { createPosition, type Position } from '../../src/engine/position.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, Lots, MarketId, Money, Ticks, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { defaultTerms } from '../scenarios/world.ts';

const account = 1 as AccountId;
const markets = 4;
const hour = 3_600_000;
const start = 1_760_000_400_000;

function createWorld(): Exchange {
  const exchange = createExchange(43113);
  beginBatch(exchange, start as Time);
  const credit = { amount: 1_000_000_000 as Money, reference: 'first' };
  const address = `0x${'a'.repeat(40)}`;
  const commands = Array.from({ length: markets }, (_, index) => ({
    kind: 'listMarket' as const,
    symbol: `A${index}USDT`,
    baseAsset: `A${index}`,
    tick: { decimals: 2, step: 1 },
    lot: { decimals: 2, step: 1 },
    terms: defaultTerms,
    status: 'TRADING' as const,
  }));
  for (const command of [...commands, { kind: 'credit' as const, address, ...credit }]) {
    expect(applyCommand(exchange, command, 0 as Time)).toMatchObject({ kind: 'accepted' });
  }
  return exchange;
}

/** A signed number of any size up to the largest, 0 now and then. */
function drawSize(prng: Prng, digits: number): number {
  if (prng.below(5) === 0) return 0;
  const size = Math.floor(10 ** (prng.unit() * digits));
  return prng.below(2) === 0 ? size : -size;
}

function drawState(prng: Prng, { accounts, markets: all }: Exchange): void {
  const { positions } = accounts[account]!;
  for (const market of all) {
    const { id, figures, dues, prices, shares } = market;
    prices.mark = (1 + Math.floor(10 ** (prng.unit() * 6))) as Ticks;
    figures.fundingSum = drawSize(prng, 14);
    dues.fundingMs = hour * (1 + prng.below(24));
    shares.clear();
    positions[id] = undefined;
    if (prng.below(6) === 0) continue;
    const position = createPosition(account, id as MarketId);
    position.lots = drawSize(prng, 8) as Lots;
    positions[id] = position;
    if (prng.below(3) === 0) continue;
    const accrued = BigInt(drawSize(prng, 14)) * BigInt(drawSize(prng, 7));
    const due = prng.below(2) === 0 ? 0n : BigInt(drawSize(prng, 14)) * BigInt(drawSize(prng, 7));
    shares.set(account, { account, accrued, sum: drawSize(prng, 14), due, epoch: 0 });
  }
}

/** By fractions: of the interval so far, and of the boundary that is due; what it is owed is 0. */
function naiveOwed(market: Market, lots: number): bigint {
  const { figures, prices, grain, dues, shares } = market;
  const share = shares.get(account) ?? { accrued: 0n, sum: 0, due: 0n };
  const accrued = share.accrued + BigInt(lots) * BigInt(figures.fundingSum - share.sum);
  return [
    { amount: accrued, ms: intervalMs(market) },
    { amount: share.due, ms: dues.fundingMs },
  ].reduce((owed, { amount, ms }) => {
    const divisor = 100_000_000n * BigInt(ms);
    const product = amount * BigInt(prices.mark) * BigInt(grain);
    return owed + (product <= 0n ? 0n : (product + divisor - 1n) / divisor);
  }, 0n);
}

test('FUND-1c what an account owes is rounded up once for each part; an isolated position leaves its own and that of markets without lots', () => {
  const exchange = createWorld();
  const prng = createPrng(8);
  const { positions } = exchange.accounts[account]!;
  for (let round = 0; round < 1000; round += 1) {
    drawState(prng, exchange);
    const own = (position: Position): bigint =>
      naiveOwed(exchange.markets[position.market]!, position.lots);
    const there = positions.filter((position) => position !== undefined);
    for (const position of there) {
      const market = exchange.markets[position.market]!;
      expectSame(BigInt(owedIn(exchange, market, account, position.lots)), own(position));
      const counted = there.filter((each) => each === position || each.lots === 0);
      const apart = counted.reduce((sum, each) => sum + own(each), 0n);
      expectSame(BigInt(owedApart(exchange, position)), apart);
    }
  }
});

test('FUND-1c what a position has accrued is exact, within the safe integers and beyond', () => {
  const exchange = createWorld();
  const prng = createPrng(9);
  const found = { within: 0, beyond: 0 };
  for (let round = 0; round < 1000; round += 1) {
    drawState(prng, exchange);
    for (const market of exchange.markets) {
      const { figures, shares } = market;
      const before = drawSize(prng, 12) as Lots;
      const { accrued, sum } = shares.get(account) ?? { accrued: 0n, sum: 0 };
      const change = BigInt(before) * BigInt(figures.fundingSum - sum);
      const isWithin = Number.isSafeInteger(Number(change));
      if (change !== 0n) found[isWithin ? 'within' : 'beyond'] += 1;
      accrueFunding(exchange, market, { account, lots: before }, before);
      expectSame(shares.get(account)?.accrued ?? 0n, accrued + change);
    }
  }
  expect(found.within).toBeGreaterThan(200);
  expect(found.beyond).toBeGreaterThan(200);
});

test('FUND-1d whether money covers what is owed is exact, whatever the bound says', () => {
  const exchange = createWorld();
  const prng = createPrng(7);
  const holder = exchange.accounts[account]!;
  const wrong: string[] = [];
  let owing = 0;
  for (let round = 0; round < 4000; round += 1) {
    drawState(prng, exchange);
    const owed = owedFunding(exchange, holder);
    if (owed > 0) owing += 1;
    for (const money of [owed - 1, owed, owed + 1, owed + 9, 0, -1]) {
      if (coversOwed(exchange, holder, money) !== money >= owed) wrong.push(`${money} of ${owed}`);
    }
    for (const position of holder.positions) {
      if (position === undefined) continue;
      const apart = owedApart(exchange, position);
      for (const money of [apart - 1, apart, apart + 9]) {
        if (coversOwedApart(exchange, position, money) === money >= apart) continue;
        wrong.push(`${money} of ${apart} apart`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(owing).toBeGreaterThan(2000);
});
