// A list of the past that a table shows: its newest rows, further ones when they are asked for, and
// what happens while it is shown.

import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createBackwardReader, type RowSource } from './backwardReader.ts';

export type HistoryList<Row> = {
  /** Newest first. */
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly isReading: ReadonlySignal<boolean>;
  /** Whether the exchange has earlier rows. */
  readonly hasMore: ReadonlySignal<boolean>;
  /** Why the last request failed; undefined when it did not. */
  readonly failure: ReadonlySignal<unknown>;
  readonly readMore: () => Promise<void>;
  /** Reads the newest rows again. */
  readonly refresh: () => Promise<void>;
  /** A row that has just happened. */
  readonly add: (row: Row) => void;
  /** Answers that come later change nothing. */
  readonly close: () => void;
};

export type HistoryListOptions<Row> = {
  readonly sources: readonly RowSource<Row>[];
  /** Different for every row; a later row of one key replaces the earlier one. */
  readonly keyOf: (row: Row) => string;
  readonly timeOf: (row: Row) => number;
};

/** Rows that one step further shows. */
const stepRows = 100;

export function createHistoryList<Row>(options: HistoryListOptions<Row>): HistoryList<Row> {
  const { sources, keyOf } = options;
  const rows = signal<readonly Row[]>([]);
  const isReading = signal(false);
  const hasMore = signal(true);
  const failure = signal<unknown>(undefined);
  let reader = createBackwardReader(sources);
  let isClosed = false;
  /** What has happened since the last request was sent: its answer may not have it. */
  let added: Row[] = [];

  const reading = async (read: () => Promise<void>): Promise<void> => {
    if (isClosed) return;
    await oneAtATime({ isReading, failure }, () => {
      added = [];
      return read();
    });
  };
  const show = (next: readonly Row[]): void => {
    if (isClosed) return;
    batch(() => {
      rows.value = next;
      hasMore.value = !reader.isDone();
    });
  };
  const readMore = async (): Promise<void> => {
    const further = await reader.read(stepRows);
    show(joined(options, rows.value, further));
  };
  const readNewest = async (): Promise<void> => {
    const fresh = createBackwardReader(sources);
    const newest = await fresh.read(stepRows);
    const known = new Set(rows.value.map(keyOf));
    if (!fresh.isDone() && newest.some((row) => known.has(keyOf(row)))) {
      show(joined(options, rows.value, newest));
      return;
    }
    // They are all rows, or rows between may be missing: the list begins anew.
    reader = fresh;
    show(joined(options, newest, added));
  };
  return {
    rows,
    isReading,
    hasMore,
    failure,
    readMore: () => reading(readMore),
    refresh: () => reading(readNewest),
    add: (row) => {
      if (isClosed) return;
      added.push(row);
      rows.value = joined(options, rows.value, [row]);
    },
    close: () => {
      isClosed = true;
    },
  };
}

type Turns = { readonly isReading: Signal<boolean>; readonly failure: Signal<unknown> };

/** Reads unless something is being read, and keeps the reason of a failure. */
async function oneAtATime({ isReading, failure }: Turns, read: () => Promise<void>): Promise<void> {
  if (isReading.value) return;
  isReading.value = true;
  failure.value = undefined;
  try {
    await read();
  } catch (error) {
    failure.value = error;
  }
  isReading.value = false;
}

/** Each row once, in its later form; newest first, of equal times the later key first. */
function joined<Row>(
  { keyOf, timeOf }: HistoryListOptions<Row>,
  first: readonly Row[],
  second: readonly Row[],
): readonly Row[] {
  const byKey = new Map([...first, ...second].map((row) => [keyOf(row), row]));
  return [...byKey.values()].sort(
    (a, b) => timeOf(b) - timeOf(a) || (keyOf(a) < keyOf(b) ? 1 : -1),
  );
}
