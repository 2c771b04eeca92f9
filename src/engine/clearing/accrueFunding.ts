// Funding accrues with time (FUND-1c): the rate of a market, summed over the time of its interval,
// and what each account has accrued by the lots that it held. Sums advance when open interest or
// the terms change, shares when a position changes, both when the interval ends.
// operations/settleFunding.ts pays.

import { assert } from '../../std/assert.ts';
import { mulDivHalfEven } from '../../units/mulDiv.ts';
import {
  type AccountId,
  type Lots,
  type Money,
  type Rate,
  rateOne,
  type Time,
} from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { FundingShare, Market, MarketDues, MarketFigures } from '../market.ts';
import type { MarketTerms } from '../marketTerms.ts';
import type { Position } from '../position.ts';
import { touchFigures, touchShare } from '../undo.ts';
import { holdersOf } from './liquidationIndex.ts';

/** What the functions below read of a market. */
export type FundedMarket = {
  readonly terms: Pick<
    MarketTerms,
    'fundingFactor' | 'maxFundingRate' | 'minFundingRate' | 'fundingIntervalHours'
  >;
  readonly figures: Readonly<
    Pick<MarketFigures, 'longLots' | 'shortLots' | 'fundingSum' | 'fundingAt'>
  >;
  readonly dues: Readonly<Pick<MarketDues, 'fundingFrom' | 'fundingEnd'>>;
};

/** factor × (long − short) / (long + short), half to even, within floor … cap (FUND-1). */
export function presentRate({ terms, figures }: FundedMarket): Rate {
  const { longLots, shortLots } = figures;
  const total = longLots + shortLots;
  if (total === 0) return 0 as Rate;
  const { fundingFactor, maxFundingRate, minFundingRate } = terms;
  const raw = mulDivHalfEven(fundingFactor, longLots - shortLots, total);
  return Math.min(Math.max(raw, minFundingRate), maxFundingRate) as Rate;
}

/**
 * The length of the interval in milliseconds (FUND-1c): the hours of its terms; after the operator
 * has shortened them, the time that it lasts in all, if that is longer. Above 0, and at most a day.
 */
export function intervalMs({ terms, dues }: FundedMarket): number {
  return Math.max(terms.fundingIntervalHours * 3_600_000, dues.fundingEnd - dues.fundingFrom);
}

/**
 * The rate summed over the interval up to a time, 1e-8 × ms, at most to the interval's end: after
 * an outage its boundary may come later than commands of a later time (ORD-15). A boundary comes at
 * every midnight UTC, so |sum| ≤ 1e8 × a day in milliseconds, a safe integer.
 */
export function fundingUntil(market: FundedMarket, until: Time): number {
  const { fundingSum, fundingAt } = market.figures;
  const elapsed = Math.min(until, market.dues.fundingEnd) - fundingAt;
  return elapsed <= 0 ? fundingSum : fundingSum + presentRate(market) * elapsed;
}

/**
 * Advances the sum to the present, before open interest or the terms change. Cost: nothing more
 * once a batch has done it for the market.
 */
export function advanceFunding(exchange: Exchange, market: Market): void {
  const { figures } = market;
  if (figures.fundingAt === exchange.time) return;
  touchFigures(exchange.undo, figures);
  figures.fundingSum = fundingUntil(market, exchange.time);
  figures.fundingAt = Math.max(
    figures.fundingAt,
    Math.min(exchange.time, market.dues.fundingEnd),
  ) as Time;
}

function createShare(account: AccountId): FundingShare {
  return { account, accrued: 0n, sum: 0, due: 0n, epoch: 0 };
}

/** Adds what a position has accrued up to now with the lots that it had before a change. */
export function accrueFunding(
  exchange: Exchange,
  market: Market,
  { account, lots: after }: Pick<Position, 'account' | 'lots'>,
  before: Lots,
): void {
  const sum = fundingUntil(market, exchange.time);
  let share = market.shares.get(account);
  // A blank one may be left of an execution that was undone: it counts as none (ORD-14).
  if (sum === 0 && (share === undefined || isBlankShare(share))) return;
  if (share === undefined) {
    share = createShare(account);
    market.shares.set(account, share);
  }
  touchShare(exchange.undo, share);
  if (before !== 0 && share.sum !== sum) {
    const change = sum - share.sum;
    const product = before * change;
    share.accrued += Number.isSafeInteger(product)
      ? BigInt(product)
      : BigInt(before) * BigInt(change);
  }
  // Without lots nothing accrues, and a share that holds nothing is blank.
  share.sum = after === 0 ? 0 : sum;
}

/** Σ lots × rate × ms of an account in the interval so far; above 0 it pays. */
export function accruedBy(market: Market, account: AccountId, lots: Lots, sum: number): bigint {
  const share = market.shares.get(account);
  return (share?.accrued ?? 0n) + BigInt(lots) * BigInt(sum - (share?.sum ?? 0));
}

/**
 * What an account owes in a market at the mark, rounded up: of a boundary that is due, and of the
 * interval so far; what it is owed does not count.
 */
export function owedIn(exchange: Exchange, market: Market, account: AccountId, lots: Lots): Money {
  const { prices, grain, dues, shares } = market;
  const value = (amount: bigint, ms: number): number => {
    if (amount <= 0n) return 0;
    const product = amount * BigInt(prices.mark) * BigInt(grain);
    const parts = BigInt(rateOne) * BigInt(ms);
    return Number((product + parts - 1n) / parts);
  };
  const sum = fundingUntil(market, exchange.time);
  const share = shares.get(account);
  // Half of all positions are owed funding. A rounded product has the sign of the exact one.
  const owesNothing = !share?.accrued && lots * (sum - (share?.sum ?? 0)) <= 0;
  const soFar = owesNothing ? 0 : value(accruedBy(market, account, lots, sum), intervalMs(market));
  return (share?.due ? soFar + value(share.due, dues.fundingMs) : soFar) as Money;
}

const all = (): boolean => true;

/** Σ of what an account owes in its markets (FUND-1c). Cost: the account's markets. */
export function owedFunding(
  exchange: Exchange,
  { id, positions }: Account,
  counts: (position: Position) => boolean = all,
): Money {
  let owed = 0;
  for (const position of positions) {
    if (position === undefined || !counts(position)) continue;
    owed += owedIn(exchange, exchange.markets[position.market]!, id, position.lots);
  }
  return owed as Money;
}

/** What an isolated position must leave: its own, and that of markets that the account has left. */
export function owedApart(exchange: Exchange, position: Position): Money {
  const account = exchange.accounts[position.account]!;
  return owedFunding(exchange, account, countsFor(position));
}

const countsFor = (position: Position) => (each: Position) => each === position || each.lots === 0;

/**
 * Whether so much money is at least what the account owes (FUND-1d). Each fill asks, so a bound in
 * floating point answers first: it costs a quarter of the exact sum and is nearly always enough.
 * Only where it is not does the exact sum decide. Cost: the account's markets.
 */
export function coversOwed(
  exchange: Exchange,
  account: Account,
  money: number,
  counts: (position: Position) => boolean = all,
): boolean {
  let bound = 0;
  for (const position of account.positions) {
    if (position === undefined || !counts(position)) continue;
    bound += owedAtMost(exchange, exchange.markets[position.market]!, position);
  }
  return money >= bound || money >= owedFunding(exchange, account, counts);
}

/** The same of what an isolated position must leave. */
export function coversOwedApart(exchange: Exchange, position: Position, money: number): boolean {
  const account = exchange.accounts[position.account]!;
  return coversOwed(exchange, account, money, countsFor(position));
}

/**
 * At least what `owedIn` gives, by numbers that are rounded: far more than their errors is added.
 */
function owedAtMost({ time }: Exchange, market: Market, { account, lots }: Position): number {
  const { prices, grain, dues } = market;
  const share = market.shares.get(account);
  if (share === undefined && lots === 0) return 0;
  const held = lots * (fundingUntil(market, time) - (share?.sum ?? 0));
  if (share === undefined && held <= 0) return 0;
  const before = share === undefined ? 0 : Number(share.accrued);
  const errors = (Math.abs(held) + Math.abs(before)) * 1e-12;
  const due = share === undefined ? 0 : Number(share.due);
  const parts =
    Math.max(0, held + before + errors) / intervalMs(market) + (due > 0 ? due / dues.fundingMs : 0);
  // Two are for the rounding up of both amounts.
  return 2 + ((parts * prices.mark * grain) / rateOne) * (1 + 1e-12);
}

/** Whether nothing has accrued and nothing is due. */
export const isBlankShare = ({ accrued, sum, due }: FundingShare): boolean =>
  accrued === 0n && sum === 0 && due === 0n;

/** The shares that hold something, by account: the order of the map is no state. */
export function sharesOf({ shares }: Market): FundingShare[] {
  const kept = [...shares.values()].filter((share) => !isBlankShare(share));
  return kept.sort((a, b) => a.account - b.account);
}

/** What every account owes above 0, or is owed, by account; positions that accrued nothing too. */
export type Accrual = { readonly account: AccountId; readonly amount: bigint };

/** Of the interval so far, at its sum. Cost: the accounts that held something in it. */
export function accruals(exchange: Exchange, market: Market, sum: number): Accrual[] {
  const lotsOf = (account: AccountId): Lots =>
    exchange.accounts[account]?.positions[market.id]?.lots ?? (0 as Lots);
  const accounts = new Set(market.shares.keys());
  for (const { account } of holdersOf(market)) accounts.add(account);
  return [...accounts]
    .sort((a, b) => a - b)
    .map((account) => ({ account, amount: accruedBy(market, account, lotsOf(account), sum) }));
}

/** Of the boundary that is due. */
export function dueAccruals(market: Market): Accrual[] {
  const accounts = new Set(market.shares.keys());
  for (const { account } of holdersOf(market)) accounts.add(account);
  return [...accounts]
    .sort((a, b) => a - b)
    .map((account) => ({ account, amount: market.shares.get(account)?.due ?? 0n }));
}

/**
 * Ends the interval at its boundary and begins the next, whose end the caller sets. With `isDue`
 * every account then owes, or is owed, what it has accrued; without, the interval is forgotten.
 */
export function endInterval(
  exchange: Exchange,
  market: Market,
  { boundary, isDue }: { readonly boundary: Time; readonly isDue: boolean },
): void {
  const { figures, shares, dues } = market;
  const sum = fundingUntil(market, boundary);
  const accrued = isDue ? accruals(exchange, market, sum) : [];
  shares.clear();
  for (const { account, amount } of accrued) {
    if (amount !== 0n) shares.set(account, { ...createShare(account), due: amount });
  }
  dues.funding = (isDue ? boundary : 0) as Time;
  dues.fundingSum = isDue ? sum : 0;
  dues.fundingMs = isDue ? intervalMs(market) : 0;
  dues.fundingFrom = boundary;
  figures.fundingSum = 0;
  figures.fundingAt = boundary;
}

/**
 * Begins the rest of the interval, after all that has accrued was settled. Its length stays, so
 * that the parts of an interval together pay what the whole would. Nothing may be due.
 */
export function beginRest(exchange: Exchange, market: Market): void {
  assert(market.dues.funding === 0, 'what is due is settled before the interval so far');
  advanceFunding(exchange, market);
  market.figures.fundingSum = 0;
  market.shares.clear();
}

/** Forgets the boundary that was due: it was settled, or missed. */
export function clearDue({ shares, dues }: Market): void {
  dues.funding = 0 as Time;
  dues.fundingSum = 0;
  dues.fundingMs = 0;
  for (const [account, share] of shares) {
    share.due = 0n;
    if (isBlankShare(share)) shares.delete(account);
  }
}
