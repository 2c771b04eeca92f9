// The only place where money moves. Accounts have three buckets, the system has its funds.
// `exchange.check` sums up what a command moves, and these sums must cancel out (BAL-2).

import { assert } from '../../std/assert.ts';
import type { MarketId, Money } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange, Funds } from '../exchange.ts';
import { moneyMax, owedMax } from '../limits.ts';
import type { Referral } from '../referral.ts';
import { touchAccount, touchCheck, touchFigures, touchFunds, touchReferral } from '../undo.ts';
import { markDirty } from './markDirty.ts';

export type Bucket = 'available' | 'freezes' | 'collateral';
/** The system's funds beside the insurance fund, which is an account. */
export type Fund = 'feeRevenue' | 'referralPayable' | 'shortfall' | 'pendingWithdrawals';

/**
 * Adds `delta` to a bucket of an account. A bucket below zero or a balance above moneyMax is a
 * fault.
 */
export function post(exchange: Exchange, account: Account, bucket: Bucket, delta: Money): void {
  touchAccount(exchange.undo, account);
  touchCheck(exchange.undo, exchange.check);
  const after = bucketOf(account, bucket) + delta;
  assert(after >= 0, 'a bucket of an account falls below zero');
  assert(balanceOf(account) + delta <= moneyMax, 'a balance is beyond what can be counted');
  setBucket(account, bucket, after as Money);
  account.updatedAt = exchange.time;
  exchange.check.balances += delta;
  if (!account.dirty) markDirty(exchange, account);
}

/** Moves `amount` ≥ 0 from one bucket of an account to another; the balance stays the same. */
export function move(
  exchange: Exchange,
  account: Account,
  transfer: { readonly from: Bucket; readonly to: Bucket; readonly amount: Money },
): void {
  const { from, to, amount } = transfer;
  assert(amount >= 0, 'a transfer is never negative');
  if (amount === 0) return;
  touchAccount(exchange.undo, account);
  const source = bucketOf(account, from) - amount;
  const target = bucketOf(account, to) + amount;
  assert(source >= 0, 'a transfer leaves a bucket below zero');
  setBucket(account, from, source as Money);
  setBucket(account, to, target as Money);
}

// Buckets and funds are named one by one, because a field chosen by a string needs a new look-up
// each time.

function bucketOf(account: Account, bucket: Bucket): Money {
  if (bucket === 'available') return account.available;
  return bucket === 'freezes' ? account.freezes : account.collateral;
}

function setBucket(account: Account, bucket: Bucket, value: Money): void {
  if (bucket === 'available') account.available = value;
  else if (bucket === 'freezes') account.freezes = value;
  else account.collateral = value;
}

function fundOf(funds: Funds, fund: Fund): Money {
  if (fund === 'feeRevenue') return funds.feeRevenue;
  if (fund === 'referralPayable') return funds.referralPayable;
  return fund === 'shortfall' ? funds.shortfall : funds.pendingWithdrawals;
}

/** available → freezes. */
export function freeze(exchange: Exchange, account: Account, amount: Money): void {
  move(exchange, account, { from: 'available', to: 'freezes', amount });
}

/** freezes → available. */
export function unfreeze(exchange: Exchange, account: Account, amount: Money): void {
  move(exchange, account, { from: 'freezes', to: 'available', amount });
}

/**
 * Adds `delta` to a fund of the system. The caller must have checked that the fund has what it
 * takes out.
 */
export function postFund(exchange: Exchange, fund: Fund, delta: Money): void {
  const { funds, check } = exchange;
  touchFunds(exchange.undo, funds);
  touchCheck(exchange.undo, check);
  const after = fundOf(funds, fund) + delta;
  assert(after >= 0 && after <= moneyMax, 'a fund leaves its bounds');
  if (fund === 'feeRevenue') funds.feeRevenue = after as Money;
  else if (fund === 'referralPayable') funds.referralPayable = after as Money;
  else if (fund === 'shortfall') funds.shortfall = after as Money;
  else funds.pendingWithdrawals = after as Money;
  check.funds += fund === 'shortfall' ? -delta : delta;
}

/**
 * Books a trading fee, or below 0 what is paid out of one: a rebate, a referrer's share (NAT-4).
 * The fund gets its share of the rest later (LIQ-8).
 */
export function postFee(exchange: Exchange, market: MarketId, fee: Money): void {
  const { figures } = exchange.markets[market]!;
  postFund(exchange, 'feeRevenue', fee);
  touchFigures(exchange.undo, figures);
  figures.feesToShare = (figures.feesToShare + fee) as Money;
}

/** Adds `delta` to what has accrued for a referrer, and to the fund that holds it (NAT-4). */
export function postReferral(exchange: Exchange, referral: Referral, delta: Money): void {
  touchReferral(exchange.undo, referral);
  const after = referral.accrued + delta;
  assert(after >= 0, 'what has accrued for a referrer falls below zero');
  referral.accrued = after as Money;
  postFund(exchange, 'referralPayable', delta);
}

/** Records that the signed entry notional of all positions changed by `delta`. */
export function noteEntry(exchange: Exchange, delta: Money): void {
  touchCheck(exchange.undo, exchange.check);
  exchange.check.entries += delta;
}

/** What the exchange may still owe in total (BAL-2a). */
export function roomToOwe({ funds }: Exchange): Money {
  return Number(BigInt(owedMax) - (funds.deposits - funds.withdrawals)) as Money;
}

/** Whether a deposit still fits. */
export function hasRoomToOwe(exchange: Exchange, amount: Money): boolean {
  return amount <= roomToOwe(exchange);
}

/** Records a deposit; a negative one is a deposit that is taken back. */
export function noteDeposit(exchange: Exchange, delta: Money): void {
  touchCheck(exchange.undo, exchange.check);
  exchange.check.deposits += delta;
  exchange.funds.deposits += BigInt(delta);
}

/** Records money that has left for ever: a completed withdrawal. */
export function noteWithdrawal(exchange: Exchange, amount: Money): void {
  exchange.check.deposits -= amount;
  exchange.funds.withdrawals += BigInt(amount);
}
