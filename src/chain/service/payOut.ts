// Sends the next transaction to the vault: chosen, signed, priced and given to the nodes. Only one
// waits at a time, at the nonce that the chain expects next; when it is stuck, the next one takes
// its place at the same nonce. It may be wrong about what is on its way: that costs gas and no
// money.

import type { Hex } from 'viem';
import type { OpenWithdrawal } from '../chainEngine.ts';
import {
  type GasState,
  idsPerReadMax,
  type Observation,
  type PaymentState,
  type QueuePlace,
  type VaultCall,
  type VaultNode,
} from '../vaultNode.ts';
import type { Alarm } from './alarm.ts';
import { askEach, askQuorum, quorum, reachedByQuorum } from './askQuorum.ts';
import type { ChainParts, GasAccount } from './chainParts.ts';
import { type Chance, choosePayments, chooseQueued, splitQueued } from './choosePayments.ts';
import type { Recorded } from './factOf.ts';
import { gatherSignatures } from './gatherSignatures.ts';
import { type Fees, planFees } from './planFees.ts';

/** What a service remembers of its payments. After a start it is empty, and no harm is done. */
export type PayMemory = {
  /** The last transaction, and the newest block when it was sent. */
  waiting: { readonly nonce: number; readonly fees: Fees; readonly block: bigint } | undefined;
  /** What a batch holds now: half as much after each one that could not be computed or signed. */
  countMax: number;
  /** Calls so far; the kinds take turns. */
  turn: number;
  /** Withdrawals that too few have signed alone, as above a cap: others go before them. */
  readonly unsigned: Map<Hex, Unsigned>;
};

/** Until when one is passed over, by the time of the newest block, and for how long; seconds. */
type Unsigned = { readonly until: bigint; readonly wait: bigint };

export type PayOut = { readonly sent?: VaultCall; readonly alarms: readonly Alarm[] };

/** Blocks without the transaction before it counts as stuck. */
const stuckBlocks = 3n;
const gasLimitMax = 30_000_000n;
/** How long one that is not signed alone is passed over: twice as long each time. */
const unsignedMin = 60n;
const unsignedMax = 600n;
const forgottenAfter = 3600n;

/** What is known when a round has read everything. */
export type PayChance = {
  readonly nodes: readonly VaultNode[];
  readonly block: Observation;
  readonly recorded: readonly Recorded[];
  /** Without it the vault is sent what is no payment. */
  readonly mayPay: boolean;
  /** What else may be sent: when there is no payment, or before all payments. */
  readonly other: {
    readonly isFirst: boolean;
    readonly choose: (alarms: Alarm[]) => Promise<VaultCall | undefined>;
  };
};

export async function payOut(
  parts: ChainParts,
  chance: PayChance,
  memory: PayMemory,
): Promise<PayOut> {
  const { nodes } = chance;
  const { gasAccount } = parts;
  if (gasAccount === undefined) return { alarms: [] };
  const gas = await readGasState(nodes, gasAccount.address);
  if (gas === undefined || isOnItsWay(memory, gas)) return { alarms: [] };
  const alarms: Alarm[] = [];
  const { mayPay, other } = chance;
  const call =
    (other.isFirst ? await other.choose(alarms) : undefined) ??
    (mayPay ? await chooseCall(parts, chance, { memory, gas, alarms }) : undefined) ??
    (other.isFirst ? undefined : await other.choose(alarms));
  if (call === undefined) return { alarms };
  const paying = { ...parts, gasAccount };
  if (await sendCall(paying, nodes, { call, memory, gas, alarms })) return { sent: call, alarms };
  // What is no payment may need less gas.
  const next = isOther(call) ? undefined : await other.choose(alarms);
  const isSent =
    next !== undefined && (await sendCall(paying, nodes, { call: next, memory, gas, alarms }));
  return isSent ? { sent: next, alarms } : { alarms };
}

const isOther = ({ kind }: VaultCall): boolean => kind === 'report' || kind === 'anchor';

type Batch = Pick<PayChance, 'nodes' | 'block' | 'recorded'>;

/** Parts of a service that pays. */
type Paying = ChainParts & { readonly gasAccount: GasAccount };

type PaidCall = Extract<VaultCall, { readonly kind: 'pay' }>;

type Turn = { readonly memory: PayMemory; readonly gas: GasState; readonly alarms: Alarm[] };

/** Each member is one that a single false node moves only among the others. */
async function readGasState(
  nodes: readonly VaultNode[],
  account: Hex,
): Promise<GasState | undefined> {
  const answers = await askEach(nodes, (node) => node.gasState(account));
  const states = answers.filter((each) => each !== undefined);
  if (states.length < quorum) return undefined;
  return {
    nonce: reachedByQuorum(states.map(({ nonce }) => nonce))!,
    balance: reachedByQuorum(states.map(({ balance }) => balance))!,
    baseFee: reachedByQuorum(states.map(({ baseFee }) => baseFee))!,
    tip: reachedByQuorum(states.map(({ tip }) => tip))!,
    block: reachedByQuorum(states.map(({ block }) => block))!,
    time: reachedByQuorum(states.map(({ time }) => time))!,
  };
}

function isOnItsWay(memory: PayMemory, { nonce, block }: GasState): boolean {
  const { waiting } = memory;
  if (waiting !== undefined && nonce > waiting.nonce) memory.waiting = undefined;
  return memory.waiting !== undefined && block < memory.waiting.block + stuckBlocks;
}

async function chooseCall(
  parts: ChainParts,
  { nodes, block, recorded }: Batch,
  { memory, gas, alarms }: Turn,
): Promise<VaultCall | undefined> {
  const { held } = block;
  const chance = { time: gas.time, held, countMax: memory.countMax };
  const isSignable = ({ withdrawal: { id } }: Recorded): boolean =>
    (memory.unsigned.get(id)?.until ?? 0n) <= gas.time;
  const inState = (state: PaymentState): readonly Recorded[] =>
    recorded.filter(({ record }) => record.state === state);
  const queued = await chooseUnchanged(nodes, inState('queued'), chance, chooseQueued);
  const places = await readPlaces(nodes, block, queued);
  const { payable, voided } = splitQueued(places === undefined ? [] : queued, places ?? [], chance);
  const unpaid = inState('none').filter(isSignable);
  const payments = await chooseUnchanged(nodes, unpaid, chance, choosePayments);
  const kinds = (['pay', 'payQueued', 'cancelVoided'] as const).filter((kind) =>
    kind === 'pay' ? payments.length > 0 : (kind === 'payQueued' ? payable : voided).length > 0,
  );
  const kind = kinds[memory.turn % kinds.length];
  memory.turn += 1;
  if (kind === undefined) return undefined;
  if (kind !== 'pay') return { kind, ids: kind === 'payQueued' ? payable : voided };
  return signPayments(parts, { nodes, block, recorded }, { payments, memory, gas, alarms });
}

async function readPlaces(
  nodes: readonly VaultNode[],
  { hash }: Observation,
  queued: readonly OpenWithdrawal[],
): Promise<readonly QueuePlace[] | undefined> {
  if (queued.length === 0) return [];
  const ids = queued.map(({ id }) => id);
  const places = await askQuorum(nodes, (node) => node.places(hash, ids));
  return places?.length === queued.length ? places : undefined;
}

/**
 * Chooses the first ones that have not changed after the final block, as many as a call takes.
 * Whether they have is asked in parts, as far as it is needed.
 */
async function chooseUnchanged<Choice>(
  nodes: readonly VaultNode[],
  candidates: readonly Recorded[],
  chance: Omit<Chance, 'recorded' | 'changed'>,
  choose: (chance: Chance) => Choice[],
): Promise<Choice[]> {
  const changed = new Set<Hex>();
  let chosen: Choice[] = [];
  let from = 0;
  while (from < candidates.length && chosen.length < chance.countMax) {
    const part = candidates.slice(from, from + idsPerReadMax);
    from += part.length;
    for (const id of await readChanged(nodes, part)) changed.add(id);
    chosen = choose({ ...chance, recorded: candidates.slice(0, from), changed });
  }
  return chosen;
}

/** Ids that a quorum of nodes has seen change after the final block. */
async function readChanged(
  nodes: readonly VaultNode[],
  recorded: readonly Recorded[],
): Promise<ReadonlySet<Hex>> {
  const ids = recorded.map(({ withdrawal }) => withdrawal.id);
  const answers = await askEach(nodes, (node) => node.payments('latest', ids));
  const seen = (at: number): number =>
    answers.filter((answer) => (answer?.[at]?.state ?? 'none') !== recorded[at]!.record.state)
      .length;
  return new Set(ids.filter((_, at) => seen(at) >= quorum));
}

/** The log says first that the withdrawals are sent, then the signers are asked. */
async function signPayments(
  { engine, signers, readSigner }: ChainParts,
  { nodes, block, recorded }: Batch,
  { payments, memory, gas, alarms }: Turn & Pick<PaidCall, 'payments'>,
): Promise<VaultCall | undefined> {
  const chosen = new Set(payments.map(({ id }) => id));
  const unsent = recorded.filter(
    ({ withdrawal: { id, state } }) => chosen.has(id) && state === 'requested',
  );
  const results = await engine.submit(
    unsent.map(({ withdrawal: { id } }) => ({
      kind: 'withdrawal',
      id,
      fact: 'sent',
      blockTime: 0n,
    })),
  );
  // Another service was quicker, or the withdrawal has ended: the next round sees which.
  if (results.some((result) => result !== 'taken')) return undefined;
  const set = await askQuorum(nodes, (node) => node.signerSet(block.hash));
  if (set === undefined) return undefined;
  const { signatures, failures } = await gatherSignatures(
    signers,
    set,
    { action: 'pay', payments },
    readSigner,
  );
  alarms.push(...failures.map((detail) => ({ name: 'signerFails' as const, detail })));
  if (signatures === undefined) {
    alarms.push({ name: 'signaturesTooFew', detail: `${set.threshold} are needed` });
    // A smaller batch may be within the caps of the signers.
    memory.countMax = Math.max(1, payments.length >> 1);
    if (payments.length === 1) passOver(memory, payments[0]!.id, gas.time);
    return undefined;
  }
  return { kind: 'pay', payments, signatures };
}

/** Otherwise one withdrawal above the cap of a signer would keep all later ones back. */
function passOver({ unsigned }: PayMemory, id: Hex, time: bigint): void {
  const { wait } = unsigned.get(id) ?? { wait: unsignedMin };
  const next = wait * 2n > unsignedMax ? unsignedMax : wait * 2n;
  unsigned.set(id, { until: time + wait, wait: next });
  // Those that were not tried again have ended.
  for (const [each, { until }] of unsigned) {
    if (until + forgottenAfter <= time) unsigned.delete(each);
  }
}

async function sendCall(
  { gasAccount, maxFeeLimit, paymentsPerBatchMax }: Paying,
  nodes: readonly VaultNode[],
  { call, memory, gas, alarms }: Turn & { readonly call: VaultCall },
): Promise<boolean> {
  const fees = planFees(gas, memory.waiting?.fees, maxFeeLimit);
  const isCapped = fees === undefined || (memory.waiting && fees.maxFee === maxFeeLimit);
  if (isCapped) alarms.push({ name: 'feeCapReached', detail: `the base fee is ${gas.baseFee}` });
  if (fees === undefined) return false;
  const estimates = await askEach(nodes, (node) => node.estimateGas(gasAccount.address, call));
  const known = estimates.filter((each) => each !== undefined);
  const estimate = reachedByQuorum(known);
  if (estimate === undefined || estimate > gasLimitMax) {
    if (isOther(call)) {
      alarms.push({ name: 'callReverts', detail: call.kind });
      return false;
    }
    memory.countMax = Math.max(1, memory.countMax >> 1);
    alarms.push({ name: 'callReverts', detail: `${call.kind}, next with ${memory.countMax} ids` });
    return false;
  }
  memory.countMax = Math.min(paymentsPerBatchMax, 2 * memory.countMax);
  const limit = (estimate * 5n) / 4n;
  const limited = limit > gasLimitMax ? gasLimitMax : limit;
  if (limited * fees.maxFee > gas.balance) {
    alarms.push({ name: 'gasAccountLow', detail: `${gasAccount.address} has ${gas.balance}` });
    return false;
  }
  const signed = await gasAccount.sign({ call, nonce: gas.nonce, gas: limited, fees });
  // Accepted or not: a node that has an earlier one asks for a larger fee.
  memory.waiting = { nonce: gas.nonce, fees, block: gas.block };
  await askEach(nodes, (node) => node.send(signed));
  return true;
}
