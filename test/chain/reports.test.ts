// When the keeper reports and what (KPR-1, KPR-4), over nodes whose vault has a list of reports,
// each in a block. The simulation (chainSeeds.test.ts) has the kills and the reorganisations.

import { type Hex, padHex } from 'viem';
import { expect, test } from 'vitest';
import { chooseReport, createReportMemory, noteSent } from '../../src/chain/report/chooseReport.ts';
import type { Report, ReportSource } from '../../src/chain/report/report.ts';
import type { Alarm } from '../../src/chain/service/alarm.ts';
import type { ChainParts } from '../../src/chain/service/chainParts.ts';
import { type PayChance, payOut } from '../../src/chain/service/payOut.ts';
import type { Observation, VaultCall, VaultNode } from '../../src/chain/vaultNode.ts';

const noBlock: Observation = {
  ...{ number: 1n, hash: '0x1', time: 1n, depositCount: 0n, depositsHash: '0x', paidTotal: 0n },
  ...{ held: 0n, isPaused: false, isExitOpen: false },
};
const right = padHex('0x01');
const wrong = padHex('0x02');

type Stage = {
  /** Each with its block, ascending. */
  readonly reports: { readonly report: Report; readonly block: bigint }[];
  final: bigint;
  time: bigint;
  /** The last batch of the last period that has ended. */
  border: bigint;
  isKeeper: boolean;
  /** Whether nodes leave events out. */
  isMute: boolean;
  asked: number;
  /** Numbers of reports that have their file. */
  readonly published: bigint[];
};

const createStage = (): Stage => ({
  ...{ reports: [], final: 10_000n, time: 1000n, border: 0n },
  ...{ isKeeper: true, isMute: false, asked: 0, published: [] },
});

const add = ({ reports }: Stage, block: bigint, from: bigint, to: bigint, digest = right): void => {
  reports.push({ block, report: { sequence: BigInt(reports.length + 1), from, to, digest } });
};

function nodesOf(stage: Stage): VaultNode[] {
  const node: Pick<VaultNode, 'keeper' | 'report'> = {
    keeper: async (block) => {
      stage.asked += 1;
      const { reports, isKeeper, final } = stage;
      const seen = reports.filter((each) => block === 'latest' || each.block <= final);
      return { reportCount: BigInt(seen.length), isKeeper };
    },
    report: async (sequence, { from, to }) => {
      expect(to - from).toBeLessThan(2000n);
      const found = stage.reports.find(({ report }) => report.sequence === sequence);
      const isThere = found !== undefined && found.block >= from && found.block <= to;
      return isThere && !stage.isMute ? found.report : null;
    },
  };
  return [node, node, node] as VaultNode[];
}

/** The log of the stage has 1000 batches; a digest is right or wrong. */
const sourceOf = (stage: Stage): ReportSource => ({
  judgeReport: async ({ to, digest }) =>
    to > 1000n ? 'ahead' : digest === right ? 'right' : 'wrong',
  isPublished: async ({ sequence }) => stage.published.includes(sequence),
  nextReport: async (after) =>
    stage.border > after ? { from: after, to: stage.border, digest: right } : 'open',
});

function createKeeper(stage: Stage) {
  const memory = createReportMemory();
  const look = async (): Promise<{ readonly call: VaultCall | undefined; names: string[] }> => {
    const alarms: Alarm[] = [];
    const block = { ...noBlock, number: stage.final, time: stage.time };
    const chance = {
      ...{ source: sourceOf(stage), nodes: nodesOf(stage), block },
      ...{ keeper: '0xaa' as Hex, deployBlock: 1n },
    };
    const call = await chooseReport(chance, memory, alarms);
    return { call, names: alarms.map(({ name }) => name) };
  };
  return { memory, look };
}

const reportOf = (call: VaultCall | undefined): unknown =>
  call?.kind === 'report' ? call.report : undefined;

test('KPR-1 an account without the role reports nothing, and is looked at once a minute', async () => {
  const stage = createStage();
  stage.isKeeper = false;
  stage.border = 5n;
  const { memory, look } = createKeeper(stage);
  expect(await look()).toEqual({ call: undefined, names: [] });
  expect(memory.standing).toMatchObject({ isKeeper: false, pending: 0 });
  stage.isKeeper = true;
  const { asked } = stage;
  stage.time += 59n;
  expect((await look()).call).toBeUndefined();
  expect(stage.asked).toBe(asked);
  stage.time += 1n;
  expect(reportOf((await look()).call)).toMatchObject({ sequence: 1n, from: 0n, to: 5n });
});

test('KPR-1 the next report begins with the last final one, and only one is on its way', async () => {
  const stage = createStage();
  const { memory, look } = createKeeper(stage);
  // Found although it is eight windows of blocks old.
  add(stage, 2n, 0n, 40n);
  stage.final = 15_000n;
  stage.border = 40n;
  expect(await look()).toEqual({ call: undefined, names: [] });
  expect(memory.standing).toMatchObject({ isKeeper: true, confirmed: 1, reportedTo: 40 });
  const { asked } = stage;
  expect((await look()).call).toBeUndefined();
  expect(stage.asked, 'no node is asked while no period has ended').toBe(asked);
  stage.border = 70n;
  const first = (await look()).call;
  expect(reportOf(first)).toEqual({ sequence: 2n, from: 40n, to: 70n, digest: right });
  if (first?.kind === 'report') noteSent(memory, first.report);
  expect(memory.standing).toMatchObject({ pending: 0, submitted: 1, failed: 0 });
  add(stage, 15_001n, 40n, 70n);
  stage.border = 90n;
  expect((await look()).call).toBeUndefined();
  expect(memory.standing).toMatchObject({ submitted: 1, confirmed: 1, failed: 0 });
  stage.final = 15_001n;
  const second = (await look()).call;
  expect(reportOf(second)).toMatchObject({ sequence: 3n, from: 70n, to: 90n });
  if (second?.kind === 'report') noteSent(memory, second.report);
  // It is in no block although the account is free again: replaced or reverted.
  expect(reportOf((await look()).call)).toMatchObject({ sequence: 3n });
  expect(memory.standing).toMatchObject({ confirmed: 2, failed: 1, pending: 1 });
});

test('KPR-4 wrong reports are passed over, and their stretch is reported again', async () => {
  const stage = createStage();
  add(stage, 10n, 0n, 40n);
  for (let made = 0; made < 20; made += 1) add(stage, 20n, 5n, 2n ** 64n - 1n, wrong);
  add(stage, 30n, 40n, 60n, wrong);
  stage.border = 60n;
  const { memory, look } = createKeeper(stage);
  // Eight are read in a round.
  expect(await look()).toEqual({ call: undefined, names: [] });
  expect(await look()).toEqual({ call: undefined, names: [] });
  const found = await look();
  expect(found.names).toEqual(['reportWrong']);
  expect(reportOf(found.call)).toMatchObject({ sequence: 23n, from: 40n, to: 60n });
  add(stage, 40n, 40n, 60n);
  expect(await look()).toEqual({ call: undefined, names: [] });
  expect(memory.standing.reportedTo).toBe(60);
  // A start sees the same.
  const again = createKeeper(stage);
  expect(await again.look()).toEqual({ call: undefined, names: [] });
});

test('KPR-4 a report that no node shows stops the reports, and a late one rings', async () => {
  const stage = createStage();
  add(stage, 10n, 0n, 40n);
  stage.isMute = true;
  stage.border = 60n;
  const { memory, look } = createKeeper(stage);
  expect(await look()).toEqual({ call: undefined, names: ['reportUnread'] });
  stage.time += 901n;
  expect(await look()).toEqual({ call: undefined, names: ['reportUnread', 'reportLate'] });
  expect(memory.standing.isLate).toBe(true);
  stage.isMute = false;
  expect(reportOf((await look()).call)).toMatchObject({ from: 40n, to: 60n });
  add(stage, 20n, 40n, 60n);
  expect(await look()).toEqual({ call: undefined, names: [] });
  expect(memory.standing.isLate).toBe(false);
});

test('KPR-4 a right digest alone is no right report: it must follow the ones before it', async () => {
  const stage = createStage();
  add(stage, 10n, 0n, 40n);
  // Of a stretch that has no rows everybody knows the digest.
  add(stage, 20n, 900n, 901n);
  add(stage, 21n, 901n, 902n);
  stage.border = 950n;
  expect(reportOf((await createKeeper(stage).look()).call)).toMatchObject({ from: 40n, to: 950n });
  // While it runs, too, and with a file of what it trusts.
  const stray = createStage();
  add(stray, 10n, 0n, 40n);
  stray.border = 40n;
  const running = createKeeper(stray);
  await running.look();
  add(stray, 20n, 900n, 901n);
  stray.border = 950n;
  const found = await running.look();
  expect(found.names).toEqual(['reportWrong']);
  expect(reportOf(found.call)).toMatchObject({ sequence: 3n, from: 40n, to: 950n });
  for (let made = 0; made < 10; made += 1) {
    add(stray, 30n, 901n + BigInt(made), 902n + BigInt(made));
  }
  stray.published.push(1n);
  const again = createKeeper(stray);
  expect((await again.look()).call).toBeUndefined();
  expect(reportOf((await again.look()).call)).toMatchObject({ from: 40n, to: 950n });
});

const report = { sequence: 1n, from: 0n, to: 1n, digest: right };
const withdrawal = { id: '0x01', to: '0xaa', units: 5n, deadline: 9000n, state: 'sent' } as const;

/** What a round sends that has a payment and a report. */
async function sendWith(isFirst: boolean, mayPay = true): Promise<string | undefined> {
  const node = {
    gasState: async () => ({
      ...{ nonce: 0, balance: 10n ** 18n, baseFee: 1n, tip: 1n, block: 1n, time: 1n },
    }),
    payments: async () => [{ to: '0x', units: 0n, state: 'none' }],
    signerSet: async () => ({ signers: ['0x05'], threshold: 1 }),
    estimateGas: async () => 1000n,
    send: async () => {},
  } as never as VaultNode;
  const parts = {
    ...{ engine: { submit: async () => [] }, readSigner: async () => '0x05', maxFeeLimit: 100n },
    signers: [{ address: '0x05', sign: async () => '0x99' }],
    gasAccount: { address: '0xaa', sign: async () => '0x01' },
    paymentsPerBatchMax: 9,
  } as never as ChainParts;
  const chance: PayChance = {
    nodes: [node, node],
    block: { ...noBlock, held: 100n },
    recorded: [{ withdrawal, record: { to: '0x', units: 0n, state: 'none' } }],
    mayPay,
    other: { isFirst, choose: async () => ({ kind: 'report', report }) },
  };
  const { sent } = await payOut(parts, chance, {
    ...{ waiting: undefined, countMax: 9, turn: 0, unsigned: new Map() },
  });
  return sent?.kind;
}

test('KPR-1 payments go first, unless something else has waited for long', async () => {
  expect(await sendWith(false)).toBe('pay');
  expect(await sendWith(true)).toBe('report');
  // A pause stops payments and no report.
  expect(await sendWith(false, false)).toBe('report');
});
