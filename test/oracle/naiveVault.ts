// VLT-2 … VLT-6, NAT-3, MAR-8: deposits by their index, money that found no room, what an account
// may withdraw, and how a withdrawal ends. The hash of deposits is that of the chain's own side.

import type { Hex } from 'viem';
import { depositHash, noDeposits } from '../../src/chain/depositHash.ts';
import type { Command } from '../../src/engine/command.ts';
import { ceilDiv, least, most } from './exact.ts';
import { fundEarns } from './naiveDebit.ts';
import {
  equityOf,
  freezesOf,
  isOpen,
  maintenanceSum,
  marketOf,
  notionalOf,
} from './naiveFigures.ts';
import { settlementLoss } from './naiveFillCheck.ts';
import { owedIn } from './naiveFunding.ts';
import type { NaiveOutcome } from './naivePlace.ts';
import { addAccount, count, type NaiveAccount, type NaiveState } from './naiveState.ts';

type Of<Kind> = Extract<Command, { kind: Kind }>;

const done: NaiveOutcome = {};
/** BAL-2a: the exchange owes at most 4,500,000,000 USDT. */
export const owedMost = 4_500_000_000_000_000n;
const leastMost = 100_000_000;
const dayMs = 86_400_000;
const triesPerMinute = 1000;

export const roomOf = (state: NaiveState): bigint => owedMost - (state.deposits - state.vault.left);

export function bindVault(state: NaiveState, { address }: Of<'bindVault'>): NaiveOutcome {
  state.vault.address = address;
  return done;
}

export function creditDeposit(state: NaiveState, command: Of<'creditDeposit'>): NaiveOutcome {
  const { index, address, units, hash } = command;
  const { vault } = state;
  if (vault.address === '') return { reason: 'vaultMissing' };
  if (units <= 0) return { reason: 'amountInvalid' };
  if (index <= vault.deposits.length) return { reason: 'factKnown' };
  const deposit = { address, units: BigInt(units) };
  const isNext = index === vault.deposits.length + 1;
  if (!isNext || hash !== hashOf([...vault.deposits, deposit])) {
    return { reason: 'factContradicts' };
  }
  vault.deposits.push(deposit);
  park(state, deposit, deposit.units - arrive(state, deposit));
  return done;
}

/** Of all deposits, made anew each time. */
export function hashOf(deposits: NaiveState['vault']['deposits']): Hex {
  return deposits.reduce<Hex>(
    (hash, { address, units }, at) =>
      depositHash(hash, BigInt(at + 1), { account: address as Hex, units }),
    noDeposits,
  );
}

/** Credits as far as there is room; gives how much. */
function arrive(
  state: NaiveState,
  { address, units }: { readonly address: string; readonly units: bigint },
): bigint {
  const credited = least(units, roomOf(state));
  if (credited === 0n) return 0n;
  if (address === state.vault.address) fundEarns(state, credited);
  else {
    const account =
      state.accounts.find((other) => other.address === address) ?? addAccount(state, address);
    account.available += credited;
  }
  state.deposits += credited;
  return credited;
}

function park(state: NaiveState, { address }: { readonly address: string }, rest: bigint): void {
  if (rest === 0n) return;
  count(state, 'parked');
  const waiting = state.vault.parked.find((each) => each.address === address);
  if (waiting === undefined) state.vault.parked.push({ address, units: rest });
  else waiting.units += rest;
}

/** VLT-3: another minute; who keeps a rest goes to the end of the line. */
export function creditParked(state: NaiveState, before: number): void {
  if (Math.floor(before / 60_000) === Math.floor(state.time / 60_000)) return;
  const { vault } = state;
  for (const waiting of vault.parked.slice(0, triesPerMinute)) {
    if (roomOf(state) === 0n) return;
    count(state, 'unparked');
    const rest = waiting.units - arrive(state, waiting);
    vault.parked = vault.parked.filter((other) => other !== waiting);
    if (rest > 0n) vault.parked.push({ ...waiting, units: rest });
  }
}

/**
 * MAR-8: min(available, equity − kept) − funding owed so far; 0 while the account is being
 * liquidated, or while the mark of a cross position is in doubt (MAR-8b, MAR-8c).
 */
export function withdrawableOf(state: NaiveState, account: NaiveAccount): bigint {
  const held = account.positions.filter(({ lots }) => lots !== 0n);
  const inDoubt = held.some(({ market }) => {
    const { indexAt, pending } = marketOf(state, market);
    return state.time - indexAt > 30_000 || pending.length > 0;
  });
  if (account.flagged || (inDoubt && !account.isolated)) return 0n;
  let [bound, notional, settled, owed] = [freezesOf(state, account.id), 0n, 0n, 0n];
  for (const position of account.positions) {
    bound += position.collateral;
    notional += notionalOf(state, position);
    owed += owedIn(state, marketOf(state, position.market), account.id);
    if (!account.isolated) settled += settlementLoss(state, position.market, position.lots);
  }
  const maintained = maintenanceSum(state, account) + settled;
  const kept = most(most(bound, ceilDiv(notional, 10n)), maintained);
  return most(0n, least(account.available, equityOf(state, account) - kept) - owed);
}

export function requestWithdrawal(
  state: NaiveState,
  command: Of<'requestWithdrawal'>,
): NaiveOutcome {
  const { vault } = state;
  const account = state.accounts[command.account]!;
  const amount = BigInt(command.amount);
  if (amount <= 0n) return { reason: 'amountInvalid' };
  if (amount < vault.min) return { reason: 'withdrawalBelowMin' };
  if (amount > withdrawableOf(state, account)) return { reason: 'balanceInsufficient' };
  account.available -= amount;
  vault.withdrawals.push({
    ...{ id: 0, account: account.id, amount, fee: vault.fee },
    ...{ createdAt: state.time, state: 'requested' },
  });
  return done;
}

/** VLT-4, row by row. */
export function reportWithdrawal(state: NaiveState, command: Of<'reportWithdrawal'>): NaiveOutcome {
  const { vault } = state;
  const { id, createdAt, fact, blockTime } = command;
  const found = vault.withdrawals.find((each) => each.id === id && each.createdAt === createdAt);
  if (found === undefined || !isOpen(found)) return { reason: 'withdrawalUnknown' };
  const account = state.accounts[found.account]!;
  switch (fact) {
    case 'sent':
      if (found.state !== 'requested') return { reason: 'factKnown' };
      found.state = 'sent';
      return done;
    case 'queued':
      if (found.state === 'queued') return { reason: 'factKnown' };
      found.state = 'queued';
      return done;
    case 'paid':
      found.state = 'completed';
      vault.left += found.amount - found.fee;
      state.feeRevenue += found.fee;
      return done;
    case 'none': {
      const deadline = Math.floor((createdAt + dayMs) / 1000);
      const mayBePaid = found.state === 'queued' || blockTime <= deadline;
      if (mayBePaid) return { reason: 'factContradicts' };
      break;
    }
    default:
  }
  count(state, `released by ${fact}`);
  found.state = 'released';
  account.available += found.amount;
  return done;
}

/** VLT-5. */
export function setWithdrawalTerms(
  { vault }: NaiveState,
  { min, fee }: Of<'setWithdrawalTerms'>,
): NaiveOutcome {
  if (vault.address === '') return { reason: 'vaultMissing' };
  if (min <= 0 || min > leastMost || fee < 0 || fee >= min) return { reason: 'termsInvalid' };
  vault.min = BigInt(min);
  vault.fee = BigInt(fee);
  return done;
}
