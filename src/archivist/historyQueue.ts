// Transactions of history on their way into the database: one is written at a time, in order, and
// again after a failure. What belongs into a transaction is createHistorian.ts's business.

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
  /** Rows, about. */
  readonly size: number;
  readonly from: HistoryPlace;
  readonly to: HistoryPlace;
};

export type HistoryQueueOptions = {
  readonly writer: HistoryWriter;
  /** What the database is called in reports; no password. */
  readonly database: string;
  /** The first pause after a failure, which doubles up to the other, milliseconds. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  readonly scheduler: Scheduler;
  readonly report: (message: string) => void;
  /** The tables stand here, and not where what was queued begins: nothing is queued now. */
  readonly onPlace: (place: HistoryPlace) => void;
  /** For good: the tables tell another log, or somebody else writes them, or a fault of ours. */
  readonly onRefused: (error: Error) => void;
  /** Something has ended: there may be room for more, or the figures are others. */
  readonly onChange: () => void;
};

export type HistoryQueue = {
  /** Asks where the tables stand, and drops what is queued: `onPlace` gets the answer. */
  readonly reopen: () => void;
  readonly push: (transaction: Transaction) => void;
  /** Whether a transaction waits, or the database does not answer. */
  readonly busy: () => boolean;
  /** Rows that wait, about. */
  readonly size: () => number;
  /** The tables hold everything up to here, as far as is known. */
  readonly written: () => HistoryPlace | undefined;
  /** Rows written, about. */
  readonly rows: () => number;
  readonly failures: () => number;
  readonly failing: () => boolean;
  /** Resolves when the present write or opening has ended; its successor has then begun. */
  readonly settled: () => Promise<void>;
  /** Writes nothing any more. */
  readonly stop: () => void;
};

type QueueState = {
  readonly options: HistoryQueueOptions;
  readonly transactions: Transaction[];
  size: number;
  written: HistoryPlace | undefined;
  rows: number;
  failures: number;
  /** What the database is doing for us. */
  activity: Promise<void> | undefined;
  /** The next thing to do is to ask where the tables stand. */
  unsure: boolean;
  /** What was queued is lost: wherever the tables stand, `onPlace` hears it. */
  lost: boolean;
  /** The last write found the tables elsewhere. */
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

/** Begins the next thing to do, if there is one and nothing is being done. */
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

// What was dropped meanwhile has come through all the same; the opening that follows finds it.
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
  // Of what it could not write it must write something first.
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

// Said once, however often it is tried again.
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
