// The vault's storage as a value: what a call makes of it. It follows contracts/vault in what the
// chain service can see, with a limit for instant payments instead of a bucket. It knows no blocks.

import type { Hex } from 'viem';
import { depositHash, noDeposits } from '../../src/chain/depositHash.ts';
import type { Report } from '../../src/chain/report/report.ts';
import type {
  DepositSlot,
  PaymentRecord,
  QueuePlace,
  VaultCall,
} from '../../src/chain/vaultNode.ts';
import type { Payment } from '../../src/chain/vaultTypes.ts';

export type VaultState = {
  readonly deposits: readonly DepositSlot[];
  readonly depositsHash: Hex;
  readonly records: ReadonlyMap<Hex, PaymentRecord>;
  readonly places: ReadonlyMap<Hex, { readonly readyAt: bigint; readonly generation: number }>;
  readonly generation: number;
  readonly paidTotal: bigint;
  /** What came by direct transfers. */
  readonly surplus: bigint;
  readonly isPaused: boolean;
  readonly blocked: ReadonlySet<Hex>;
  /** The storage has their count alone; the chain's log has them all. */
  readonly reports: readonly Report[];
};

export const emptyVault: VaultState = {
  deposits: [],
  depositsHash: noDeposits,
  records: new Map(),
  places: new Map(),
  generation: 0,
  paidTotal: 0n,
  surplus: 0n,
  isPaused: false,
  blocked: new Set(),
  reports: [],
};

export const instantMax = 40_000_000n;
export const queueDelay = 3600n;
export const threshold = 2;

const nothing: PaymentRecord = { to: '0x', units: 0n, state: 'none' };
export const recordOf = ({ records }: VaultState, id: Hex): PaymentRecord =>
  records.get(id) ?? nothing;

export function placeOf({ places, generation }: VaultState, id: Hex): QueuePlace {
  const place = places.get(id);
  return {
    readyAt: place?.readyAt ?? 0n,
    isVoid: place !== undefined && place.generation !== generation,
  };
}

export const depositTotal = ({ deposits }: VaultState): bigint => deposits.at(-1)?.cumulative ?? 0n;
export const heldBy = (state: VaultState): bigint =>
  depositTotal(state) + state.surplus - state.paidTotal;

export function addDeposit(state: VaultState, account: Hex, units: bigint): VaultState {
  const index = BigInt(state.deposits.length + 1);
  return {
    ...state,
    deposits: [...state.deposits, { account, cumulative: depositTotal(state) + units }],
    depositsHash: depositHash(state.depositsHash, index, { account, units }),
  };
}

/** Who has signed exactly these payments; undefined for anything else. */
export type WhoSigned = (payments: readonly Payment[], signature: Hex) => Hex | undefined;

/** Throws when the contract would revert. */
export function applyCall(
  state: VaultState,
  call: VaultCall,
  time: bigint,
  { signers, whoSigned }: { readonly signers: readonly Hex[]; readonly whoSigned: WhoSigned },
): VaultState {
  if (call.kind === 'report') return addReport(state, call.report);
  if (call.kind === 'cancelVoided') {
    return call.ids
      .filter((id) => placeOf(state, id).isVoid)
      .reduce((before, id) => cancelQueued(before, id), state);
  }
  if (state.isPaused) throw new Error('EnforcedPause');
  if (call.kind === 'payQueued') {
    return call.ids.reduce((before, id) => payQueued(before, id, time), state);
  }
  let last = '';
  for (const signature of call.signatures) {
    const signer = whoSigned(call.payments, signature);
    if (signer === undefined || signer <= last || !signers.includes(signer)) {
      throw new Error('SignerUnknown');
    }
    last = signer;
  }
  if (call.signatures.length < threshold) throw new Error('SignaturesTooFew');
  return call.payments.reduce((before, payment) => settle(before, payment, time), state);
}

export function addReport(state: VaultState, report: Report): VaultState {
  const { sequence, from, to } = report;
  if (sequence !== BigInt(state.reports.length + 1) || from > to) throw new Error('ReportInvalid');
  return { ...state, reports: [...state.reports, report] };
}

function settle(state: VaultState, { id, to, units, deadline }: Payment, time: bigint): VaultState {
  if (recordOf(state, id).state !== 'none' || time > deadline) return state;
  if (heldBy(state) < units) return state;
  if (units <= instantMax) return send(state, id, { to, units, state: 'paid' });
  const place = { readyAt: time + queueDelay, generation: state.generation };
  return {
    ...state,
    records: new Map(state.records).set(id, { to, units, state: 'queued' }),
    places: new Map(state.places).set(id, place),
  };
}

function payQueued(state: VaultState, id: Hex, time: bigint): VaultState {
  const record = recordOf(state, id);
  const { readyAt, isVoid } = placeOf(state, id);
  if (record.state !== 'queued' || time < readyAt || isVoid) return state;
  if (heldBy(state) < record.units) return state;
  return send(state, id, record);
}

function send(state: VaultState, id: Hex, { to, units }: PaymentRecord): VaultState {
  const isBlocked = state.blocked.has(to);
  return {
    ...state,
    records: new Map(state.records).set(id, { to, units, state: isBlocked ? 'failed' : 'paid' }),
    paidTotal: state.paidTotal + (isBlocked ? 0n : units),
  };
}

export function cancelQueued(state: VaultState, id: Hex): VaultState {
  const record = recordOf(state, id);
  if (record.state !== 'queued') return state;
  return { ...state, records: new Map(state.records).set(id, { ...record, state: 'cancelled' }) };
}
