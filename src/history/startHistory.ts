// History as the trading thread sees it: questions to a thread of their own, which are asked once
// the tables tell everything that was durable when somebody wanted to know (HIST-3). Who writes the
// tables is the archivist.

import type { Worker } from 'node:worker_threads';
import type { Clock } from '../std/clock.ts';
import { createQueue, type Queue, queueAt, queuePush, queueShift } from '../std/queue.ts';
import { startThread } from '../threads.ts';
import type { FromHistoryMessage, HistoryThreadData, ToHistoryMessage } from './historyMessage.ts';
import type { HistoryWhere } from './openHistoryWriter.ts';
import type { AskHistory, HistoryFailure, HistoryQueries } from './queries/historyQueries.ts';

export type HistoryBounds = {
  /** Questions that may be open; beyond, they are refused as overload. */
  readonly openMax: number;
  /** How long a question waits for tables that are behind, milliseconds. */
  readonly waitMs: number;
  /** How long it waits for a database that does not answer. */
  readonly failingMs: number;
  /** How long the database may work at one. */
  readonly statementMs: number;
  /** Questions that the database works at together. */
  readonly together: number;
};

export const historyBounds: HistoryBounds = {
  openMax: 1000,
  waitMs: 8000,
  failingMs: 2000,
  statementMs: 5000,
  together: 4,
};

export type StartHistory = HistoryWhere & {
  readonly clock: Clock;
  /** The last durable batch. */
  readonly durablePosition: () => number;
  /** Has history written up to the last durable batch, soon. */
  readonly urge: () => void;
  /** Hears, as sentences, of what the database says to questions that it cannot answer. */
  readonly report: (message: string) => void;
  readonly bounds?: HistoryBounds;
};

/** Where the tables stand. */
export type HistoryWritten = {
  readonly position: number;
  /** For good. */
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
  /** Given up because the tables were behind. */
  readonly behind: number;
  readonly overloaded: number;
};

export type RunningHistory = {
  readonly ask: AskHistory;
  /** The tables tell everything up to there. */
  readonly written: (written: HistoryWritten) => void;
  readonly figures: () => ReaderFigures;
  /** Answers nothing any more. */
  readonly close: () => Promise<void>;
};

type Asked = {
  readonly id: number;
  readonly name: keyof HistoryQueries;
  readonly asked: unknown;
  /** What the tables must tell before the answer. */
  readonly position: number;
  readonly answer: (rows: unknown) => void;
  readonly askedAt: number;
  /** When the database counts as one that does not answer; undefined: it is not asked yet. */
  dueAt: number | undefined;
};

type Run = {
  readonly options: StartHistory;
  readonly bounds: HistoryBounds;
  readonly open: Map<number, Asked>;
  /** Those that are not asked yet, by position. */
  readonly queue: Queue<Asked>;
  worker: Worker | undefined;
  working: number;
  written: HistoryWritten;
  asked: number;
  answered: number;
  failed: number;
  behind: number;
  overloaded: number;
  /** Whether the last question that was asked failed: failures are reported once. */
  failing: boolean;
  closed: boolean;
};

const databaseFailed: HistoryFailure = { reason: 'databaseFailed' };
const historyBehind: HistoryFailure = { reason: 'historyBehind' };
const overloaded: HistoryFailure = { reason: 'overloaded' };
const sweepMs = 50;
/** The database gives a query up by itself; this much later we do. */
const graceMs = 2000;

export function startHistory(options: StartHistory): RunningHistory {
  const run: Run = {
    options,
    bounds: options.bounds ?? historyBounds,
    open: new Map(),
    queue: createQueue(),
    worker: undefined,
    working: 0,
    written: { position: -1, stopped: false, failing: false },
    asked: 0,
    answered: 0,
    failed: 0,
    behind: 0,
    overloaded: 0,
    failing: false,
    closed: false,
  };
  const sweeping = setInterval(() => sweep(run), sweepMs).unref();
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
    close: () => {
      clearInterval(sweeping);
      return close(run);
    },
  };
}

function ask(run: Run, name: keyof HistoryQueries, asked: unknown): Promise<unknown> {
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
    const question = { id, name, asked, position, answer: resolve, askedAt, dueAt: undefined };
    open.set(id, question);
    queuePush(run.queue, question);
    if (position > written.position) options.urge();
    else dispatch(run);
  });
}

/** Asks those that the tables can answer, as many as are worked at together. */
function dispatch(run: Run): void {
  const { queue, open, bounds, options, written } = run;
  while (run.working < bounds.together) {
    const next = queueAt(queue, 0);
    if (next === undefined || next.position > written.position) return;
    queueShift(queue);
    // Given up meanwhile.
    if (!open.has(next.id)) continue;
    next.dueAt = options.clock.now() + bounds.statementMs + graceMs;
    run.working += 1;
    run.worker ??= startWorker(run);
    post(run.worker, { kind: 'ask', id: next.id, name: next.name, asked: next.asked });
  }
}

function post(worker: Worker, message: ToHistoryMessage): void {
  worker.postMessage(message);
}

function startWorker(run: Run): Worker {
  const { databaseUrl, directory } = run.options;
  const { statementMs, together } = run.bounds;
  const workerData: HistoryThreadData = { databaseUrl, directory, statementMs, together };
  const worker = startThread('history', workerData);
  worker.on('message', (message: FromHistoryMessage) => receive(run, message));
  worker.on('error', (error: Error) => fail(run, error.message));
  worker.on('exit', () => {
    if (run.worker === worker) run.worker = undefined;
    run.working = 0;
  });
  return worker;
}

function receive(run: Run, message: FromHistoryMessage): void {
  run.working -= 1;
  if (message.kind === 'answer') {
    run.failing = false;
    run.answered += 1;
    settle(run, message.id, message.rows);
  } else {
    fail(run, message.message);
    settle(run, message.id, databaseFailed);
  }
  dispatch(run);
}

function fail(run: Run, message: string): void {
  if (!run.failing) run.options.report(`history cannot be read: ${message}`);
  run.failing = true;
}

function settle(run: Run, id: number, rows: unknown): void {
  const question = run.open.get(id);
  if (question === undefined) return;
  run.open.delete(id);
  if (rows === databaseFailed) run.failed += 1;
  if (rows === historyBehind) run.behind += 1;
  question.answer(rows);
}

function sweep(run: Run): void {
  const now = run.options.clock.now();
  for (const question of run.open.values()) {
    const failure = failureAt(run, question, now);
    if (failure !== undefined) settle(run, question.id, failure);
  }
}

/** Why a question is given up by now, if it is. */
function failureAt(run: Run, question: Asked, now: number): HistoryFailure | undefined {
  const { bounds, written } = run;
  const { askedAt, dueAt, position } = question;
  if (dueAt !== undefined) return now >= dueAt ? databaseFailed : undefined;
  if (written.failing && now >= askedAt + bounds.failingMs) return databaseFailed;
  if (now < askedAt + bounds.waitMs) return undefined;
  // The tables tell enough, and those before it hold the database.
  return position <= written.position ? databaseFailed : historyBehind;
}

async function close(run: Run): Promise<void> {
  run.closed = true;
  for (const id of [...run.open.keys()]) settle(run, id, databaseFailed);
  const { worker } = run;
  if (worker === undefined) return;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  post(worker, { kind: 'close' });
  const impatient = setTimeout(() => worker.terminate(), graceMs);
  await exited;
  clearTimeout(impatient);
}
