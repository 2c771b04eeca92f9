// Rows beside the log that must be there when their command is: a process writes the row of a
// request before it submits the request (the secret of a new key). A row whose command never came
// is removed later, by the process that knows the end of the log.

import type { Scheduler } from '../../src/std/scheduler.ts';

/** The table of rows, which all processes share. */
export type SharedRows = {
  readonly put: (request: string) => void;
  /** Rows that are older than this. */
  readonly olderThan: (ageMs: number) => readonly string[];
  readonly remove: (request: string) => void;
  readonly has: (request: string) => boolean;
};

export function createSharedRows(now: () => number): SharedRows {
  const rows = new Map<string, number>();
  return {
    put: (request) => void rows.set(request, now()),
    olderThan: (ageMs) =>
      [...rows].filter(([, at]) => now() - at > ageMs).map(([request]) => request),
    remove: (request) => void rows.delete(request),
    has: (request) => rows.has(request),
  };
}

/** A command has five seconds, and what its message and both processes stand still comes on top. */
const orphanAgeMs = 10_000;
const sweepEveryMs = 700;

export type SweepRows = {
  readonly rows: SharedRows;
  readonly scheduler: Scheduler;
  /** Whether the state of this process has the command of this request, durable or not. */
  readonly knows: (request: string) => boolean;
  /** Whether this process may remove rows: the lease is its own, and its state at the log's end. */
  readonly mayRemove: () => boolean;
};

/** Removes orphans again and again. */
export function keepRowsSwept(options: SweepRows): void {
  const { rows, scheduler, knows, mayRemove } = options;
  scheduler.after(sweepEveryMs, () => {
    if (mayRemove()) {
      for (const request of rows.olderThan(orphanAgeMs)) if (!knows(request)) rows.remove(request);
    }
    keepRowsSwept(options);
  });
}
