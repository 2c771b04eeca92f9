// The archivist as the trading thread sees it. The trading thread reports durable positions to it,
// and asks it questions that would take too long on the trading thread.

import type { Worker } from 'node:worker_threads';
import type { Invariants } from '../engine/invariants/invariants.ts';
import type { Figures } from '../replica/replicaState.ts';
import type { TreeClaim, TreeJudgement } from '../solvency/createTreeMaker.ts';
import type { ProofText } from '../solvency/proofText.ts';
import { startThread } from '../threads.ts';
import type { AccountId, MarketId } from '../units/units.ts';
import type { AdlQuantile } from './adlQuantiles.ts';
import type {
  Answer,
  ArchivistGate,
  ArchivistThreadData,
  FromArchivist,
  Progress,
  Question,
  Questions,
  ToArchivist,
} from './archivistMessage.ts';
import type { Hashes } from './createArchivist.ts';
import type { HistoryFigures } from './createHistorian.ts';
import type { GapHole } from './gapHoles.ts';
import type { LongShort } from './longShort.ts';
import type { NextStretch, Report, ReportJudgement } from './report/report.ts';

export type StartArchivist = Omit<ArchivistThreadData, 'headPosition'> & {
  /** What the trading replica had seen after its recovery: all of it is durable. */
  readonly figures: Figures;
  /** The last batch that the tables of history may have, if not the last one of `figures`. */
  readonly headPosition?: number;
  /** Megabytes of the thread's heap. */
  readonly heapSize: number;
  /** The thread, if it has been started already. */
  readonly waiting?: WaitingArchivist | undefined;
  readonly report: (message: string) => void;
  /** Receives every place up to which history is written, and its status. */
  readonly onHistory?: (figures: HistoryFigures) => void;
  /** Called once: trading must stop. */
  readonly onFatal: (error: Error) => void;
};

type Overloaded = { readonly reason: 'overloaded' };

export type RunningArchivist = {
  /**
   * Resolves when it is known that the tables of history belong to this log. Rejects when they do
   * not, or when this release cannot write them. A database that does not answer is no reason to
   * reject.
   */
  readonly begun: Promise<void>;
  /**
   * Reports a durable position. Cheap: the thread receives at most some fifty messages a second.
   */
  readonly follow: (figures: Figures) => void;
  /** Reports at once, and has history written up to there, because a client waits for it. */
  readonly urge: () => void;
  /**
   * Answers are for the last reported position or a later one. They reject when the archivist ends.
   */
  readonly stateHash: () => Promise<Hashes>;
  readonly invariants: () => Promise<Invariants & { readonly position: number }>;
  readonly snapshot: () => Promise<{ readonly position: number }>;
  readonly gapHoles: () => Promise<readonly GapHole[]>;
  /** Of the keeper's reports (KPR-1); they reject where none are made. */
  readonly judgeReport: (report: Report) => Promise<ReportJudgement>;
  readonly isPublished: (report: Report) => Promise<boolean>;
  readonly nextReport: (after: number, sequence: number) => Promise<NextStretch>;
  /** Of the trees of what is owed (VLT-8). */
  readonly newestTree: () => Promise<TreeClaim | null>;
  readonly judgeTree: (claim: TreeClaim, isAnchor: boolean) => Promise<TreeJudgement>;
  /** Clients ask these; beyond the bound of waiting questions they are refused. */
  readonly proveWallet: (wallet: string) => Promise<ProofText | 'none' | Overloaded>;
  readonly adlQuantiles: (account: AccountId) => Promise<readonly AdlQuantile[] | Overloaded>;
  readonly longShort: (market: MarketId) => Promise<LongShort | Overloaded>;
  /** Its last reported progress; time 0 before the first report. */
  readonly progress: () => Progress;
  /** The failures that the last requested full check found; 0 before the first check. */
  readonly invariantFailures: () => number;
  readonly close: () => Promise<void>;
};

const followEveryMs = 20;
/** The maximum of waiting questions at which a client may ask one more. */
const waitingMax = 1000;

type Asked = {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
};

type ArchivistThread = {
  readonly worker: Worker;
  readonly options: StartArchivist;
  readonly asked: Map<number, Asked>;
  figures: Figures;
  progress: Progress;
  invariantFailures: number;
  reported: number;
  urged: number;
  readonly begun: PromiseWithResolvers<void>;
  /** A `follow` is on its way, or the pause after it is. */
  following: boolean;
  questions: number;
  status: 'open' | 'closing' | 'ended';
};

/** A thread that has loaded its program, or is about to, and waits for what it has to do. */
export type WaitingArchivist = { readonly worker: Worker; readonly gate: SharedArrayBuffer };

/** `heapSize`: megabytes of the thread's heap. */
export function awaitArchivist(heapSize: number): WaitingArchivist {
  const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const workerData: ArchivistGate = { gate };
  const limits = { maxOldGenerationSizeMb: heapSize };
  return { worker: startThread('archivist', workerData, limits), gate };
}

export function startArchivist(options: StartArchivist): RunningArchivist {
  const { report: _, onHistory, onFatal, heapSize, figures, waiting, ...data } = options;
  const { headPosition = figures.position } = options;
  const { worker, gate } = waiting ?? awaitArchivist(heapSize);
  begin(worker, gate, { ...data, headPosition });
  const run: ArchivistThread = {
    worker,
    options,
    asked: new Map(),
    figures: options.figures,
    progress: { position: 0, time: 0 },
    invariantFailures: 0,
    reported: -1,
    urged: -1,
    begun: Promise.withResolvers(),
    following: false,
    questions: 0,
    status: 'open',
  };
  worker.on('message', (message: FromArchivist) => receive(run, message));
  worker.on('error', (error: Error) => end(run, error));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      end(run, new Error('the archivist has ended'));
      resolve();
    });
  });
  // A caller that starts without waiting for it learns of a refusal from `report`.
  run.begun.promise.catch(() => {});
  reportFigures(run);
  return {
    begun: run.begun.promise,
    follow: (figures) => {
      run.figures = figures;
      if (!run.following) reportFigures(run);
    },
    urge: () => urge(run),
    stateHash: () => ask(run, { kind: 'hashes' }),
    invariants: async () => {
      const found = await ask(run, { kind: 'invariants' });
      run.invariantFailures = found.failures.length;
      return found;
    },
    snapshot: () => ask(run, { kind: 'snapshot' }),
    gapHoles: () => ask(run, { kind: 'gapHoles' }),
    ...reportQuestions(run),
    ...treeQuestions(run),
    adlQuantiles: (account) => askForClient(run, { kind: 'adlQuantiles', account }),
    longShort: (market) => askForClient(run, { kind: 'longShort', market }),
    progress: () => run.progress,
    invariantFailures: () => run.invariantFailures,
    close: async () => {
      if (run.status === 'open') {
        run.status = 'closing';
        post(run, { kind: 'close' });
      }
      await exited;
    },
  };
}

const reportQuestions = (
  run: ArchivistThread,
): Pick<RunningArchivist, 'judgeReport' | 'isPublished' | 'nextReport'> => ({
  judgeReport: (report) => ask(run, { kind: 'judgeReport', report }),
  isPublished: (report) => ask(run, { kind: 'isPublished', report }),
  nextReport: (after, sequence) => ask(run, { kind: 'nextReport', after, sequence }),
});

const treeQuestions = (
  run: ArchivistThread,
): Pick<RunningArchivist, 'newestTree' | 'judgeTree' | 'proveWallet'> => ({
  newestTree: () => ask(run, { kind: 'newestTree' }),
  judgeTree: (claim, isAnchor) => ask(run, { kind: 'judgeTree', claim, isAnchor }),
  proveWallet: (wallet) => askForClient(run, { kind: 'proveWallet', wallet }),
});

function begin(worker: Worker, gate: SharedArrayBuffer, data: ArchivistThreadData): void {
  worker.postMessage(data);
  const opened = new Int32Array(gate);
  Atomics.store(opened, 0, 1);
  Atomics.notify(opened, 0);
}

function post(run: ArchivistThread, message: ToArchivist): void {
  run.worker.postMessage(message);
}

function reportFigures(run: ArchivistThread): void {
  if (run.status !== 'open' || run.figures.position === run.reported) return;
  run.reported = run.figures.position;
  run.following = true;
  post(run, { kind: 'follow', figures: run.figures });
}

function urge(run: ArchivistThread): void {
  const { figures } = run;
  if (run.status !== 'open' || figures.position <= run.urged) return;
  run.urged = figures.position;
  run.reported = figures.position;
  post(run, { kind: 'urge', figures });
}

function receive(run: ArchivistThread, message: FromArchivist): void {
  switch (message.kind) {
    case 'followed':
      run.progress = message.progress;
      setTimeout(() => {
        run.following = false;
        reportFigures(run);
      }, followEveryMs).unref();
      return;
    case 'begun':
      if (message.refused === undefined) run.begun.resolve();
      else run.begun.reject(new Error(message.refused));
      return;
    case 'history':
      run.options.onHistory?.(message.figures);
      return;
    case 'report':
      run.options.report(message.message);
      return;
    case 'fatal':
      end(run, new Error(message.message));
      return;
    case 'answer':
      settle(run, message.id)?.resolve(message.answer);
      return;
    case 'unanswered':
      settle(run, message.id)?.reject(new Error(message.message));
      return;
  }
}

function settle(run: ArchivistThread, id: number): Asked | undefined {
  const asked = run.asked.get(id);
  run.asked.delete(id);
  return asked;
}

function ask<Q extends Question>(run: ArchivistThread, question: Q): Promise<Questions[Q['kind']]> {
  if (run.status !== 'open') return Promise.reject(new Error('the archivist has ended'));
  run.questions += 1;
  const id = run.questions;
  return new Promise((resolve, reject) => {
    run.asked.set(id, { resolve: resolve as Asked['resolve'], reject });
    post(run, { kind: 'ask', id, question, figures: run.figures });
  });
}

function askForClient<Q extends Question>(
  run: ArchivistThread,
  question: Q,
): Promise<Questions[Q['kind']] | Overloaded> {
  if (run.asked.size < waitingMax) return ask(run, question);
  return Promise.resolve({ reason: 'overloaded' });
}

function end(run: ArchivistThread, error: Error): void {
  const { status } = run;
  run.status = 'ended';
  for (const { reject } of run.asked.values()) reject(error);
  run.asked.clear();
  run.begun.reject(error);
  if (status === 'open') run.options.onFatal(error);
}
