// FUND-1 … FUND-3, FUND-1b, FUND-1c: boundaries, intervals, who pays whom.

import { ceilDiv, floorDiv, halfEvenDiv, least, most, rateOne } from './exact.ts';
import { dealCover } from './naiveCover.ts';
import { fundEarns, fundPays, takePayment } from './naiveDebit.ts';
import { fundId, openInterest } from './naiveFigures.ts';
import {
  count,
  type NaiveAccount,
  type NaiveMarket,
  type NaiveState,
  type Stretch,
} from './naiveState.ts';

const hour = 3_600_000;

/**
 * The time from one batch to the next, in which there are no trades. Boundaries that passed in it cut it
 * into stretches: the latest is due, in HALT none.
 */
export function passBoundaries(state: NaiveState, before: number): void {
  for (const market of state.markets) {
    const interval = market.terms.intervalHours * hour;
    let from = Math.max(before, market.listedAt);
    let boundary = Math.floor(from / interval) * interval + interval;
    for (; boundary <= state.time; boundary += interval) {
      stretch(state, market, boundary - from);
      from = boundary;
      if (!market.settled) {
        market.fundingDue = market.status === 'HALT' ? 0 : boundary;
        market.dueStretches = market.stretches;
      }
      market.stretches = [];
    }
    stretch(state, market, state.time - from);
  }
}

/** Everything stood as it is for so long. Without open interest time does not count. */
function stretch(state: NaiveState, market: NaiveMarket, elapsed: number): void {
  const long = openInterest(state, market.id, 1n);
  const short = openInterest(state, market.id, -1n);
  if (elapsed === 0 || long + short === 0n) return;
  const lots = state.accounts.map(({ positions }) => positions[market.id]!.lots);
  const stood = { ms: BigInt(elapsed), rate: rateNow(state, market), lots };
  market.stretches = [...market.stretches, stood];
}

/** FUND-1: factor × imbalance, half to even, within floor and cap; 0 without open interest. */
function rateNow(state: NaiveState, market: NaiveMarket): bigint {
  const { fundingFactor, maxFunding, minFunding } = market.terms;
  const long = openInterest(state, market.id, 1n);
  const short = openInterest(state, market.id, -1n);
  if (long + short === 0n) return 0n;
  const rate = halfEvenDiv(fundingFactor * (long - short), long + short);
  return least(maxFunding, most(minFunding, rate));
}

/** The interval so far; before any time has passed the present counts as one stretch. */
export function soFar(state: NaiveState, market: NaiveMarket): Stretch[] {
  if (market.stretches.length > 0) return market.stretches;
  const lots = state.accounts.map(({ positions }) => positions[market.id]!.lots);
  return [{ ms: 1n, rate: rateNow(state, market), lots }];
}

/** FUND-1b: the mean of the rates by time. */
export function fundingRate(state: NaiveState, market: NaiveMarket): bigint {
  const stretches = soFar(state, market);
  const sum = stretches.reduce((total, { ms, rate }) => total + ms * rate, 0n);
  return halfEvenDiv(sum, timeOf(stretches));
}

const timeOf = (stretches: readonly Stretch[]): bigint =>
  stretches.reduce((total, { ms }) => total + ms, 0n);

/**
 * FUND-1c: what an account owes in a market at the mark, of the boundary that is due, and of the
 * interval so far if the open interest stays.
 */
export function owedIn(state: NaiveState, market: NaiveMarket, id: number): bigint {
  const interval = market.terms.intervalHours * hour;
  const rest = BigInt(interval - (state.time % interval));
  const part = (stretches: readonly Stretch[], whole: bigint): bigint => {
    let held = 0n;
    for (const { ms, rate, lots } of stretches) held += ms * rate * (lots[id] ?? 0n);
    if (held <= 0n) return 0n;
    return ceilDiv(held * market.mark * market.grain, rateOne * whole);
  };
  const soFar = part(market.stretches, timeOf(market.stretches) + rest);
  if (market.fundingDue === 0) return soFar;
  return soFar + part(market.dueStretches, timeOf(market.dueStretches));
}

/** FUND-1d: all of it; of an isolated account in this market and in those where it is flat. */
export function owedBy(state: NaiveState, account: NaiveAccount, market: number): bigint {
  let owed = 0n;
  for (const place of state.markets) {
    const { lots } = account.positions[place.id]!;
    if (account.isolated && place.id !== market && lots !== 0n) continue;
    owed += owedIn(state, place, account.id);
  }
  return owed;
}

/** A market that is delivered settles the part of the interval that has passed (FUND-1c). */
export function settleBeforeDelivery(state: NaiveState, market: NaiveMarket): void {
  settleFunding(state, market, market.stretches, BigInt(market.terms.intervalHours * hour));
  market.stretches = [];
}

/**
 * Payers first, in account order; the receivers share the unpaid amount; the residue goes to the
 * fund. Every account by the lots that it held, over their time (FUND-1c).
 */
export function settleFunding(
  state: NaiveState,
  market: NaiveMarket,
  stretches: readonly Stretch[],
  whole = timeOf(stretches),
): void {
  const rates = stretches.reduce((total, { ms, rate }) => total + ms * rate, 0n);
  count(state, rates === 0n ? 'fundingZero' : 'funding');
  const owed = new Map<number, bigint>();
  let collected = 0n;
  let stillUnpaid = 0n;
  for (const account of state.accounts) {
    let held = 0n;
    for (const { ms, rate, lots } of stretches) held += ms * rate * (lots[account.id] ?? 0n);
    const due = held * market.mark * market.grain;
    if (due < 0n) owed.set(account.id, floorDiv(-due, rateOne * whole));
    if (due <= 0n) continue;
    const amount = ceilDiv(due, rateOne * whole);
    const unpaid = takePayment(state, { account, market: market.id, amount });
    // The fund helps only with what the present position owes.
    const { lots } = account.positions[market.id]!;
    const present = lots * rates * market.mark * market.grain;
    const now = present > 0n ? least(amount, ceilDiv(present, rateOne * whole)) : 0n;
    const mayHelp = account.id === fundId ? 0n : most(0n, now - (amount - unpaid));
    const left = unpaid - mayHelp + fundPays(state, mayHelp);
    if (left > 0n) count(state, 'fundingUnpaid');
    collected += amount - left;
    stillUnpaid += left;
  }
  let total = 0n;
  for (const amount of owed.values()) total += amount;
  for (const [id, amount] of owed) {
    const share =
      stillUnpaid === 0n
        ? amount
        : floorDiv(amount * most(0n, total - stillUnpaid), most(total, 1n));
    collected -= share;
    if (id === fundId) fundEarns(state, share);
    else state.accounts[id]!.available += share;
  }
  fundEarns(state, collected);
  for (const account of state.accounts) {
    for (const place of state.markets) dealCover(state, account.id, place.id);
  }
}
