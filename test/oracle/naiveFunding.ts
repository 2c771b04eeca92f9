// FUND-1 … FUND-3, FUND-1b: boundaries, the rate of an interval, who pays whom.

import { ceilDiv, floorDiv, halfEvenDiv, least, most, rateOne } from './exact.ts';
import { dealCover } from './naiveCover.ts';
import { fundEarns, fundPays, takePayment } from './naiveDebit.ts';
import { fundId, openInterest } from './naiveFigures.ts';
import { count, type NaiveMarket, type NaiveState } from './naiveState.ts';

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
        market.dueRate = fundingRate(state, market);
      }
      market.stretches = [];
    }
    stretch(state, market, state.time - from);
  }
}

/** FUND-1b: open interest stood as it is for so long. Without any, time does not count. */
function stretch(state: NaiveState, market: NaiveMarket, elapsed: number): void {
  const long = openInterest(state, market.id, 1n);
  const short = openInterest(state, market.id, -1n);
  if (elapsed === 0 || long + short === 0n) return;
  market.stretches = [...market.stretches, { ms: BigInt(elapsed), long, short }];
}

/** (long − short) / total in 1e-8, half to even; 0 without open interest. */
function imbalance(long: bigint, short: bigint): bigint {
  return long + short === 0n ? 0n : halfEvenDiv((long - short) * rateOne, long + short);
}

/** factor × the mean imbalance by time, half to even, within floor and cap. */
export function fundingRate(state: NaiveState, market: NaiveMarket): bigint {
  const { fundingFactor, maxFunding, minFunding } = market.terms;
  let sum = 0n;
  let ms = 0n;
  for (const each of market.stretches) {
    sum += imbalance(each.long, each.short) * each.ms;
    ms += each.ms;
  }
  if (ms === 0n) {
    const long = openInterest(state, market.id, 1n);
    sum = imbalance(long, openInterest(state, market.id, -1n));
    ms = 1n;
  }
  const rate = halfEvenDiv(fundingFactor * sum, rateOne * ms);
  return least(maxFunding, most(minFunding, rate));
}

/**
 * Payers first, in account order; the receivers share the unpaid amount; the residue goes to the
 * fund.
 */
export function settleFunding(state: NaiveState, market: NaiveMarket, rate: bigint): void {
  count(state, rate === 0n ? 'fundingZero' : 'funding');
  const owed = new Map<number, bigint>();
  let collected = 0n;
  let stillUnpaid = 0n;
  for (const account of state.accounts) {
    const due = account.positions[market.id]!.lots * market.mark * market.grain * rate;
    if (due < 0n) owed.set(account.id, floorDiv(-due, rateOne));
    if (due <= 0n) continue;
    const amount = ceilDiv(due, rateOne);
    let unpaid = takePayment(state, { account, market: market.id, amount });
    if (account.id !== fundId) unpaid = fundPays(state, unpaid);
    if (unpaid > 0n) count(state, 'fundingUnpaid');
    collected += amount - unpaid;
    stillUnpaid += unpaid;
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
