// FUND-1 … FUND-3: boundaries, the rate, who pays whom.

import { ceilDiv, floorDiv, halfEvenDiv, least, most, rateOne } from './exact.ts';
import { dealCover } from './naiveCover.ts';
import { fundEarns, fundPays, takePayment } from './naiveDebit.ts';
import { fundId, openInterest } from './naiveFigures.ts';
import { count, type NaiveMarket, type NaiveState } from './naiveState.ts';

const hour = 3_600_000;

/** Boundaries that passed on the way to the present: the latest is due, in HALT none. */
export function passBoundaries(state: NaiveState, before: number): void {
  for (const market of state.markets) {
    const interval = market.terms.intervalHours * hour;
    const latest = Math.floor(state.time / interval) * interval;
    if (latest <= Math.max(before, market.listedAt) || market.settled) continue;
    market.fundingDue = market.status === 'HALT' ? 0 : latest;
  }
}

/** factor × (long − short) / total, half to even, within floor and cap; 0 without open interest. */
export function fundingRate(state: NaiveState, market: NaiveMarket): bigint {
  const { fundingFactor, maxFunding, minFunding } = market.terms;
  const long = openInterest(state, market.id, 1n);
  const short = openInterest(state, market.id, -1n);
  if (long + short === 0n) return 0n;
  const rate = halfEvenDiv(fundingFactor * (long - short), long + short);
  return least(maxFunding, most(minFunding, rate));
}

/**
 * Payers first, in account order; the receivers share the unpaid amount; the residue goes to the
 * fund.
 */
export function settleFunding(state: NaiveState, market: NaiveMarket): void {
  const rate = fundingRate(state, market);
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
