// The chain service: each round brings facts of a final block to the engine, and at most one
// transaction to the vault. It keeps no fact between rounds: what it remembers are hints, and a
// start without them does no harm. It has no clock and no sockets; the caller decides when a round
// begins, and begins one only when the one before has ended.

import {
  type AnchorMemory,
  type AnchorStanding,
  createAnchorMemory,
  isAnchorOld,
} from '../anchor/chooseAnchor.ts';
import { signAnchor } from '../anchor/signAnchor.ts';
import type { ChainFact, EngineView, OpenPart, OpenWithdrawal } from '../chainEngine.ts';
import {
  chooseReport,
  createReportMemory,
  noteSent,
  type ReportMemory,
} from '../report/chooseReport.ts';
import type { KeeperStanding } from '../report/report.ts';
import {
  idsPerReadMax,
  type NodeIdentity,
  type Observation,
  type PaymentRecord,
  type VaultCall,
  type VaultNode,
} from '../vaultNode.ts';
import type { Alarm, AlarmName } from './alarm.ts';
import { askQuorum } from './askQuorum.ts';
import type { ChainParts } from './chainParts.ts';
import { createNodeBook, type NodeBook, type NodeSighting } from './createNodeBook.ts';
import { factOf, isAsRequested, type Recorded } from './factOf.ts';
import { findFinalBlock } from './findFinalBlock.ts';
import { judgePaid, type PaidJudgement } from './judgePaid.ts';
import { type PayChance, type PayMemory, payOut } from './payOut.ts';
import { readDeposits } from './readDeposits.ts';

/** What a round has done. */
export type Round = {
  /** The final block that it has read; undefined without one. */
  readonly block: Observation | undefined;
  /** Whether all that the block says has reached the engine. */
  readonly isWhole: boolean;
  /** Facts that the engine has taken. */
  readonly facts: number;
  readonly sent?: VaultCall['kind'];
  /** How the keeper stands, where it reports. */
  readonly keeper?: KeeperStanding;
  /** The vault's last anchor, where the service sends them and has read it. */
  readonly anchor?: AnchorStanding;
  /** What the nodes have said, in their order. */
  readonly nodes: readonly NodeSighting[];
  readonly alarms: readonly Alarm[];
};

export type ChainService = { readonly round: () => Promise<Round> };

/** Open withdrawals that one round looks at. */
const openPerRoundMax = 1000;

type Memory = PayMemory & {
  /** Nodes that serve the right chain and contract. */
  readonly admitted: Set<VaultNode>;
  readonly book: NodeBook;
  /** The highest block of a round: what lies below it is late, not wrong. */
  highest: bigint;
  /** The newest block at the start: before it is final, earlier payments may be unseen. */
  payFrom: bigint | undefined;
  /** Whether all that was open has been compared with what the vault has paid. */
  isCompared: boolean;
  /** Where the next round begins among the open withdrawals. */
  cursor: number;
  readonly report: ReportMemory;
  readonly anchor: AnchorMemory;
  /** When something else than a payment could be sent last, by blocks; seconds. */
  otherAt: bigint | undefined;
  /** Alarms of sending, and until when they stand; seconds. */
  readonly held: Map<AlarmName, { readonly alarms: readonly Alarm[]; readonly until: bigint }>;
};

export function createChainService(parts: ChainParts): ChainService {
  const memory: Memory = {
    admitted: new Set(),
    book: createNodeBook(parts.nodes),
    highest: -1n,
    payFrom: undefined,
    isCompared: false,
    cursor: 0,
    waiting: undefined,
    countMax: parts.paymentsPerBatchMax,
    turn: 0,
    unsigned: new Map(),
    report: createReportMemory(),
    anchor: createAnchorMemory(),
    otherAt: undefined,
    held: new Map(),
  };
  return {
    round: async () => {
      const round = await runRound(parts, memory);
      return { ...round, nodes: memory.book.take() };
    },
  };
}

async function runRound(parts: ChainParts, memory: Memory): Promise<Omit<Round, 'nodes'>> {
  const { book } = memory;
  const alarms = await admitNodes(parts, memory);
  const nodes = parts.nodes.filter((node) => memory.admitted.has(node));
  const found = await findFinalBlock(parts.rule, nodes, book);
  const idle = { block: found?.block, isWhole: false, facts: 0 };
  if (found === undefined) {
    return { ...idle, alarms: [...alarms, noQuorum('a final block', book)] };
  }
  const { block, latest } = found;
  memory.payFrom ??= latest;
  if (block.number < memory.highest) return { ...idle, alarms };
  memory.highest = block.number;
  // After the block: so all that the block can know is in the view.
  const view = await parts.engine.view(nextPart(memory));
  const { open, openCount } = view;
  const isAll = open.length === openCount;
  const behind = memory.isCompared ? memory.cursor + open.length : 0;
  memory.cursor = behind < openCount ? behind : 0;
  const reading = await readDeposits(nodes, block, { engine: view, book });
  const recorded = await readRecords(nodes, block, { open, book });
  if (reading.kind === 'noQuorum' || recorded === undefined) {
    return { ...idle, alarms: [...alarms, noQuorum(`the vault in block ${block.number}`, book)] };
  }
  if (reading.kind !== 'facts') {
    const name = reading.kind === 'behind' ? 'vaultBehind' : 'depositsDiffer';
    alarms.push({ name, detail: `in block ${block.number}` });
    return { ...idle, alarms };
  }
  const news = recorded
    .map((each) => factOf(each, block.time))
    .filter((each) => each !== undefined);
  const paid = isAll ? judgePaid(block, view, recorded) : 'same';
  if (paid === 'behind') {
    alarms.push({ name: 'vaultBehind', detail: `in block ${block.number}` });
    return { ...idle, alarms };
  }
  const counted = reading.facts.reduce((sum, { units }) => sum + units, view.depositTotal);
  const isSafe = judge({ block, recorded, isAll, paid, counted }, memory, alarms);
  // After a start the last anchor is read before the first payment.
  const mayPay = isSafe && (parts.anchors === undefined || memory.anchor.standing !== undefined);
  const facts: ChainFact[] = [...reading.facts, ...news];
  // Before the facts, so that streams can show where they come from.
  await parts.lookUp?.(block);
  const results = facts.length === 0 ? [] : await parts.engine.submit(facts);
  const refused = facts.filter((_, at) => results[at] === 'refused');
  alarms.push(...refused.map((fact) => ({ name: 'engineRefuses' as const, detail: nameOf(fact) })));
  const done = {
    block,
    isWhole: isAll && refused.length === 0 && isLast(reading.facts.length, view, block),
    facts: results.filter((result) => result === 'taken').length,
  };
  if (refused.length > 0) return { ...done, alarms };
  // A log that the vault contradicts, as one from an old backup, has nothing to say to it either.
  const { reports, anchors } = paid === 'same' && !block.isExitOpen ? parts : noOthers;
  const read = { nodes, block, recorded, mayPay, reports, anchors };
  const sending = await sendNext(parts, read, memory);
  return { ...done, ...sending, alarms: [...alarms, ...hold(memory, block.time, sending)] };
}

const noQuorum = (what: string, book: NodeBook): Alarm => ({
  name: 'noQuorum',
  detail: `no two agree on ${what}: ${book.tell()}`,
});

/** Longer than the longest time for which a withdrawal is passed over. */
const heldSeconds = 720n;

/** Alarms of an attempt to send, each with the kind of transaction that shows it to be over. */
const endedBy: ReadonlyMap<AlarmName, VaultCall['kind'] | 'any'> = new Map([
  ['signaturesTooFew', 'pay'],
  ['signerFails', 'pay'],
  ['anchorUnsigned', 'anchor'],
  ['callReverts', 'any'],
  ['gasAccountLow', 'any'],
  ['feeCapReached', 'any'],
]);

/**
 * An attempt to send is not made in each round. So its alarms stand until one succeeds, or until
 * they are so old that a further attempt would have renewed them. Those of this round come after
 * its transaction: a signer may fail while enough others sign.
 */
function hold(
  { held }: Memory,
  time: bigint,
  { alarms, sent }: Pick<Round, 'alarms' | 'sent'>,
): Alarm[] {
  for (const [name, { until }] of held) {
    const end = endedBy.get(name);
    if (time >= until || (sent !== undefined && (end === sent || end === 'any'))) held.delete(name);
  }
  const now = Map.groupBy(alarms, ({ name }) => name);
  const still = [...held].filter(([name]) => !now.has(name)).flatMap(([, each]) => each.alarms);
  for (const [name, found] of now) {
    if (endedBy.has(name)) held.set(name, { alarms: found, until: time + heldSeconds });
  }
  return [...alarms, ...still];
}

/** Payments go first, but not for longer. */
const starvedSeconds = 300n;
/** So that one which takes no effect, or is always followed by another one, costs little gas. */
const anchorPauseSeconds = 120n;

const noOthers = { reports: undefined, anchors: undefined };

type Read = Omit<PayChance, 'other'> & Partial<Pick<ChainParts, 'reports' | 'anchors'>>;

/** At most one transaction: a payment, or else an anchor, or else a report. */
async function sendNext(
  parts: ChainParts,
  { reports, anchors, ...read }: Read,
  memory: Memory,
): Promise<Pick<Round, 'sent' | 'keeper' | 'anchor' | 'alarms'>> {
  const { nodes, block } = read;
  const { gasAccount } = parts;
  const { report, anchor } = memory;
  if (gasAccount === undefined) return { alarms: [] };
  const chance = reports && { ...reports, nodes, block, keeper: gasAccount.address };
  const anchoring = anchors && { source: anchors, nodes, block };
  memory.otherAt ??= block.time;
  const other = {
    isFirst: block.time - memory.otherAt > starvedSeconds,
    choose: async (found: Alarm[]): Promise<VaultCall | undefined> => {
      memory.otherAt = block.time;
      return (
        (anchoring && (await signAnchor(parts, anchoring, { memory: anchor, alarms: found }))) ??
        (chance && chooseReport(chance, report, found))
      );
    },
  };
  const { alarms, sent } = await payOut(parts, { ...read, other }, memory);
  if (sent?.kind === 'report') noteSent(report, sent.report);
  if (sent?.kind === 'anchor') anchor.askFrom = block.time + anchorPauseSeconds;
  return {
    ...(sent !== undefined && { sent: sent.kind }),
    ...(chance !== undefined && { keeper: report.standing }),
    ...(anchor.standing !== undefined && { anchor: anchor.standing }),
    alarms,
  };
}

const nameOf = (fact: ChainFact): string =>
  fact.kind === 'deposit' ? `deposit ${fact.index}` : `${fact.fact} of ${fact.id}`;

const isLast = (count: number, view: EngineView, block: Observation): boolean =>
  view.depositCount + BigInt(count) === block.depositCount;

/** A node is asked until it has answered once, and a foreign one in every round. */
async function admitNodes(
  { rule, codeHash, nodes }: ChainParts,
  { admitted, book }: Memory,
): Promise<Alarm[]> {
  const alarms: Alarm[] = [];
  await Promise.all(
    nodes.map(async (node, at) => {
      if (admitted.has(node)) return;
      try {
        const identity = await node.identify();
        const isRight = identity.chainId === rule.chainId && identity.codeHash === codeHash;
        if (isRight) {
          admitted.add(node);
          return;
        }
        const said = foreignText(identity, rule.chainId);
        book.note(node, 'foreign', said);
        alarms.push({ name: 'nodeIsForeign', node: at + 1, detail: `${node.name}: ${said}` });
      } catch (error) {
        book.note(node, 'away', `no answer about its chain: ${(error as Error).message}`);
      }
    }),
  );
  return alarms;
}

/** The hash of no code at all. */
const noCodeHash = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

function foreignText({ chainId, codeHash }: NodeIdentity, expected: number): string {
  if (chainId !== expected) return `it serves chain ${chainId}, not ${expected}`;
  if (codeHash === noCodeHash) return "there is no contract at the vault's address";
  return `the code at the vault's address is not the vault's; its hash is ${codeHash}`;
}

/** All open withdrawals until they were compared once; then a part of them that moves on. */
function nextPart({ isCompared, cursor }: Memory): OpenPart {
  if (!isCompared) return { from: 0, count: Number.POSITIVE_INFINITY };
  return { from: cursor, count: openPerRoundMax };
}

async function readRecords(
  nodes: readonly VaultNode[],
  { hash, number }: Observation,
  { open, book }: { readonly open: readonly OpenWithdrawal[]; readonly book: NodeBook },
): Promise<readonly Recorded[] | undefined> {
  const recorded: Recorded[] = [];
  for (let from = 0; from < open.length; from += idsPerReadMax) {
    const part = open.slice(from, from + idsPerReadMax);
    const ids = part.map(({ id }) => id);
    const see = book.seeing<readonly PaymentRecord[]>(`withdrawals in block ${number}`);
    const records = await askQuorum(nodes, (node) => node.payments(hash, ids), see);
    if (records?.length !== part.length) return undefined;
    recorded.push(...part.map((withdrawal, at) => ({ withdrawal, record: records[at]! })));
  }
  return recorded;
}

type Compared = {
  readonly block: Observation;
  readonly recorded: readonly Recorded[];
  readonly isAll: boolean;
  readonly paid: PaidJudgement;
  /** The units of deposits that the vault has had at least. */
  readonly counted: bigint;
};

/** Whether the service may pay, by what it has read. */
function judge(
  { block, recorded, isAll, paid, counted }: Compared,
  memory: Memory,
  alarms: Alarm[],
): boolean {
  const other = recorded.find((each) => !isAsRequested(each));
  const detail = `in block ${block.number}`;
  if (other) alarms.push({ name: 'paidOtherwise', detail: `${other.withdrawal.id} ${detail}` });
  if (paid === 'unknownPaid') alarms.push({ name: 'paidUnknown', detail });
  if (block.isPaused) alarms.push({ name: 'vaultIsPaused', detail });
  if (block.isExitOpen) alarms.push({ name: 'exitIsOpen', detail });
  // Claims of an exit are no payments.
  const isShort = !block.isExitOpen && block.held < counted - block.paidTotal;
  if (isShort) alarms.push({ name: 'vaultShort', detail: `${block.held} units ${detail}` });
  const isSafe = other === undefined && paid === 'same' && !isShort;
  // Once it is short, the next round reads all again, so that solvency is compared anew.
  if (isAll || isShort) memory.isCompared = isSafe && block.number >= memory.payFrom!;
  const isOld = isAnchorOld(memory.anchor, block);
  if (isOld) alarms.push({ name: 'anchorOld', detail });
  const isHeld = block.isPaused || block.isExitOpen || isOld;
  return memory.isCompared && isSafe && !isHeld;
}
