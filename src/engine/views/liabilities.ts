// What a deployment with a vault owes to each wallet (VLT-8): the leaves of the tree of sums, and
// the figures of an anchor.

import { assert, must } from '../../std/assert.ts';
import type { AccountId } from '../../units/units.ts';
import { equityOf } from '../clearing/margin.ts';
import type { Exchange as ExchangeState } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';

export type Liabilities = {
  /** `0x` and hex digits in lower case, each once, in no order; the last one is the vault. */
  readonly accounts: readonly string[];
  /** Of the account at the same place: what it is owed, at least 0, units of 1e-6. */
  readonly units: readonly bigint[];
  /** What the vault had paid to it, as the log knows it. */
  readonly withdrawn: readonly bigint[];
  /** Equities below zero, which count as 0 above, and the shortfall. */
  readonly deficit: bigint;
  /** The deposits that are counted, and what they make in all. */
  readonly depositCount: number;
  readonly depositTotal: bigint;
  /** All that the vault has paid, as the log knows it. */
  readonly withdrawnTotal: bigint;
};

/**
 *   Σ units + withdrawn = deposits + deficit
 *
 * A wallet is owed its equity at the mark (at least 0), its pending withdrawals, its unclaimed
 * share of fees, and what is parked for it. The vault's own address is owed the rest, so that the
 * sum is exact; the rest must be the fund's equity, the fees, and what is parked for the fund or
 * has no name (BAL-2). Undefined without a vault, and for a log whose vault had paid before the log
 * kept payments by account. Cost: one pass over accounts and positions.
 */
export function liabilitiesOf(reader: Exchange): Liabilities | undefined {
  const exchange = stateOf.exchange(reader);
  const { vault, funds } = exchange;
  // An engine that is kept for its part of the log may know no vault, or no payments by account.
  if (!vault?.binding || vault.paid === undefined) return undefined;
  if (sumOf(vault.paid.values()) !== funds.withdrawals) return undefined;
  const owed = owedByWallet(exchange);
  const { depositTotal, depositCount, unnamed } = vault;
  const withdrawnTotal = funds.withdrawals;
  const deficit = owed.deficit + BigInt(funds.shortfall);
  const fund = equityOf(exchange, must(exchange.accounts[insuranceAccount], 'there is a fund'));
  const rest = depositTotal + deficit - withdrawnTotal - owed.total;
  const waiting = unnamed + (vault.parked.get(vault.binding.address) ?? 0n);
  const expected = BigInt(Math.max(0, fund)) + BigInt(funds.feeRevenue) + waiting;
  assert(rest === expected, `BAL-2: the fund and fees are owed ${expected}, and ${rest} is left`);
  owed.add(vault.binding.address, rest, 0n);
  const { accounts, units, withdrawn } = owed;
  return { accounts, units, withdrawn, deficit, depositCount, depositTotal, withdrawnTotal };
}

type Owed = Pick<Liabilities, 'accounts' | 'units' | 'withdrawn'> & {
  readonly add: (address: string, units: bigint, withdrawn: bigint) => void;
  /** Of all wallets, and the equities below zero, the fund's too. */
  readonly total: bigint;
  readonly deficit: bigint;
};

function owedByWallet(exchange: ExchangeState): Owed {
  const { accounts, vault, withdrawals } = exchange;
  const pending = new Map<AccountId, number>();
  for (const { account, amount } of withdrawals.values()) {
    pending.set(account, (pending.get(account) ?? 0) + amount);
  }
  const parked = new Map(vault.parked);
  const columns = { accounts: [] as string[], units: [] as bigint[], withdrawn: [] as bigint[] };
  const add = (address: string, units: bigint, withdrawn: bigint): void => {
    columns.accounts.push(address);
    columns.units.push(units);
    columns.withdrawn.push(withdrawn);
  };
  let [total, deficit] = [0n, 0n];
  for (const account of accounts) {
    if (account === undefined) continue;
    const { id, address, referral } = account;
    const equity = equityOf(exchange, account);
    if (equity < 0) deficit -= BigInt(equity);
    if (id === insuranceAccount) continue;
    const others = BigInt(pending.get(id) ?? 0) + BigInt(referral?.accrued ?? 0);
    const units = BigInt(Math.max(0, equity)) + others + (parked.get(address) ?? 0n);
    parked.delete(address);
    const withdrawn = vault.paid.get(id) ?? 0n;
    if (units === 0n && withdrawn === 0n) continue;
    total += units;
    add(address, units, withdrawn);
  }
  for (const [address, amount] of parked) {
    // What is parked for the fund is a part of the rest.
    if (address === vault.binding?.address) continue;
    total += amount;
    add(address, amount, 0n);
  }
  return { ...columns, add, total, deficit };
}

function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}
