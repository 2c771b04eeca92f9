// The rows of a part of the log in memory, and the stretches that can be made of them. Batches come
// in order and none is left out. It reads no log.

import type { ReplicaState } from '../../replica/replicaState.ts';
import { rootOf } from './hashTree.ts';
import { reportPeriodMs, type Stretch } from './report.ts';
import { createReportRows } from './reportRows.ts';

export type RowBounds = {
  /** What one report takes, unless a single batch has more. */
  readonly rowsPerReportMax: number;
  /** Beyond this many rows it takes no batch any more. */
  readonly rowsHeldMax: number;
};

/** Some 30 MB at most; a report's file has a fifth of that. */
export const rowBounds: RowBounds = { rowsPerReportMax: 20_000, rowsHeldMax: 100_000 };

export type HeldRows = {
  /** It knows the rows of the batches after `start` up to `end`. */
  readonly start: () => number;
  readonly end: () => number;
  /** Takes what this state goes through from now on; it stands at `end`. */
  readonly follow: (state: ReplicaState) => void;
  /** To be called after each of its batches. */
  readonly endBatch: () => void;
  /** Takes nothing any more. */
  readonly leave: () => void;
  /** It has left, because it holds too much, or because a row could not be made. */
  readonly isFull: () => boolean;
  /** Forgets the rows up to a batch. */
  readonly trim: (start: number) => void;
  /** Batches with which periods ended, ascending. */
  readonly borders: () => readonly number[];
  readonly rowsOf: (from: number, to: number) => readonly string[];
  /** The next stretch, up to the last period that has ended or as many rows as a report takes. */
  readonly next: (from: number) => Stretch | undefined;
};

type Held = {
  readonly bounds: RowBounds;
  readonly report: (message: string) => void;
  start: number;
  end: number;
  /** The number of the period in which `end` lies. */
  period: number;
  /** Batches with which a period ends, ascending. */
  readonly borders: number[];
  /** The rows, and the batch of each one. */
  readonly texts: string[];
  readonly batches: number[];
  state: ReplicaState | undefined;
  endRows: () => void;
  isFull: boolean;
};

export function createHeldRows(
  state: ReplicaState,
  bounds: RowBounds,
  report: (message: string) => void,
): HeldRows {
  const { position } = state;
  const held: Held = {
    ...{ bounds, report, start: position, end: position, period: periodOf(state) },
    ...{ borders: [], texts: [], batches: [], state: undefined },
    ...{ endRows: () => {}, isFull: false },
  };
  follow(held, state);
  return {
    start: () => held.start,
    end: () => held.end,
    follow: (next) => follow(held, next),
    endBatch: () => endBatch(held),
    leave: () => leave(held),
    isFull: () => held.isFull,
    trim: (start) => trim(held, start),
    borders: () => held.borders,
    rowsOf: (from, to) => rowsOf(held, from, to),
    next: (from) => next(held, from),
  };
}

const periodOf = ({ time }: ReplicaState): number => Math.floor(time / reportPeriodMs);

function leave(held: Held): void {
  if (held.state !== undefined) held.state.onEventsToo = undefined;
  held.state = undefined;
  held.endRows = () => {};
}

function follow(held: Held, state: ReplicaState): void {
  leave(held);
  if (held.isFull) return;
  held.state = state;
  const rows = createReportRows(state, (text, batch) => {
    held.texts.push(text);
    held.batches.push(batch);
  });
  state.onEventsToo = (events) => guard(held, () => rows.take(events));
  held.endRows = rows.endBatch;
}

/** A report is worth less than trading: what fails here ends the reports and nothing else. */
function guard(held: Held, act: () => void): void {
  try {
    act();
  } catch (error) {
    held.report(`no rows of reports can be made after batch ${held.end}: ${error}`);
    fill(held);
  }
}

function fill(held: Held): void {
  leave(held);
  held.isFull = true;
  const complete = firstAfter(held, held.end);
  held.texts.length = complete;
  held.batches.length = complete;
}

function endBatch(held: Held): void {
  const { state } = held;
  if (state === undefined) return;
  guard(held, held.endRows);
  if (held.isFull) return;
  const period = periodOf(state);
  if (period !== held.period && held.end > held.start) held.borders.push(held.end);
  held.period = period;
  held.end = state.position;
  if (held.texts.length >= held.bounds.rowsHeldMax) fill(held);
}

function trim(held: Held, start: number): void {
  if (start <= held.start) return;
  const gone = firstAfter(held, start);
  held.texts.splice(0, gone);
  held.batches.splice(0, gone);
  held.borders.splice(0, countUpTo(held.borders, start));
  held.start = start;
}

const rowsOf = (held: Held, from: number, to: number): readonly string[] =>
  held.texts.slice(firstAfter(held, from), firstAfter(held, to));

const firstAfter = ({ batches }: Held, batch: number): number => countUpTo(batches, batch);

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function next(held: Held, from: number): Stretch | undefined {
  const { batches, borders, bounds } = held;
  const first = firstAfter(held, from);
  /** The batch of the first row that has no room any more. */
  const excess = batches[first + bounds.rowsPerReportMax];
  const limit = excess === undefined ? held.end : Math.max(excess - 1, batches[first]!);
  const border = borders[countUpTo(borders, limit) - 1] ?? 0;
  const cut = excess === undefined ? 0 : limit;
  const to = border > from ? border : cut;
  return to > from ? { from, to, digest: rootOf(rowsOf(held, from, to)) } : undefined;
}
