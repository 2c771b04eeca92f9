// Anchors beside payments (VLT-8): neither starves the other, none is sent endlessly, and payments
// stop when anchors have stayed away for half of the time after which the exit may open. Method: a
// service over nodes that a test moves, for thousands of rounds.

import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import type { ChainParts } from '../../src/chain/service/chainParts.ts';
import { createChainService } from '../../src/chain/service/createChainService.ts';
import type { LastAnchor, VaultCall, VaultNode } from '../../src/chain/vaultNode.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import type { TreeJudgement } from '../../src/solvency/createTreeMaker.ts';

const hex = (value: bigint | number): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const noAnchor: Anchor = {
  ...{ epoch: 0n, root: hex(0), sum: 0n, deficit: 0n, leaves: 0n, depositCount: 0n, withdrawn: 0n },
  ...{ logPosition: 0n, logHash: hex(0), treeHash: hex(0) },
};
const silence = 604_800n;
const secondsPerBlock = 2n;

type Chain = {
  number: bigint;
  last: LastAnchor;
  gasBalance: bigint;
  /** What the contract does with an anchor that has come into a block. */
  onAnchor: (chain: Chain, anchor: Anchor) => void;
  gasOf: (call: VaultCall, node: number) => bigint;
  judgement: TreeJudgement;
  newest: number;
  isQuiet: boolean;
};

function createChain(changes: Partial<Chain> = {}): Chain {
  return {
    number: 1000n,
    last: { anchor: noAnchor, acceptedAt: 0n, silence },
    gasBalance: 10n ** 18n,
    onAnchor: accept,
    gasOf: () => 100_000n,
    judgement: 'right',
    newest: 5,
    isQuiet: false,
    ...changes,
  };
}

const timeOf = ({ number }: Chain): bigint => number * secondsPerBlock;

const accept = (chain: Chain, anchor: Anchor): void => {
  chain.last = { anchor, acceptedAt: timeOf(chain), silence };
};

function nodeOf(chain: Chain, at: number, nonce: () => number): VaultNode {
  return {
    name: String(at),
    identify: async () => ({ chainId: 43113, codeHash: '0x01' }),
    heads: async () => ({ latest: chain.number, finalized: chain.number }),
    observe: async (number) => ({
      ...{ number, hash: hex(number), time: number * secondsPerBlock, depositCount: 0n },
      ...{ depositsHash: hex(0), paidTotal: 0n, held: 10n ** 9n },
      ...{ isPaused: false, isExitOpen: false },
    }),
    deposits: async () => [],
    payments: async (_, ids) => ids.map(() => ({ to: '0x', units: 0n, state: 'none' })),
    places: async () => [],
    signerSet: async () => ({ signers: ['0x01'], threshold: 1 }),
    lastAnchor: async () => chain.last,
    keeper: async () => ({ reportCount: 0n, isKeeper: true }),
    report: async () => null,
    gasState: async () => ({
      ...{ nonce: nonce(), balance: chain.gasBalance, baseFee: 1n, tip: 1n },
      ...{ block: chain.number, time: timeOf(chain) },
    }),
    estimateGas: async (_, call) => {
      const gas = chain.gasOf(call, at);
      if (gas === 0n) throw new Error('it would revert');
      return gas;
    },
    send: async () => {},
  };
}

/** Rounds with a block each; what was sent and which alarms rang, by their numbers. */
async function run(chain: Chain, rounds: number, onRound: (at: number) => void = () => {}) {
  let [nonce, at] = [0, 0];
  const sent: Record<string, number> = {};
  const alarms: Record<string, number> = {};
  let signed: VaultCall | undefined;
  const view = () => {
    const open = { id: hex(at), to: '0x00', units: 1n, deadline: 10n ** 12n, state: 'sent' };
    const all = chain.isQuiet ? [] : [open];
    const none = { depositCount: 0n, depositsHash: hex(0), depositTotal: 0n, completedTotal: 0n };
    return { ...none, openCount: all.length, open: all };
  };
  const newestTree = () => ({
    ...{ position: chain.newest, batchHash: '0', root: '0', sum: 0n, deficit: 0n, leaves: 1 },
    ...{ depositCount: 0, withdrawn: 0n, fileHash: '0' },
  });
  const parts = {
    ...{ rule: { chainId: 43113, isTestnet: true, depthWhenStalled: null }, codeHash: '0x01' },
    ...{ nodes: [0, 1, 2].map((place) => nodeOf(chain, place, () => nonce)), maxFeeLimit: 100n },
    paymentsPerBatchMax: 200,
    engine: { view: async () => view(), submit: async (facts: []) => facts.map(() => 'taken') },
    signers: [{ address: '0x01', sign: async () => '0x01' }],
    readSigner: async () => '0x01',
    gasAccount: {
      address: '0x0a',
      sign: async ({ call }: { call: VaultCall }) => {
        signed = call;
        return '0x';
      },
    },
    anchors: { newestTree: async () => newestTree(), judgeAnchor: async () => chain.judgement },
  } as never as ChainParts;
  const service = createChainService(parts);
  for (; at < rounds; at += 1) {
    onRound(at);
    const round = await service.round();
    for (const { name } of round.alarms) alarms[name] = (alarms[name] ?? 0) + 1;
    chain.number += 1n;
    if (round.sent === undefined) continue;
    sent[round.sent] = (sent[round.sent] ?? 0) + 1;
    nonce += 1;
    if (signed?.kind === 'anchor') chain.onAnchor(chain, signed.anchor);
  }
  return { sent, alarms };
}

test('a stream of withdrawals keeps no anchor back, also from the first round on', async () => {
  const chain = createChain();
  const { sent, alarms } = await run(chain, 1000, (at) => {
    chain.newest = 5 + Math.floor(at / 300);
  });
  // A round is two seconds, so a tree comes each ten minutes.
  expect(sent.anchor).toBe(4);
  expect(sent.pay).toBe(996);
  expect(alarms).toEqual({});
});

test('gas that is too little for a batch is enough for an anchor', async () => {
  const gasOf = ({ kind }: VaultCall): bigint => (kind === 'pay' ? 15_000_000n : 100_000n);
  const { sent, alarms } = await run(createChain({ gasOf, gasBalance: 4_000_000n }), 20);
  expect(sent).toEqual({ anchor: 1 });
  expect(alarms.gasAccountLow).toBeGreaterThan(10);
});

test('an anchor that takes no effect, or is always followed by an older one, costs little', async () => {
  const rounds = 3000;
  const most = (rounds * Number(secondsPerBlock)) / 120;
  const lost = await run(createChain({ onAnchor: () => {} }), rounds);
  expect(lost.sent.anchor).toBeLessThan(most / 2);
  expect(lost.sent.pay).toBeGreaterThan(0.9 * rounds);
  // Thieves follow each anchor with a true one of an earlier tree.
  const thieves = createChain({
    newest: 90,
    onAnchor: (chain, { epoch }) => {
      accept(chain, { ...noAnchor, epoch: epoch + 1n, logPosition: 5n });
    },
  });
  const war = await run(thieves, rounds);
  expect(war.sent.anchor).toBeLessThan(most / 2);
  expect(war.sent.pay).toBeGreaterThan(0.9 * rounds);
});

test('an anchor with a later number and an earlier place rings', async () => {
  const chain = createChain({ isQuiet: true });
  const { alarms } = await run(chain, 300, (at) => {
    if (at === 100) accept(chain, { ...noAnchor, epoch: 9n, logPosition: 3n });
  });
  expect(alarms).toEqual({ anchorWentBack: expect.any(Number) });
});

test('one false node does not have an anchor sent that the others call reverted', async () => {
  const gasOf = (call: VaultCall, node: number): bigint =>
    call.kind === 'anchor' && node > 0 ? 0n : 100_000n;
  const { sent, alarms } = await run(createChain({ gasOf, isQuiet: true }), 200);
  expect(sent).toEqual({});
  expect(alarms.callReverts).toBeGreaterThan(0);
});

test('payments stop when no anchor came for half of the silence, and go on with the next one', async () => {
  const chain = createChain({ newest: 5 });
  accept(chain, { ...noAnchor, epoch: 1n, logPosition: 5n });
  const before = chain.number;
  // No tree is made any more.
  const first = await run(chain, 50);
  expect(first.sent).toEqual({ pay: 49 });
  chain.number = before + silence / 2n / secondsPerBlock + 2n;
  const late = await run(chain, 50);
  expect(late.alarms.anchorOld).toBeGreaterThan(40);
  expect(late.sent.pay ?? 0).toBeLessThan(3);
  const again = await run(chain, 200, () => {
    chain.newest = 6;
  });
  expect(again.sent.anchor).toBe(1);
  expect(again.sent.pay).toBeGreaterThan(150);
});
