// A world for the chain service: chain, nodes, engine, signers, users and the services themselves,
// all driven by one seed. Each call of a port is a step; between any two steps anything may happen,
// a kill too.

import { type Hex, keccak256, padHex, toHex } from 'viem';
import type { ChainFact, FactResult } from '../../src/chain/chainEngine.ts';
import { chainRuleOf } from '../../src/chain/finalNumber.ts';
import type { Report } from '../../src/chain/report/report.ts';
import { textOf } from '../../src/chain/service/askQuorum.ts';
import type { ChainParts, GasTransaction } from '../../src/chain/service/chainParts.ts';
import {
  type ChainService,
  createChainService,
  type Round,
} from '../../src/chain/service/createChainService.ts';
import { createCheck } from '../../src/chain/signers/createCheck.ts';
import type { Signer } from '../../src/chain/signers/signer.ts';
import type { Anchor, ToSign } from '../../src/chain/vaultTypes.ts';
import { createPrng, type Prng, seedOf } from '../../src/std/prng.ts';
import { createSimulatedChain, type SimulatedChain } from './simulatedChain.ts';
import { createSimulatedEngine, type SimulatedEngine } from './simulatedEngine.ts';
import { type Control, createSimulatedNode, type NodeState, type Turn } from './simulatedNode.ts';
import { createSimulatedReports, type SimulatedReports } from './simulatedReports.ts';
import { createSimulatedTrees, type SimulatedTrees } from './simulatedTrees.ts';
import { applyCall } from './simulatedVault.ts';

const chainId = 43113;
const codeHash = keccak256('0x01');
export const addressOf = (name: string): Hex => `0x${keccak256(toHex(name)).slice(26)}`;

type Pending = { readonly run: () => void; readonly hasEffect: boolean };

/** A service and what it waits for. */
export type Running = {
  readonly service: ChainService;
  readonly waiting: Pending[];
  isInRound: boolean;
  isKilled: boolean;
};

export type ChainWorld = {
  readonly prng: Prng;
  readonly control: Control;
  readonly chain: SimulatedChain;
  readonly engine: SimulatedEngine;
  readonly reports: SimulatedReports;
  readonly trees: SimulatedTrees;
  readonly nodes: readonly NodeState[];
  readonly users: readonly Hex[];
  readonly running: Running[];
  /** Every transaction that was ever signed: anyone may send its batch again. */
  readonly signed: Map<Hex, GasTransaction>;
  gasBalance: bigint;
  /** The place of the signer that lies; -1: none. */
  liar: number;
  /** The signers' replicas follow the engine until they stop doing so for a while. */
  readonly replicaIsLate: boolean[];
  /** Called before a service may send a batch of payments, and before the engine takes facts. */
  onAct: (what: 'pay' | 'facts') => void;
  /** Called before a service may send an anchor. */
  onAnchor: (anchor: Anchor) => void;
  /** Called before a service may send a report. */
  onReport: (report: Report) => void;
  /** `isAlone`: no other service was there from the round's beginning to its end. */
  onRound: (round: Round, isAlone: boolean) => void;
  /** Counts starts and kills. */
  changes: number;
  readonly counts: Map<string, number>;
};

export function count(world: ChainWorld, name: string): void {
  world.counts.set(name, (world.counts.get(name) ?? 0) + 1);
}

export function createChainWorld(seed: number, control: Control): ChainWorld {
  const chain = createSimulatedChain();
  const head = chain.head();
  return {
    prng: createPrng(seedOf(seed, 'chain')),
    control,
    chain,
    engine: createSimulatedEngine(),
    reports: createSimulatedReports(),
    trees: createSimulatedTrees(chainId),
    nodes: ['one', 'two', 'three'].map((name) => ({ name, mode: 'good', head })),
    users: Array.from({ length: 6 }, (_, at) => addressOf(`user ${at}`)),
    running: [],
    signed: new Map(),
    gasBalance: 10n ** 18n,
    liar: -1,
    replicaIsLate: [false, false, false],
    onAct: () => {},
    onAnchor: () => {},
    onReport: () => {},
    onRound: () => {},
    changes: 0,
    counts: new Map(),
  };
}

const signers = Array.from({ length: 3 }, (_, at) => addressOf(`signer ${at}`)).sort();

/** A signature of the simulation: who, and the hash of what. */
const seal = (signer: Hex, asked: ToSign): Hex =>
  `${signer}${keccak256(toHex(textOf(asked))).slice(2)}`;

export const contract = {
  signers,
  whoSigned: (asked: ToSign, signature: Hex): Hex | undefined => {
    const signer = signature.slice(0, 42) as Hex;
    return signature === seal(signer, asked) ? signer : undefined;
  },
};

/** Starts a service with an empty memory. */
export function startService(world: ChainWorld): Running {
  const waiting: Pending[] = [];
  const turnWith =
    (hasEffect: boolean): Turn =>
    (act) =>
      new Promise((resolve, reject) => {
        const run = (): void => {
          try {
            resolve(act());
          } catch (error) {
            reject(error);
          }
        };
        waiting.push({ run, hasEffect });
      });
  const turn = turnWith(true);
  const parts: ChainParts = {
    rule: chainRuleOf(chainId),
    codeHash,
    nodes: world.nodes.map((state) => createSimulatedNode(state, nodeWorld(world), turn)),
    engine: {
      view: async (part) => world.engine.view(part),
      submit: (facts) => turn(() => submit(world, facts)),
    },
    signers: signers.map((address, at) => createSigner(world, { address, at, turn })),
    readSigner: async (asked, signature) => contract.whoSigned(asked, signature),
    gasAccount: {
      address: addressOf('gas'),
      sign: (transaction) => turnWith(false)(() => signTransaction(world, transaction)),
    },
    maxFeeLimit: 2000n,
    paymentsPerBatchMax: 8,
    anchors: {
      newestTree: () => turn(() => world.trees.newest()),
      judgeAnchor: (claim) => turn(() => world.trees.judge(claim)),
    },
    reports: {
      source: {
        judgeReport: (report) => turn(() => world.reports.judge(report)),
        isPublished: (report) => turn(() => world.reports.isPublished(report)),
        nextReport: (after, sequence) => turn(() => world.reports.next(after, sequence)),
      },
      deployBlock: 0n,
    },
  };
  const service = createChainService(parts);
  const running: Running = { service, waiting, isInRound: false, isKilled: false };
  world.running.push(running);
  world.changes += 1;
  return running;
}

function submit(world: ChainWorld, facts: readonly ChainFact[]): FactResult[] {
  const isOfChain = facts.some((fact) => fact.kind === 'deposit' || fact.fact !== 'sent');
  if (isOfChain) world.onAct('facts');
  const results = world.engine.submit(facts);
  for (const [at, fact] of facts.entries()) {
    if (results[at] === 'taken') count(world, fact.kind === 'deposit' ? 'credited' : fact.fact);
  }
  return results;
}

const nodeWorld = (world: ChainWorld): Parameters<typeof createSimulatedNode>[1] => ({
  chain: world.chain,
  prng: world.prng,
  control: world.control,
  signers,
  chainId,
  codeHash,
  gasBalance: () => world.gasBalance,
  send: (transaction) => {
    const { call, nonce, fees } = world.signed.get(transaction)!;
    const effect = (vault: Parameters<typeof applyCall>[0], time: bigint) =>
      applyCall(vault, call, time, contract);
    world.chain.add({ effect, gas: { nonce, maxFee: fees.maxFee } });
  },
});

function signTransaction(world: ChainWorld, transaction: GasTransaction): Hex {
  const { call } = transaction;
  if (call.kind === 'pay') world.onAct('pay');
  if (call.kind === 'anchor') world.onAnchor(call.anchor);
  if (call.kind === 'report') world.onReport(call.report);
  const name = padHex(toHex(world.signed.size + 1));
  world.signed.set(name, transaction);
  return name;
}

function createSigner(
  world: ChainWorld,
  { address, at, turn }: { readonly address: Hex; readonly at: number; readonly turn: Turn },
): Signer {
  let open = new Map(world.engine.state().open);
  const check = createCheck({
    replica: {
      openByIds: async (ids) => ids.map((id) => open.get(id)),
      isConserved: async () => true,
      judgeTree: async (claim) => (world.replicaIsLate[at] ? 'ahead' : world.trees.judge(claim)),
    },
    unitsPerHourMax: 10n ** 15n,
    store: { load: () => [], append: () => {} },
    anchors: { load: () => undefined, save: () => {} },
    interval: 1n,
  });
  const sign = async (asked: ToSign): Promise<Hex> => {
    if (world.liar === at) return lieAbout(world.prng, address, asked);
    if (!world.replicaIsLate[at]) open = new Map(world.engine.state().open);
    await check(asked, world.chain.head().time);
    return seal(address, asked);
  };
  return {
    address,
    sign: async (asked) => (await turn(() => ({ signed: sign(asked) }))).signed,
  };
}

/** Something else, another signer's name, garbage, or nothing. */
function lieAbout(prng: Prng, address: Hex, asked: ToSign): Hex {
  const kind = prng.below(4);
  if (kind === 0) return seal(address, doubled(asked));
  if (kind === 1) return seal(signers.find((each) => each !== address)!, asked);
  if (kind === 2) return '0x00';
  throw new Error('no');
}

function doubled(asked: ToSign): ToSign {
  if (asked.action === 'anchor') {
    return { ...asked, anchor: { ...asked.anchor, sum: asked.anchor.sum * 2n } };
  }
  const [first, ...rest] = asked.payments;
  return { ...asked, payments: [{ ...first!, units: first!.units * 2n }, ...rest] };
}

/** Takes up to so many steps of the services, and then lets all that follows from them happen. */
export async function takeSteps(world: ChainWorld, steps: number): Promise<void> {
  for (let left = steps; left > 0; left -= 1) {
    const able = world.running.filter(({ waiting }) => waiting.length > 0);
    if (able.length === 0) break;
    const { waiting } = able[world.prng.below(able.length)]!;
    const [step] = waiting.splice(world.prng.below(waiting.length), 1);
    step!.run();
  }
  await new Promise(setImmediate);
  for (const running of world.running) if (!running.isInRound) beginRound(world, running);
}

function beginRound(world: ChainWorld, running: Running): void {
  running.isInRound = true;
  const { changes } = world;
  running.service.round().then(
    (round) => {
      running.isInRound = false;
      const isAlone = world.running.length === 1 && world.changes === changes;
      if (!running.isKilled) world.onRound(round, isAlone);
    },
    (error: Error) => {
      throw error;
    },
  );
}

/** What was on its way arrives or does not; no answer comes back. */
export function kill(world: ChainWorld, running: Running): void {
  running.isKilled = true;
  world.changes += 1;
  for (const { run, hasEffect } of running.waiting) {
    if (hasEffect && world.prng.below(2) === 0) run();
  }
  running.waiting.length = 0;
  world.running.splice(world.running.indexOf(running), 1);
}
