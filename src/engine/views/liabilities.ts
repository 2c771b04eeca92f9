// What a deployment with a vault owes to each wallet (VLT-8): the leaves of the tree of sums, and
// the figures of an anchor.

import { assert, must } from '../../std/assert.ts';
import type { AccountId } from '../../units/units.ts';
import { equityOf } from '../clearing/margin.ts';
import type { Exchange as ExchangeState } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';

/** A column for each figure; the same place in each list. */
type Columns = Pick<Liabilities, 'accounts' | 'units' | 'withdrawn'>;

/**
 * Memory that each pass uses again. New arrays for a million accounts each time would make V8
 * collect the whole heap of the thread, with threads that have the priority of trading.
 */
export type LiabilityRoom = { columns?: Columns };

/** What can be owed or have been paid to one address: what eight bytes hold. */
const unitsMax = 2n ** 64n - 1n;

/** Accounts between two pauses. */
const accountsPerStep = 1024;

export type Liabilities = {
  /** 20 bytes of each address, each once, in no order; the last one is the vault. */
  readonly accounts: Buffer;
  /** Of the account at the same place: what it is owed, units of 1e-6. */
  readonly units: BigUint64Array;
  /** What the vault had paid to it, as the log knows it. */
  readonly withdrawn: BigUint64Array;
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
 * kept payments by account; `tooLarge` when an address has more than the eight bytes of a leaf,
 * which a token of play money allows. In short steps, between which the state must not change. The
 * lists lie in `room` and are good until it is used again. Cost: one pass over accounts and
 * positions.
 */
export function* liabilitiesOf(
  reader: Exchange,
  room: LiabilityRoom = {},
): Generator<void, Liabilities | 'tooLarge' | undefined> {
  const exchange = stateOf.exchange(reader);
  const { vault, funds } = exchange;
  // An engine that is kept for its part of the log may know no vault, or no payments by account.
  if (!vault?.binding || vault.paid === undefined) return undefined;
  if (sumOf(vault.paid.values()) !== funds.withdrawals) return undefined;
  const list = openList(room, exchange.accounts.length + vault.parked.size + 1);
  const owed = yield* addWallets(exchange, list.add);
  const { depositTotal, depositCount, unnamed } = vault;
  const withdrawnTotal = funds.withdrawals;
  const deficit = owed.deficit + BigInt(funds.shortfall);
  const fund = equityOf(exchange, must(exchange.accounts[insuranceAccount], 'there is a fund'));
  const rest = depositTotal + deficit - withdrawnTotal - owed.total;
  const waiting = unnamed + (vault.parked.get(vault.binding.address) ?? 0n);
  const expected = BigInt(Math.max(0, fund)) + BigInt(funds.feeRevenue) + waiting;
  assert(rest === expected, `BAL-2: the fund and fees are owed ${expected}, and ${rest} is left`);
  list.add(vault.binding.address, rest, 0n);
  if (list.isTooLarge()) return 'tooLarge';
  return { ...list.columns(), deficit, depositCount, depositTotal, withdrawnTotal };
}

type Add = (address: string, units: bigint, withdrawn: bigint) => void;

type List = {
  readonly add: Add;
  readonly columns: () => Columns;
  /** Whether an amount had no room in its column. */
  readonly isTooLarge: () => boolean;
};

function openList(room: LiabilityRoom, most: number): List {
  const { accounts, units, withdrawn } = roomFor(room, most);
  let [count, isTooLarge] = [0, false];
  return {
    add: (address, own, paid) => {
      assert(own >= 0n, 'a leaf has no amount below zero');
      assert(count < most, 'each account has one place');
      isTooLarge ||= own > unitsMax || paid > unitsMax;
      accounts.write(address.slice(2), 20 * count, 20, 'hex');
      units[count] = own;
      withdrawn[count] = paid;
      count += 1;
    },
    columns: () => ({
      accounts: accounts.subarray(0, 20 * count),
      units: units.subarray(0, count),
      withdrawn: withdrawn.subarray(0, count),
    }),
    isTooLarge: () => isTooLarge,
  };
}

function roomFor(room: LiabilityRoom, most: number): Columns {
  const { columns } = room;
  if (columns !== undefined && columns.units.length >= most) return columns;
  // A quarter more, so that it is not made anew for each new account.
  const count = Math.ceil(1.25 * most);
  const [units, withdrawn] = [new BigUint64Array(count), new BigUint64Array(count)];
  room.columns = { accounts: Buffer.allocUnsafeSlow(20 * count), units, withdrawn };
  return room.columns;
}

/** Of all wallets: what they are owed, and the equities below zero, the fund's too. */
type Owed = { readonly total: bigint; readonly deficit: bigint };

function* addWallets(exchange: ExchangeState, add: Add): Generator<void, Owed> {
  const { accounts, vault, withdrawals } = exchange;
  const pending = new Map<AccountId, number>();
  for (const { account, amount } of withdrawals.values()) {
    pending.set(account, (pending.get(account) ?? 0) + amount);
  }
  const parked = new Map(vault.parked);
  let [total, deficit, passed] = [0n, 0n, 0];
  for (const account of accounts) {
    passed += 1;
    if (passed % accountsPerStep === 0) yield;
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
  return { total, deficit };
}

function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}
