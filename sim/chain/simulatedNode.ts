// An RPC node over the simulated chain, with what nodes do wrong. A node that lies does so in every
// answer; one that is late answers truly about a chain that it sees late.

import { type Hex, padHex } from 'viem';
import type { BlockWindow, Report } from '../../src/chain/report/report.ts';
import type { Observation, VaultCall, VaultNode } from '../../src/chain/vaultNode.ts';
import type { Prng } from '../../src/std/prng.ts';
import { ancestorAt, type Block, finalDepth, type SimulatedChain } from './simulatedChain.ts';
import {
  addDeposit,
  emptyVault,
  heldBy,
  placeOf,
  recordOf,
  threshold,
  type VaultState,
} from './simulatedVault.ts';

export const lies = ['empty', 'forge', 'fork', 'foreign'] as const;
export type NodeMode = 'good' | 'late' | 'dead' | (typeof lies)[number];

/** What a node is now; the services ask it by ports of their own. */
export type NodeState = { readonly name: string; mode: NodeMode; head: Block };

/** A mistake that the service could make, planted here so that the service has no such setting. */
export type Control = 'none' | 'oneConfirmation' | 'releaseByLatest';

export type NodeWorld = {
  readonly chain: SimulatedChain;
  readonly prng: Prng;
  readonly control: Control;
  readonly signers: readonly Hex[];
  readonly chainId: number;
  readonly codeHash: Hex;
  readonly gasBalance: () => bigint;
  readonly send: (transaction: Hex) => void;
};

/** Runs an act when its turn has come; never, when its service is killed before. */
export type Turn = <Result>(act: () => Result) => Promise<Result>;

export function createSimulatedNode(state: NodeState, world: NodeWorld, turn: Turn): VaultNode {
  const ask = <Answer>(read: (answers: Answers) => Answer): Promise<Answer> =>
    turn(() => {
      if (state.mode === 'dead') throw new Error('no answer');
      return read(createAnswers(state, world));
    });
  return {
    name: state.name,
    identify: () => ask((answers) => answers.identity()),
    heads: () => ask((answers) => answers.heads()),
    observe: (number) => ask((answers) => answers.observe(number)),
    deposits: (block, first, count) =>
      ask((answers) => {
        const slots = [{ account: padHex('0x', { size: 20 }), cumulative: 0n }];
        slots.push(...answers.vaultAt(block).deposits);
        return answers.isEmpty ? [] : slots.slice(Number(first), Number(first) + count);
      }),
    payments: (block, ids) =>
      ask((answers) => {
        const vault = answers.paymentsAt(block);
        return ids.map((id) => recordOf(vault, id));
      }),
    places: (block, ids) => ask((answers) => ids.map((id) => placeOf(answers.vaultAt(block), id))),
    signerSet: () => ask(() => ({ signers: world.signers, threshold })),
    gasState: () =>
      ask(({ isForger }) => ({
        nonce: state.head.nonce + (isForger ? 50 : 0),
        balance: isForger ? 0n : world.gasBalance(),
        baseFee: world.chain.baseFee() * (isForger ? 1000n : 1n),
        tip: 1n,
        block: state.head.number,
        time: state.head.time,
      })),
    keeper: (block) =>
      ask((answers) => {
        const vault = block === 'latest' ? answers.latest() : answers.vaultAt(block);
        return { reportCount: BigInt(vault.reports.length), isKeeper: true };
      }),
    lastAnchor: (block) =>
      ask((answers) => (block === 'latest' ? answers.latest() : answers.vaultAt(block)).last),
    report: (sequence, window) => ask((answers) => answers.report(sequence, window)),
    estimateGas: (_, call) => ask(() => gasOf(call)),
    send: (transaction) =>
      ask(({ isLiar }) => {
        if (!isLiar) world.send(transaction);
      }),
  };
}

function gasOf(call: VaultCall): bigint {
  if (call.kind === 'report' || call.kind === 'anchor') return 60_000n;
  return BigInt(call.kind === 'pay' ? call.payments.length : call.ids.length) * 100_000n;
}

type Answers = {
  readonly isLiar: boolean;
  readonly isForger: boolean;
  readonly isEmpty: boolean;
  readonly identity: () => { chainId: number; codeHash: Hex };
  readonly heads: () => { latest: bigint; finalized: bigint };
  readonly observe: (number: bigint) => Observation;
  readonly vaultAt: (block: Hex) => VaultState;
  readonly paymentsAt: (block: Hex | 'latest') => VaultState;
  readonly latest: () => VaultState;
  readonly report: (sequence: bigint, window: BlockWindow) => Report | null;
};

function createAnswers({ mode, head }: NodeState, world: NodeWorld): Answers {
  const { control, prng } = world;
  const [isForger, isEmpty] = [mode === 'forge', mode === 'empty'];
  const lie = (vault: VaultState): VaultState => {
    if (isEmpty) return { ...emptyVault, isPaused: vault.isPaused };
    return isForger || mode === 'fork' ? forge(vault, prng) : vault;
  };
  const blockOf = (hash: Hex): Block => {
    let block: Block | undefined = head;
    while (block !== undefined && block.hash !== hash) block = block.parent;
    if (block === undefined) throw new Error('unknown block');
    return block;
  };
  const vaultAt = (hash: Hex): VaultState => lie(blockOf(hash).vault);
  return {
    isForger,
    isEmpty,
    isLiar: isForger || mode === 'fork' || isEmpty,
    vaultAt,
    identity: () => ({
      chainId: mode === 'foreign' ? 1 : world.chainId,
      codeHash: world.codeHash,
    }),
    heads: () => {
      const latest = head.number + (isForger ? BigInt(prng.below(2000)) : 0n);
      const depth = control === 'oneConfirmation' ? 0n : finalDepth;
      return { latest, finalized: latest > depth ? latest - depth : 0n };
    },
    observe: (number) => {
      const block = ancestorAt(head, number);
      if (block?.number !== number) throw new Error('unknown block');
      const vault = lie(block.vault);
      return {
        number,
        hash: mode === 'fork' ? padHex(`0xf0${number.toString(16)}`) : block.hash,
        time: control === 'releaseByLatest' ? head.time : block.time + (isForger ? 900_000n : 0n),
        depositCount: BigInt(vault.deposits.length),
        depositsHash: vault.depositsHash,
        paidTotal: (control === 'releaseByLatest' ? lie(head.vault) : vault).paidTotal,
        held: heldBy(vault),
        isPaused: vault.isPaused,
        isExitOpen: false,
      };
    },
    latest: () => lie(head.vault),
    report: (sequence, { from, to }) => {
      if (head.number < to) throw new Error('unknown block');
      const before = from === 0n ? emptyVault : ancestorAt(head, from - 1n)!.vault;
      const { reports } = lie(ancestorAt(head, to)!.vault);
      return before.reports.length < sequence ? (reports[Number(sequence) - 1] ?? null) : null;
    },
    paymentsAt: (block) =>
      block === 'latest' || control === 'releaseByLatest' ? lie(head.vault) : vaultAt(block),
  };
}

/** Deposits that no one made, payments that were not made and those that were, forgotten. */
function forge(vault: VaultState, prng: Prng): VaultState {
  const records = new Map(vault.records);
  for (const [id, record] of records) {
    const kind = prng.below(3);
    if (kind === 0) records.delete(id);
    if (kind === 1) records.set(id, { ...record, state: 'paid' });
    if (kind === 2) records.set(id, { ...record, state: 'failed' });
  }
  const account = padHex(`0x${(prng.below(1000) + 1).toString(16)}`, { size: 20 });
  return {
    ...addDeposit(vault, account, 1_000_000_000n),
    records,
    paidTotal: vault.paidTotal + 7n,
    reports: vault.reports.map((report) => ({ ...report, to: report.to + 1n })),
  };
}
