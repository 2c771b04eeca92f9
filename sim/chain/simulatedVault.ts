// The vault's storage as a value: what a call makes of it. It follows contracts/vault in what the
// chain service can see, with a limit for instant payments instead of a bucket. It knows no blocks.

import type { Hex } from 'viem';
import { depositHash, noDeposits } from '../../src/chain/depositHash.ts';
import type { Report } from '../../src/chain/report/report.ts';
import type {
  DepositSlot,
  LastAnchor,
  PaymentRecord,
  QueuePlace,
  VaultCall,
} from '../../src/chain/vaultNode.ts';
import type { Anchor, Payment, ToSign } from '../../src/chain/vaultTypes.ts';

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
  readonly last: LastAnchor;
};

const zero: Hex = `0x${'0'.repeat(64)}`;
const noAnchor: Anchor = {
  ...{ epoch: 0n, root: zero, sum: 0n, deficit: 0n, leaves: 0n, depositCount: 0n, withdrawn: 0n },
  ...{ logPosition: 0n, logHash: zero, treeHash: zero },
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
  last: { anchor: noAnchor, acceptedAt: 0n, silence: 90n * 86_400n },
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

/** Who has signed exactly this; undefined for anything else. */
export type WhoSigned = (asked: ToSign, signature: Hex) => Hex | undefined;

/** Throws when the contract would revert. */
export function applyCall(
  state: VaultState,
  call: VaultCall,
  time: bigint,
  contract: SignerRule,
): VaultState {
  if (call.kind === 'report') return addReport(state, call.report);
  if (call.kind === 'anchor') {
    const { anchor, signatures } = call;
    checkAnchor(state, anchor);
    checkSigned(contract, { action: 'anchor', anchor }, signatures);
    return { ...state, last: { ...state.last, anchor, acceptedAt: time } };
  }
  if (call.kind === 'cancelVoided') {
    return call.ids
      .filter((id) => placeOf(state, id).isVoid)
      .reduce((before, id) => cancelQueued(before, id), state);
  }
  if (state.isPaused) throw new Error('EnforcedPause');
  if (call.kind === 'payQueued') {
    return call.ids.reduce((before, id) => payQueued(before, id, time), state);
  }
  checkSigned(contract, { action: 'pay', payments: call.payments }, call.signatures);
  return call.payments.reduce((before, payment) => settle(before, payment, time), state);
}

type SignerRule = { readonly signers: readonly Hex[]; readonly whoSigned: WhoSigned };

function checkSigned(
  { signers, whoSigned }: SignerRule,
  asked: ToSign,
  signatures: readonly Hex[],
): void {
  let last = '';
  for (const signature of signatures) {
    const signer = whoSigned(asked, signature);
    if (signer === undefined || signer <= last || !signers.includes(signer)) {
      throw new Error('SignerUnknown');
    }
    last = signer;
  }
  if (signatures.length < threshold) throw new Error('SignaturesTooFew');
}

function checkAnchor({ last, deposits, paidTotal }: VaultState, anchor: Anchor): void {
  const { epoch, depositCount, withdrawn, sum, deficit } = anchor;
  if (epoch !== last.anchor.epoch + 1n) throw new Error('EpochInvalid');
  if (depositCount > BigInt(deposits.length) || withdrawn > paidTotal)
    throw new Error('AnchorAhead');
  const came = deposits[Number(depositCount) - 1]?.cumulative ?? 0n;
  if (sum + withdrawn !== came + deficit) throw new Error('AnchorUnbalanced');
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
