// History as the trading thread sees it: questions to a thread of its own. A question is asked when
// the tables contain everything that was durable at the time of the request (HIST-3). The archivist
// writes the tables.

import type { Worker } from 'node:worker_threads';
import type { Clock } from '../std/clock.ts';
import { createQueue, type Queue, queueAt, queuePush, queueShift } from '../std/queue.ts';
import { startThread } from '../threads.ts';
import type {
  FromHistoryMessage,
  HistoryAnswer,
  HistoryQuestion,
  HistoryThreadData,
  ToHistoryMessage,
} from './historyMessage.ts';
import type { HistoryWhere } from './openHistoryWriter.ts';
import type { AskHistory, HistoryFailure, HistoryQueries } from './queries/historyQueries.ts';

export type HistoryBounds = {
  /** The maximum of open questions; further ones are refused as overload. */
  readonly openMax: number;
  /** How long a question waits for its answer, milliseconds, while the database answers. */
  readonly waitMs: number;
  /** How long a question waits for a database that does not answer. */
  readonly failingMs: number;
  /** How long the database may work at one query; the thread that asks it counts this time. */
  readonly statementMs: number;
  /** A thread that has questions and answers none for so long waits for its disk. */
  readonly silentMs: number;
  /** The number of questions that the database answers at the same time. */
  readonly together: number;
};

export const historyBounds: HistoryBounds = {
  openMax: 1000,
  waitMs: 8000,
  failingMs: 2000,
  statementMs: 5000,
  silentMs: 60_000,
  together: 4,
};

export type StartHistory = HistoryWhere & {
  readonly clock: Clock;
  /** The last durable batch. */
  readonly durablePosition: () => number;
  /** Has history written up to the last durable batch, soon. */
  readonly urge: () => void;
  /** Receives sentences with the database's errors for questions that it cannot answer. */
  readonly report: (message: string) => void;
  readonly bounds?: HistoryBounds;
};

/** The place of the tables. */
export type HistoryWritten = {
  readonly position: number;
  /** History has stopped for ever. */
  readonly stopped: boolean;
  /** The database does not answer the archivist. */
  readonly failing: boolean;
};

export type ReaderFigures = {
  /** Questions that wait for the tables or for their turn. */
  readonly waiting: number;
  /** Since the start. */
  readonly answered: number;
  readonly failed: number;
  /** Questions that failed because the tables were behind, or the reading thread was too slow. */
  readonly behind: number;
  readonly overloaded: number;
};

export type RunningHistory = {
  readonly ask: AskHistory;
  /** The tables are complete up to this place. */
  readonly written: (written: HistoryWritten) => void;
  readonly figures: () => ReaderFigures;
  /** Answers no further question. */
  readonly close: () => Promise<void>;
};

type Asked = {
  readonly id: number;
  readonly name: keyof HistoryQueries;
  readonly asked: unknown;
  /** The tables must be complete up to here before the answer. */
  readonly position: number;
  readonly answer: (rows: unknown) => void;
  readonly askedAt: number;
  /** The thread has it. */
  given: boolean;
};

type HistoryThread = {
  readonly options: StartHistory;
  readonly bounds: HistoryBounds;
  readonly open: Map<number, Asked>;
  /** Questions that are not asked yet, by position. */
  readonly queue: Queue<Asked>;
  worker: Worker | undefined;
  working: number;
  /** When the thread last answered, or got a question while it had none. */
  heardAt: number;
  /** Questions that leave for the thread at the end of this turn. */
  leaving: HistoryQuestion[];
  written: HistoryWritten;
  asked: number;
  answered: number;
  failed: number;
  behind: number;
  overloaded: number;
  /** Whether the last asked question failed: failures are reported once. */
  failing: boolean;
  closed: boolean;
  /** Of the next sweep; undefined while no question is open. */
  sweeping: NodeJS.Timeout | undefined;
};

const databaseFailed: HistoryFailure = { reason: 'databaseFailed' };
const historyBehind: HistoryFailure = { reason: 'historyBehind' };
const overloaded: HistoryFailure = { reason: 'overloaded' };
const sweepMs = 50;
/** How long the thread may take to end. */
const graceMs = 2000;

export function startHistory(options: StartHistory): RunningHistory {
  const run: HistoryThread = {
    options,
    bounds: options.bounds ?? historyBounds,
    open: new Map(),
    queue: createQueue(),
    worker: undefined,
    working: 0,
    heardAt: 0,
    leaving: [],
    written: { position: -1, stopped: false, failing: false },
    asked: 0,
    answered: 0,
    failed: 0,
    behind: 0,
    overloaded: 0,
    failing: false,
    closed: false,
    sweeping: undefined,
  };
  return {
    ask: ((name, asked) => ask(run, name, asked)) as AskHistory,
    written: (written) => {
      run.written = written;
      if (written.stopped) for (const id of [...run.open.keys()]) settle(run, id, databaseFailed);
      dispatch(run);
    },
    figures: () => {
      const { open, working, answered, failed, behind } = run;
      const { size } = open;
      return { waiting: size - working, answered, failed, behind, overloaded: run.overloaded };
    },
    close: () => close(run),
  };
}

function ask(run: HistoryThread, name: keyof HistoryQueries, asked: unknown): Promise<unknown> {
  const { open, bounds, options, written } = run;
  if (open.size >= bounds.openMax) {
    run.overloaded += 1;
    return Promise.resolve(overloaded);
  }
  if (written.stopped || run.closed) {
    run.failed += 1;
    return Promise.resolve(databaseFailed);
  }
  run.asked += 1;
  const id = run.asked;
  const position = options.durablePosition();
  return new Promise((resolve) => {
    const askedAt = options.clock.now();
    const question = { id, name, asked, position, answer: resolve, askedAt, given: false };
    open.set(id, question);
    queuePush(run.queue, question);
    sweepLater(run);
    if (position > written.position) options.urge();
    else dispatch(run);
  });
}

/** Asks the questions that the tables can answer, up to the number that may run together. */
function dispatch(run: HistoryThread): void {
  const { queue, open, bounds, options, written } = run;
  while (run.working < bounds.together) {
    const next = queueAt(queue, 0);
    if (next === undefined || next.position > written.position) return;
    queueShift(queue);
    // It failed in the meantime.
    if (!open.has(next.id)) continue;
    next.given = true;
    if (run.working === 0) run.heardAt = options.clock.now();
    run.working += 1;
    if (run.leaving.length === 0) setImmediate(() => askThread(run));
    run.leaving.push({ id: next.id, name: next.name, asked: next.asked });
  }
}

/** Asks all questions of this turn at once. */
function askThread(run: HistoryThread): void {
  const questions = run.leaving;
  run.leaving = [];
  if (run.closed) return;
  run.worker ??= startWorker(run);
  post(run.worker, { kind: 'ask', questions });
}

function post(worker: Worker, message: ToHistoryMessage): void {
  worker.postMessage(message);
}

function startWorker(run: HistoryThread): Worker {
  const { databaseUrl, directory } = run.options;
  const { statementMs, together } = run.bounds;
  const workerData: HistoryThreadData = { databaseUrl, directory, statementMs, together };
  const worker = startThread('history', workerData);
  worker.on('message', (answers: FromHistoryMessage) => {
    run.heardAt = run.options.clock.now();
    for (const answer of answers) receive(run, answer);
    dispatch(run);
  });
  worker.on('error', (error: Error) => fail(run, error.message));
  worker.on('exit', () => {
    if (run.worker === worker) run.worker = undefined;
    run.working = run.leaving.length;
  });
  return worker;
}

function receive(run: HistoryThread, answer: HistoryAnswer): void {
  run.working -= 1;
  if (answer.kind === 'answer') {
    run.failing = false;
    run.answered += 1;
    settle(run, answer.id, answer.rows);
  } else {
    fail(run, answer.message);
    settle(run, answer.id, databaseFailed);
  }
}

function fail(run: HistoryThread, message: string): void {
  if (!run.failing) run.options.report(`history cannot be read: ${message}`);
  run.failing = true;
}

function settle(run: HistoryThread, id: number, rows: unknown): void {
  const question = run.open.get(id);
  if (question === undefined) return;
  run.open.delete(id);
  if (rows === databaseFailed) run.failed += 1;
  if (rows === historyBehind) run.behind += 1;
  question.answer(rows);
}

/** Only while questions are open: each time wakes the thread that trades. */
function sweepLater(run: HistoryThread): void {
  run.sweeping ??= setTimeout(() => {
    run.sweeping = undefined;
    sweep(run);
    if (run.open.size > 0) sweepLater(run);
  }, sweepMs).unref();
}

function sweep(run: HistoryThread): void {
  const now = run.options.clock.now();
  const { silentMs } = run.bounds;
  const isSilent = run.working > 0 && now >= run.heardAt + silentMs;
  if (isSilent) fail(run, `its thread has answered nothing for ${silentMs / 1000} s`);
  for (const question of run.open.values()) {
    const failure = failureAt(run, { question, now, isSilent });
    if (failure !== undefined) settle(run, question.id, failure);
  }
}

type Moment = { readonly question: Asked; readonly now: number; readonly isSilent: boolean };

/**
 * Why a question fails now, if it does. The thread that reads says when the database has failed: it
 * counts the time of each query. A question that merely takes long says nothing about the database,
 * because the thread gives way to trading and may wait for a processor. Only a thread that answers
 * nothing for a long time counts as one that waits for its disk.
 */
function failureAt(
  { bounds, written }: HistoryThread,
  { question, now, isSilent }: Moment,
): HistoryFailure | undefined {
  const { askedAt, given } = question;
  const isFailing = isSilent || (written.failing && !given);
  if (isFailing && now >= askedAt + bounds.failingMs) return databaseFailed;
  return now < askedAt + bounds.waitMs ? undefined : historyBehind;
}

async function close(run: HistoryThread): Promise<void> {
  run.closed = true;
  clearTimeout(run.sweeping);
  for (const id of [...run.open.keys()]) settle(run, id, databaseFailed);
  const { worker } = run;
  if (worker === undefined) return;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  post(worker, { kind: 'close' });
  const impatient = setTimeout(() => worker.terminate(), graceMs);
  await exited;
  clearTimeout(impatient);
}
