// Transactions of history on their way into the database: one is written at a time, in order, and
// again after a failure. createHistorian.ts decides what a transaction contains.

import {
  DatabaseFailed,
  HistoryForked,
  type HistoryPlace,
  type HistoryRows,
  type HistoryWriter,
} from '../history/history.ts';
import type { Scheduler } from '../std/scheduler.ts';

export type Transaction = {
  readonly rows: HistoryRows;
  /** The approximate number of rows. */
  readonly size: number;
  readonly from: HistoryPlace;
  readonly to: HistoryPlace;
};

export type HistoryQueueOptions = {
  readonly writer: HistoryWriter;
  /** The name of the database in reports, without a password. */
  readonly database: string;
  /** The first pause after a failure, in milliseconds. It doubles up to the other. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  readonly scheduler: Scheduler;
  readonly report: (message: string) => void;
  /** The place of the tables is not where the queued rows began: the queue is empty now. */
  readonly onPlace: (place: HistoryPlace) => void;
  /**
   * Final: the tables belong to another log, another process writes them, or this program has a
   * fault.
   */
  readonly onRefused: (error: Error) => void;
  /** A step has ended: there may be room for more, or the figures have changed. */
  readonly onChange: () => void;
};

export type HistoryQueue = {
  /** Asks for the place of the tables, and drops what is queued: `onPlace` gets the answer. */
  readonly reopen: () => void;
  readonly push: (transaction: Transaction) => void;
  /** Whether a transaction waits, or the database does not answer. */
  readonly busy: () => boolean;
  /** The approximate number of rows that wait. */
  readonly size: () => number;
  /** The last place that the tables are known to have reached. */
  readonly written: () => HistoryPlace | undefined;
  /** The approximate number of rows written. */
  readonly rows: () => number;
  readonly failures: () => number;
  readonly failing: () => boolean;
  /** Resolves when the present write or opening has ended and its successor has begun. */
  readonly settled: () => Promise<void>;
  /** Stops all writing. */
  readonly stop: () => void;
};

type QueueState = {
  readonly options: HistoryQueueOptions;
  readonly transactions: Transaction[];
  size: number;
  written: HistoryPlace | undefined;
  rows: number;
  failures: number;
  /** The database operation in progress. */
  activity: Promise<void> | undefined;
  /** The next step is to ask for the place of the tables. */
  unsure: boolean;
  /** The queued rows are lost: `onPlace` receives the place of the tables in any case. */
  lost: boolean;
  /** The last write found the tables at another place. */
  forked: HistoryForked | undefined;
  retry: { readonly cancel: (() => void) | undefined; readonly pauseMs: number } | undefined;
  stopped: boolean;
};

/** Does nothing before `reopen`. */
export function createHistoryQueue(options: HistoryQueueOptions): HistoryQueue {
  const run: QueueState = {
    options,
    transactions: [],
    size: 0,
    written: undefined,
    rows: 0,
    failures: 0,
    activity: undefined,
    unsure: false,
    lost: false,
    forked: undefined,
    retry: undefined,
    stopped: false,
  };
  return {
    reopen: () => {
      drop(run);
      run.lost = true;
      run.unsure = true;
      advance(run);
    },
    push: (transaction) => {
      run.transactions.push(transaction);
      run.size += transaction.size;
      advance(run);
    },
    busy: () => run.transactions.length > 0 || run.unsure || run.stopped,
    size: () => run.size,
    written: () => run.written,
    rows: () => run.rows,
    failures: () => run.failures,
    failing: () => run.retry !== undefined,
    settled: () => run.activity ?? Promise.resolve(),
    stop: () => {
      run.stopped = true;
      drop(run);
      run.retry?.cancel?.();
    },
  };
}

function drop(run: QueueState): void {
  run.transactions.length = 0;
  run.size = 0;
}

/** Begins the next step, if there is one and none is in progress. */
function advance(run: QueueState): void {
  const [first] = run.transactions;
  if (run.activity !== undefined || run.stopped || run.retry?.cancel !== undefined) return;
  if (!run.unsure && first === undefined) return;
  const done = run.unsure || first === undefined ? open(run) : write(run, first);
  run.activity = done.then(() => {
    run.activity = undefined;
    advance(run);
    run.options.onChange();
  });
}

async function write(run: QueueState, transaction: Transaction): Promise<void> {
  const { rows, from, to } = transaction;
  try {
    await run.options.writer.write(rows, from, to);
  } catch (error) {
    run.unsure = true;
    if (error instanceof HistoryForked) run.forked = error;
    else failOrStop(run, error as Error);
    return;
  }
  confirm(run, transaction);
}

// A transaction that was dropped during its write came through anyway; the next opening finds it.
function confirm(run: QueueState, transaction: Transaction): void {
  recover(run);
  if (run.transactions[0] !== transaction) return;
  run.transactions.shift();
  run.size -= transaction.size;
  run.rows += transaction.size;
  run.written = transaction.to;
}

async function open(run: QueueState): Promise<void> {
  const { writer } = run.options;
  let place: HistoryPlace;
  try {
    place = await writer.open();
  } catch (error) {
    failOrStop(run, error as Error);
    return;
  }
  if (run.stopped) return;
  run.unsure = false;
  reconcile(run, place);
  // While transactions wait, the database has recovered only when it has written one.
  if (run.transactions.length === 0) recover(run);
}

function recover(run: QueueState): void {
  if (run.retry === undefined) return;
  run.retry = undefined;
  run.options.report(`history: ${run.options.database} answers again`);
}

// The last transaction may have come through although its answer did not.
function reconcile(run: QueueState, place: HistoryPlace): void {
  const { lost, forked, options, written } = run;
  const [first] = run.transactions;
  run.lost = false;
  run.forked = undefined;
  if (!lost && first !== undefined && samePlace(place, first.to)) {
    confirm(run, first);
    return;
  }
  if (!lost && forked !== undefined) {
    options.onRefused(forked);
    return;
  }
  if (!lost && written !== undefined && samePlace(place, written)) return;
  drop(run);
  run.written = place;
  options.onPlace(place);
}

const samePlace = (one: HistoryPlace, other: HistoryPlace): boolean =>
  one.position === other.position && one.hash === other.hash;

function failOrStop(run: QueueState, error: Error): void {
  if (error instanceof DatabaseFailed) fail(run, error);
  else run.options.onRefused(error);
}

// Reported once, however often it is tried again.
function fail(run: QueueState, error: Error): void {
  const { options, retry } = run;
  run.failures += 1;
  if (retry === undefined) {
    options.report(
      `history: ${options.database} failed: ${error.message}. Trading goes on; reads of ` +
        'history are answered with -1000 until it is back',
    );
  }
  const pauseMs = Math.min(options.retryMsMax, 2 * (retry?.pauseMs ?? options.retryMsMin / 2));
  const cancel = options.scheduler.after(pauseMs, () => {
    run.retry = { cancel: undefined, pauseMs };
    advance(run);
  });
  run.retry = { cancel, pauseMs };
}
