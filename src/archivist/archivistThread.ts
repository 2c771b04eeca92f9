// The archivist's thread: it takes messages in order, works in small steps between them, and
// answers. Between two steps its asynchronous work continues: the database, and the disk on which
// segments are archived.

import { flushCompileCache } from 'node:module';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { describeDatabase } from '../history/describeDatabase.ts';
import { openHistoryWriter } from '../history/openHistoryWriter.ts';
import { archiveSegments } from '../log/file/archiveSegments.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { openKeptEngines } from '../replica/keptEngines.ts';
import { createSkipIndex } from '../replica/skipIndex.ts';
import {
  createTreeMaker,
  type TreeJudgement,
  type TreeMaker,
} from '../solvency/createTreeMaker.ts';
import { createTreeProcess } from '../solvency/createTreeProcess.ts';
import { type ProofText, proofText } from '../solvency/proofText.ts';
import { must } from '../std/assert.ts';
import { processorMs, stopwatchMs, systemClock } from '../std/clock.ts';
import { collectGarbage } from '../std/collectGarbage.ts';
import { fileDisk } from '../std/disk.ts';
import { giveWay } from '../std/giveWay.ts';
import type {
  Answer,
  ArchivistGate,
  ArchivistThreadData,
  FromArchivist,
  Question,
  ToArchivist,
} from './archivistMessage.ts';
import { type Archivist, createArchivist, isSnapshotFailure } from './createArchivist.ts';
import { createHistorian, type Historian, type HistoryStatus } from './createHistorian.ts';
import { createLogArchiver } from './createLogArchiver.ts';
import { giveWayLater } from './giveWayLater.ts';
import { createReporter, type Reporter } from './report/createReporter.ts';

// A question waits for at most one step, which is short while others have been asked.
const stepMs = 20;
const askedStepMs = 2;
const askedMs = 1000;
const retryMs = 1000;
/**
 * How long the archivist waits for the database to give the place of its tables, before it reads
 * the snapshots. A start waits for this answer, and reading snapshots takes this thread a second.
 */
const beginningMs = 500;
/** How long a process for a tree may take at least. */
const treePatienceMs = 60_000;
/**
 * How long a stop waits for the database. Rows that are still missing are written after the next
 * start.
 */
const closingMs = 5000;

const port = must(parentPort, 'the archivist runs as a thread');
const data = awaitData(workerData as ArchivistGate);
const send = (message: FromArchivist): void => port.postMessage(message);
const report = (message: string): void => send({ kind: 'report', message });
const engines = openKeptEngines(data.enginesDirectory, data.engineHash);
const log = openLogReader(data.logDirectory);
const archiveOne = (belowPosition: number): Promise<number[]> =>
  archiveSegments(data.logDirectory, belowPosition, { segmentsMax: 1 });

/** The program is loaded before there is anything to follow. */
function awaitData({ gate }: ArchivistGate): ArchivistThreadData {
  Atomics.wait(new Int32Array(gate), 0, 0);
  return must(receiveMessageOnPort(port), 'the data is there when the gate opens').message;
}

function answer({ archivist, reporter, treeMaker }: Parts, question: Question): Answer {
  switch (question.kind) {
    case 'hashes':
      return archivist.hashes();
    case 'invariants':
      return { ...archivist.invariants(), position: archivist.position() };
    case 'snapshot':
      return { position: archivist.takeSnapshot() };
    case 'adlQuantiles':
      return archivist.adlQuantiles(question.account);
    case 'longShort':
      return archivist.longShort(question.market);
    case 'gapHoles':
      return archivist.gapHoles();
    case 'judgeReport':
      return reporter?.judge(question.report) ?? 'later';
    case 'isPublished':
      return reporter?.isPublished(question.report) ?? false;
    case 'nextReport':
      return reporter?.next(question.after, question.sequence) ?? 'later';
    case 'newestTree':
      return treeMaker?.newest() ?? null;
    case 'judgeTree':
      return treeMaker === undefined ? 'unknown' : judgeTree(treeMaker, question);
    case 'proveWallet':
      return proveWallet(treeMaker, question.wallet);
  }
}

/** What the log contradicts is no file to be kept. */
function judgeTree(
  { judge, keep }: TreeMaker,
  { claim, isAnchor }: Extract<Question, { readonly kind: 'judgeTree' }>,
): TreeJudgement {
  const judgement = judge(claim);
  if (isAnchor && judgement !== 'wrong' && judgement !== 'ahead') keep(claim.position);
  return judgement;
}

function proveWallet(treeMaker: TreeMaker | undefined, wallet: string): ProofText | 'none' {
  const found = treeMaker?.prove(wallet);
  return found === undefined ? 'none' : proofText(found);
}

type Parts = {
  readonly archivist: Archivist;
  readonly historian: Historian | undefined;
  readonly reporter: Reporter | undefined;
  readonly treeMaker: TreeMaker | undefined;
  /** Positions that were reported and are not reached yet. */
  readonly followed: number[];
};

function handle(parts: Parts, message: Exclude<ToArchivist, { kind: 'close' }>): void {
  const { archivist, historian, followed } = parts;
  const { position } = message.figures;
  archivist.expect(message.figures);
  if (message.kind === 'follow') followed.push(position);
  if (message.kind === 'urge') historian?.urge(position);
  if (message.kind !== 'ask') return;
  const { id, question } = message;
  try {
    // A proof is of a tree that is finished: it need not wait for the batches behind it.
    if (question.kind !== 'proveWallet') archivist.catchUp();
    send({ kind: 'answer', id, answer: answer(parts, question) });
  } catch (error) {
    if (!isSnapshotFailure(error)) throw error;
    send({ kind: 'unanswered', id, message: error.message });
  }
}

function tellFollowed({ archivist, historian, followed }: Parts): void {
  while (followed.length > 0 && archivist.position() >= followed[0]!) {
    followed.shift();
    send({ kind: 'followed', progress: archivist.progress() });
  }
  // A write is reported when it is done. While the database is down, the waiting rows change
  // without a write.
  if (historian?.figures().failing) send({ kind: 'history', figures: historian.figures() });
}

function openHistorian(wake: () => void, onCaughtUp: () => void): Historian | undefined {
  const { history, snapshotDirectory, chainId, skips, headPosition } = data;
  if (history === undefined) return undefined;
  let status: HistoryStatus = 'unknown';
  return createHistorian({
    disk: fileDisk,
    log,
    snapshotDirectory,
    chainId,
    skips: createSkipIndex(skips),
    engines,
    report,
    writer: openHistoryWriter({ ...history, chain: chainId }),
    database: describeDatabase(history),
    headPosition,
    clock: systemClock,
    onFigures: (figures) => {
      send({ kind: 'history', figures });
      if (status === 'catchingUp' && figures.status === 'following') onCaughtUp();
      status = figures.status;
    },
    wake,
  });
}

function openReporter(): Reporter | undefined {
  const { snapshotDirectory, chainId, skips, reportDirectory } = data;
  if (reportDirectory === undefined) return undefined;
  return createReporter({
    ...{ disk: fileDisk, log, snapshotDirectory, chainId, skips: createSkipIndex(skips) },
    ...{ engines, report, reportDirectory, clock: systemClock },
  });
}

function openTreeMaker(wake: () => void): TreeMaker | undefined {
  const { trees, chainId } = data;
  if (trees === undefined) return undefined;
  const { directory, intervalMs } = trees;
  const place = { disk: fileDisk, directory };
  // Two attempts end within the half of a stretch after which the next tree is left out.
  const patienceMs = Math.max(treePatienceMs, intervalMs / 4);
  const grower = createTreeProcess({ directory, clock: systemClock, patienceMs, wake, report });
  return createTreeMaker({ place, chainId, intervalMs, clock: systemClock, grower, report });
}

async function beginHistory(historian: Historian | undefined): Promise<void> {
  try {
    await historian?.begin();
    send({ kind: 'begun' });
  } catch (error) {
    send({ kind: 'begun', refused: (error as Error).message });
  }
}

/**
 * Rests until there is more to do. Positions that could not be followed, because no file descriptor
 * was left, count as work: it tries them again later.
 */
async function rest({ followed }: Parts, begin: (wake: () => void) => void): Promise<void> {
  let retry: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    begin(resolve);
    if (followed.length > 0) retry = setTimeout(resolve, retryMs);
  });
  clearTimeout(retry);
}

/** The milliseconds of the step after a message. */
function createSteps(): (message: ToArchivist | undefined) => number {
  let askedAt = 0;
  return (message) => {
    const now = systemClock.now();
    if (message?.kind === 'ask') askedAt = now;
    return now - askedAt < askedMs ? askedStepMs : stepMs;
  };
}

/** It has caught up with the log as it was when the exchange started, or history has since. */
function leaveStart(): void {
  collectGarbage('all');
  // So that the next start of this thread is shorter, whatever ends this one.
  flushCompileCache();
}

async function run(): Promise<void> {
  const afterStep = giveWayLater(systemClock, () => void giveWay());
  const messages: ToArchivist[] = [];
  let wake = (): void => {};
  let compacted = false;
  const historian = openHistorian(
    () => wake(),
    () => {
      compacted = false;
    },
  );
  const beginning = beginHistory(historian);
  await Promise.race([beginning, wait(beginningMs)]);
  const reporter = openReporter();
  const treeMaker = openTreeMaker(() => wake());
  const archivist = createArchivist({
    ...data,
    ...{ disk: fileDisk, log, engines, clock: systemClock, report },
    ...{ stopwatch: stopwatchMs, processorMs },
    skips: createSkipIndex(data.skips),
    ...{ ...(historian && { historian }), ...(reporter && { reporter }) },
    ...(treeMaker && { treeMaker }),
  });
  const archiver = createLogArchiver({ archiveOne, clock: systemClock, report });
  const parts: Parts = { archivist, historian, reporter, treeMaker, followed: [] };
  let reported = false;
  const stepOf = createSteps();
  port.on('message', (message: ToArchivist) => {
    messages.push(message);
    wake();
  });
  for (;;) {
    const message = messages.shift();
    if (message?.kind === 'close') break;
    if (message !== undefined) handle(parts, message);
    const busy = archivist.work(stepOf(message));
    tellFollowed(parts);
    reported ||= message !== undefined;
    afterStep(reported && !busy);
    if (reported && !busy && !compacted) {
      compacted = true;
      leaveStart();
    }
    if (busy || messages.length > 0) await nextTurn();
    else {
      if (data.archiveLog) archiver.rest(archivist.neededFrom);
      await rest(parts, (resolve) => {
        wake = resolve;
      });
    }
  }
  await Promise.race([
    Promise.all([beginning, historian?.close()]),
    wait(closingMs, undefined, { ref: false }),
  ]);
  await archiver.close();
  archivist.close();
  // Ends this thread alone. A database that hangs would keep it running.
  process.exit();
}

// This file is the thread's program: the process starts it and never imports its values.
run().catch((error: Error) => {
  send({ kind: 'fatal', message: error.message });
  port.close();
});
