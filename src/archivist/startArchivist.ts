// The archivist as the trading thread sees it: told of what became durable, asked for what would
// take the trading thread too long to answer itself.

import type { Worker } from 'node:worker_threads';
import type { Invariants } from '../engine/invariants/invariants.ts';
import type { Figures } from '../replica/replicaState.ts';
import { startThread } from '../threads.ts';
import type { AccountId, MarketId } from '../units/units.ts';
import type { AdlQuantile } from './adlQuantiles.ts';
import type {
  Answer,
  ArchivistThreadData,
  FromArchivist,
  Progress,
  Question,
  Questions,
  ToArchivist,
} from './archivistMessage.ts';
import type { Hashes } from './createArchivist.ts';
import type { HistoryFigures } from './createHistorian.ts';
import type { LongShort } from './longShort.ts';

export type StartArchivist = Omit<ArchivistThreadData, 'headPosition'> & {
  /** What the trading replica had seen when it was recovered: durable. */
  readonly figures: Figures;
  /** Megabytes of the thread's heap. */
  readonly heapSize: number;
  readonly report: (message: string) => void;
  /** Hears of every place up to which history is written, and how it does. */
  readonly onHistory?: (figures: HistoryFigures) => void;
  /** Called once: trading must stop. */
  readonly onFatal: (error: Error) => void;
};

type Overloaded = { readonly reason: 'overloaded' };

export type RunningArchivist = {
  /**
   * Resolves when it is known whether the tables of history are of this log; rejects when they are
   * not, or cannot be written by this release. A database that does not answer is no reason.
   */
  readonly begun: Promise<void>;
  /** Tells of a durable position. Cheap: the thread is told some fifty times a second at most. */
  readonly follow: (figures: Figures) => void;
  /** Tells at once, and has history written up to there: somebody waits for it. */
  readonly urge: () => void;
  /** Answers are of the last position told, or later ones; they reject when the archivist ends. */
  readonly stateHash: () => Promise<Hashes>;
  readonly invariants: () => Promise<Invariants & { readonly position: number }>;
  readonly snapshot: () => Promise<{ readonly position: number }>;
  /** Clients ask these: beyond the bound of questions that wait they are refused. */
  readonly adlQuantiles: (account: AccountId) => Promise<readonly AdlQuantile[] | Overloaded>;
  readonly longShort: (market: MarketId) => Promise<LongShort | Overloaded>;
  /** How far it is, as it last said; time 0 before that. */
  readonly progress: () => Progress;
  /** Failures that the last full check found which anybody asked for; 0 before the first. */
  readonly invariantFailures: () => number;
  readonly close: () => Promise<void>;
};

const followEveryMs = 20;
/** Questions that may wait when a client asks one more. */
const waitingMax = 1000;

type Asked = {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
};

type Run = {
  readonly worker: Worker;
  readonly options: StartArchivist;
  readonly asked: Map<number, Asked>;
  figures: Figures;
  progress: Progress;
  invariantFailures: number;
  told: number;
  urged: number;
  readonly begun: PromiseWithResolvers<void>;
  /** A `follow` is on its way, or the pause after it is. */
  following: boolean;
  questions: number;
  status: 'open' | 'closing' | 'ended';
};

export function startArchivist(options: StartArchivist): RunningArchivist {
  const { report: _, onHistory, onFatal, heapSize, figures, ...data } = options;
  const workerData: ArchivistThreadData = { ...data, headPosition: figures.position };
  const worker = startThread('archivist', workerData, { maxOldGenerationSizeMb: heapSize });
  const run: Run = {
    worker,
    options,
    asked: new Map(),
    figures: options.figures,
    progress: { position: 0, time: 0 },
    invariantFailures: 0,
    told: -1,
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
  // Whoever starts without waiting for it hears of a refusal by `report`.
  run.begun.promise.catch(() => {});
  tell(run);
  return {
    begun: run.begun.promise,
    follow: (figures) => {
      run.figures = figures;
      if (!run.following) tell(run);
    },
    urge: () => urge(run),
    stateHash: () => ask(run, { kind: 'hashes' }),
    invariants: async () => {
      const found = await ask(run, { kind: 'invariants' });
      run.invariantFailures = found.failures.length;
      return found;
    },
    snapshot: () => ask(run, { kind: 'snapshot' }),
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

function post(run: Run, message: ToArchivist): void {
  run.worker.postMessage(message);
}

function tell(run: Run): void {
  if (run.status !== 'open' || run.figures.position === run.told) return;
  run.told = run.figures.position;
  run.following = true;
  post(run, { kind: 'follow', figures: run.figures });
}

function urge(run: Run): void {
  const { figures } = run;
  if (run.status !== 'open' || figures.position <= run.urged) return;
  run.urged = figures.position;
  run.told = figures.position;
  post(run, { kind: 'urge', figures });
}

function receive(run: Run, message: FromArchivist): void {
  switch (message.kind) {
    case 'followed':
      run.progress = message.progress;
      setTimeout(() => {
        run.following = false;
        tell(run);
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

function settle(run: Run, id: number): Asked | undefined {
  const asked = run.asked.get(id);
  run.asked.delete(id);
  return asked;
}

function ask<Q extends Question>(run: Run, question: Q): Promise<Questions[Q['kind']]> {
  if (run.status !== 'open') return Promise.reject(new Error('the archivist has ended'));
  run.questions += 1;
  const id = run.questions;
  return new Promise((resolve, reject) => {
    run.asked.set(id, { resolve: resolve as Asked['resolve'], reject });
    post(run, { kind: 'ask', id, question, figures: run.figures });
  });
}

function askForClient<Q extends Question>(
  run: Run,
  question: Q,
): Promise<Questions[Q['kind']] | Overloaded> {
  if (run.asked.size < waitingMax) return ask(run, question);
  return Promise.resolve({ reason: 'overloaded' });
}

function end(run: Run, error: Error): void {
  const { status } = run;
  run.status = 'ended';
  for (const { reject } of run.asked.values()) reject(error);
  run.asked.clear();
  run.begun.reject(error);
  if (status === 'open') run.options.onFatal(error);
}
