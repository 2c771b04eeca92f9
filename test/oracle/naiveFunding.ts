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

/** The boundary after a time. */
const nextBoundary = ({ terms }: NaiveMarket, time: number): number => {
  const interval = terms.intervalHours * hour;
  return (Math.floor(time / interval) + 1) * interval;
};

/**
 * The time from one batch to the next, in which there are no trades. Boundaries that passed in it
 * cut it into stretches: the latest is due, in HALT none.
 */
export function passBoundaries(state: NaiveState, before: number): void {
  for (const market of state.markets) {
    let from = Math.max(before, market.listedAt);
    for (;;) {
      const boundary = nextBoundary(market, from);
      if (boundary > state.time) break;
      stretch(state, market, boundary - from);
      if (!market.settled) {
        const { stretches } = market;
        const isDue = market.status !== 'HALT';
        market.due = isDue ? { boundary, stretches, whole: wholeOf(market, from) } : undefined;
      }
      market.stretches = [];
      market.intervalFrom = boundary;
      from = boundary;
    }
    stretch(state, market, state.time - from);
  }
}

/**
 * FUND-1c: what a payment is divided by: the hours of the interval at a time in it, or all the time
 * from its begin to its end when that is longer.
 */
function wholeOf(market: NaiveMarket, time: number): bigint {
  const lasts = nextBoundary(market, time) - market.intervalFrom;
  return BigInt(Math.max(market.terms.intervalHours * hour, lasts));
}

/** Everything stood as it is for so long. */
function stretch(state: NaiveState, market: NaiveMarket, elapsed: number): void {
  if (elapsed === 0) return;
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

/**
 * FUND-1b: what would be paid if all stood as it does until the boundary, or until the delivery.
 */
export function fundingRate(state: NaiveState, market: NaiveMarket): bigint {
  if (market.status === 'HALT') return 0n;
  const { time } = state;
  const { deliveryTime } = market.terms;
  const ends = [nextBoundary(market, time)];
  if (market.status === 'CLOSE' && deliveryTime > 0) ends.push(deliveryTime);
  const rest = BigInt(Math.max(0, Math.min(...ends) - time));
  let sum = rest * rateNow(state, market);
  for (const { ms, rate } of market.stretches) sum += ms * rate;
  return halfEvenDiv(sum, wholeOf(market, time));
}

/** FUND-1c: Σ lots × rate × ms of an account. */
function heldBy(stretches: readonly Stretch[], id: number): bigint {
  let held = 0n;
  for (const { ms, rate, lots } of stretches) held += ms * rate * (lots[id] ?? 0n);
  return held;
}

/**
 * FUND-1c: what an account owes in a market at the mark: of the boundary that is due, and since.
 */
export function owedIn(state: NaiveState, market: NaiveMarket, id: number): bigint {
  const part = (stretches: readonly Stretch[], whole: bigint): bigint => {
    const held = heldBy(stretches, id);
    return held <= 0n ? 0n : ceilDiv(held * market.mark * market.grain, rateOne * whole);
  };
  const { due, stretches } = market;
  const soFar = part(stretches, wholeOf(market, state.time));
  return due === undefined ? soFar : soFar + part(due.stretches, due.whole);
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

/** The boundary that is due, when there is one. */
export function settleDue(state: NaiveState, market: NaiveMarket): void {
  const { due } = market;
  if (due === undefined) return;
  market.due = undefined;
  settleFunding(state, market, due);
}

/** By the operator's hand or before a delivery: what has passed of the interval (FUND-1c). */
export function settleSoFar(state: NaiveState, market: NaiveMarket): void {
  const { stretches } = market;
  market.stretches = [];
  settleFunding(state, market, { stretches, whole: wholeOf(market, state.time) });
}

/**
 * Payers first, in account order; the receivers share the unpaid amount; the residue goes to the
 * fund. Every account by the lots that it held, over their time (FUND-1c).
 */
function settleFunding(
  state: NaiveState,
  market: NaiveMarket,
  { stretches, whole }: { readonly stretches: readonly Stretch[]; readonly whole: bigint },
): void {
  const rates = stretches.reduce((total, { ms, rate }) => total + ms * rate, 0n);
  count(state, rates === 0n ? 'fundingZero' : 'funding');
  const owed = new Map<number, bigint>();
  let collected = 0n;
  let stillUnpaid = 0n;
  for (const account of state.accounts) {
    const due = heldBy(stretches, account.id) * market.mark * market.grain;
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
