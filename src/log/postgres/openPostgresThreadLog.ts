// The log in PostgreSQL as the thread that trades sees it: first a log that others write and that
// the local segments follow, then, with the lease, a log that this process writes. A thread of its
// own does the work (postgresLogThread.ts).

import { systemScheduler } from '../../std/scheduler.ts';
import { startThread } from '../../threads.ts';
import { type BatchSlots, createBatchSlots } from '../file/batchSlots.ts';
import { createSlotLog } from '../file/createSlotLog.ts';
import type { DirectoryLock } from '../file/lockDirectory.ts';
import { createLogOutlet, fail, type LogOutlet } from '../file/logOutlet.ts';
import type { Skip } from '../file/skip.ts';
import { type Log, type LogBatch, LogDamaged, type LogHead } from '../log.ts';
import {
  type FromPostgresLog,
  headReceived,
  type PostgresLogThreadData,
  type ToPostgresLog,
} from './fromPostgresLog.ts';
import { LeaseLost, type SeenLease } from './holdLog.ts';
import { createLeaseTerm, type LeaseTerm } from './leaseTerm.ts';
import { DatabaseRefused } from './serverFacts.ts';

export type PostgresThreadLogOptions = Omit<PostgresLogThreadData, 'shared' | 'term'> & {
  /** Receives sentences about what keeps the log waiting. */
  readonly report: (message: string) => void;
};

export type PostgresThreadLog = {
  /** Up to here the local segments hold the log, and it is durable; undefined at the start. */
  readonly followed: () => LogHead | undefined;
  /** The origins of a batch that was read from the database; empty: it has none. */
  readonly originsOf: (position: number) => Buffer;
  /** Forgets the origins of the batches up to this one. */
  readonly forgetOrigins: (position: number) => void;
  /** Sets the one listener, which is called when something has changed: then look. */
  readonly onChange: (listener: () => void) => void;
  /** What has ended the log; undefined: nothing has. */
  readonly failure: () => Error | undefined;
  /** The lease as it was seen last; undefined before the database has answered. */
  readonly seen: () => SeenLease | undefined;
  /** The last other process that was seen with the lease, or had given it back. */
  readonly former: () => string | undefined;
  /**
   * Durable batches that came from the holder: they go into the local segments if they are next
   * there, and are read from the database otherwise.
   */
  readonly take: (batches: readonly LogBatch[]) => void;
  /** There is a sign that the lease changes hands: it is looked at now. */
  readonly hurry: () => void;
  /** This process has a link to the holder, until the next `hurry`: it looks less often. */
  readonly linked: () => void;
  /** Sets the one listener, which is called when this process begins to give the lease away. */
  readonly onLeaving: (listener: () => void) => void;
  /**
   * The state has followed the log, whose last batch this engine ran: it may take the lease, unless
   * `unfit` says why not.
   */
  readonly becomeReady: (logEngine: string, unfit?: string) => void;
  /** The log to write, once this process has the lease; undefined before. */
  readonly opened: () => OpenedLog | undefined;
  /** Gives the lease back and releases the directory; so does the log's own `close`. */
  readonly close: () => Promise<void>;
};

export type OpenedLog = {
  readonly log: Log;
  /** Of the lease. */
  readonly epoch: number;
  /** The skip records that all processes share, read with the lease. */
  readonly skips: readonly Skip[];
};

/** Over a locked directory; releases `lock` when it is closed. */
export function openPostgresThreadLog(
  { report, ...data }: PostgresThreadLogOptions,
  lock: DirectoryLock,
): PostgresThreadLog {
  const slots = createBatchSlots();
  const term = createLeaseTerm();
  const workerData: PostgresLogThreadData = { ...data, shared: slots.shared, term: term.shared };
  const worker = startThread('clusterLog', workerData);
  const post = (message: ToPostgresLog): void => worker.postMessage(message);
  const standing: Standing = { origins: new Map(), change: () => {}, leaving: () => {} };
  let closing: Promise<void> | undefined;
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      if (closing === undefined) end(standing, new Error('the thread of the log has ended'));
      resolve();
    });
  });
  const closeAll = async (): Promise<void> => {
    const { outlet } = standing.writing ?? {};
    if (outlet?.status === 'open') outlet.status = 'closing';
    post('close');
    await exited;
    lock.release();
  };
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };
  worker.on('error', (error) => end(standing, error));
  worker.on('message', (message: FromPostgresLog) => {
    if (message.kind === 'report') report(message.message);
    else receive(standing, message, { slots, term, close, holder: data.holder });
  });
  return {
    followed: () => standing.followed,
    originsOf: (position) => standing.origins.get(position) ?? noOrigins,
    forgetOrigins: (position) => {
      for (const known of standing.origins.keys()) {
        if (known > position) return;
        standing.origins.delete(known);
      }
    },
    onChange: (listener) => {
      standing.change = listener;
    },
    failure: () => standing.failure,
    seen: () => standing.seen,
    former: () => standing.former,
    take: (batches) => post({ kind: 'fed', batches }),
    hurry: () => post('hurry'),
    linked: () => post('linked'),
    onLeaving: (listener) => {
      standing.leaving = listener;
    },
    becomeReady: (logEngine, unfit) => post({ kind: 'ready', logEngine, unfit }),
    opened: () => standing.writing,
    close,
  };
}

const noOrigins = Buffer.alloc(0);

type Standing = {
  /** By the positions of their batches, in order. */
  readonly origins: Map<number, Buffer>;
  followed?: LogHead;
  seen?: SeenLease;
  former?: string;
  writing?: OpenedLog & { readonly outlet: LogOutlet };
  failure?: Error;
  change: () => void;
  leaving: () => void;
};

function end(standing: Standing, error: Error): void {
  if (standing.failure !== undefined) return;
  standing.failure = error;
  standing.change();
  if (standing.writing !== undefined) fail(standing.writing.outlet, error);
}

function receive(
  standing: Standing,
  message: Exclude<FromPostgresLog, { kind: 'report' }>,
  { holder, ...shared }: Omit<Writing, 'outlet'> & { readonly holder: string },
): void {
  switch (message.kind) {
    case 'followed':
      standing.followed = headReceived(message.head);
      break;
    case 'origins':
      standing.origins.set(message.position, Buffer.from(message.origins));
      return;
    case 'seen':
      standing.seen = message.lease;
      if (message.lease.holder !== holder) standing.former = message.lease.holder;
      break;
    case 'leaving':
      return standing.leaving();
    case 'open': {
      const head = headReceived(message.head);
      const outlet = createLogOutlet(head);
      const log = writtenLog({ ...shared, outlet });
      standing.followed = head;
      const { epoch, skips } = message;
      standing.writing = { log, outlet, epoch, skips };
      break;
    }
    case 'failed':
      return end(standing, errorOf(message.name, message.message));
  }
  standing.change();
}

type Writing = {
  readonly outlet: LogOutlet;
  readonly slots: BatchSlots;
  readonly term: LeaseTerm;
  readonly close: () => Promise<void>;
};

/** How often reads that wait for the lease look at it. */
const termEveryMs = 20;

function writtenLog({ outlet, slots, term, close }: Writing): Log {
  const { log } = createSlotLog(outlet, slots);
  return { ...log, whenCurrent: createCurrency(outlet, term), close };
}

/** Runs tasks at once while the lease holds; otherwise later, or never after a failure. */
function createCurrency(outlet: LogOutlet, term: LeaseTerm): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  const look = (): void => {
    if (outlet.status === 'failed') return;
    if (!term.isRunning()) {
      systemScheduler.after(termEveryMs, look);
      return;
    }
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  };
  return (task) => {
    if (waiting.length === 0 && term.isRunning()) return task();
    waiting.push(task);
    if (waiting.length === 1) systemScheduler.after(termEveryMs, look);
  };
}

/** Errors cross threads as a name and a sentence. */
function errorOf(name: string, message: string): Error {
  const kind = [LeaseLost, LogDamaged, DatabaseRefused].find((each) => each.name === name);
  return kind === undefined ? new Error(message) : new kind(message);
}
