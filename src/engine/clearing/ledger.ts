// The only place where money moves. Accounts have three buckets, the system its funds; what a
// command moves is summed up in `exchange.check`, which must cancel out (BAL-2).

import { assert } from '../../std/assert.ts';
import type { Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { moneyMax } from '../limits.ts';
import { touchAccount, touchCheck, touchFunds } from '../undo.ts';

export type Bucket = 'available' | 'freezes' | 'collateral';
export type Fund = 'insurance' | 'feeRevenue' | 'shortfall';

/** Adds `delta` to a bucket of an account. A bucket below zero or beyond the bound is a fault. */
export function post(exchange: Exchange, account: Account, bucket: Bucket, delta: Money): void {
  touchAccount(exchange.undo, account);
  touchCheck(exchange.undo, exchange.check);
  const after = account[bucket] + delta;
  assert(after >= 0 && after <= moneyMax, 'a bucket of an account leaves its bounds');
  account[bucket] = after as Money;
  account.updatedAt = exchange.time;
  exchange.check.balances += delta;
}

/** Moves `amount` ≥ 0 from one bucket of an account to another. */
export function move(
  exchange: Exchange,
  account: Account,
  transfer: { readonly from: Bucket; readonly to: Bucket; readonly amount: Money },
): void {
  const { from, to, amount } = transfer;
  assert(amount >= 0, 'a transfer is never negative');
  if (amount === 0) return;
  touchAccount(exchange.undo, account);
  const source = account[from] - amount;
  const target = account[to] + amount;
  assert(source >= 0 && target <= moneyMax, 'a transfer leaves the bounds of a bucket');
  account[from] = source as Money;
  account[to] = target as Money;
}

/** available → freezes. */
export function freeze(exchange: Exchange, account: Account, amount: Money): void {
  move(exchange, account, { from: 'available', to: 'freezes', amount });
}

/** freezes → available. */
export function unfreeze(exchange: Exchange, account: Account, amount: Money): void {
  move(exchange, account, { from: 'freezes', to: 'available', amount });
}

/** Adds `delta` to a fund of the system. Only what the caller has checked may be taken out. */
export function postFund(exchange: Exchange, fund: Fund, delta: Money): void {
  const { funds, check } = exchange;
  touchFunds(exchange.undo, funds);
  touchCheck(exchange.undo, check);
  const after = funds[fund] + delta;
  assert(after >= 0 && after <= moneyMax, 'a fund leaves its bounds');
  funds[fund] = after as Money;
  check.funds += fund === 'shortfall' ? -delta : delta;
}

/** Notes that the signed entry notional of all positions changed by `delta`. */
export function noteEntry(exchange: Exchange, delta: Money): void {
  touchCheck(exchange.undo, exchange.check);
  exchange.check.entries += delta;
}

/** Notes money that came from outside (a deposit) or, negative, left. */
export function noteDeposit(exchange: Exchange, delta: Money): void {
  touchCheck(exchange.undo, exchange.check);
  exchange.check.deposits += delta;
  exchange.funds.deposits += BigInt(delta);
}
