// Reads lists of the exchange backwards, page by page: newest first, no row twice and none missing,
// however many rows come meanwhile. Several lists are read as one.

/** Which rows are asked for (ORD-12): the latest ones unless the window has a beginning. */
export type RowsAsked = {
  readonly start_time?: number;
  readonly end_time?: number;
  /** The row of this id and those after it. */
  readonly from?: string;
  readonly limit: number;
};

export type RowSource<Row> = {
  /** Ascending, as the exchange gives them. */
  readonly ask: (asked: RowsAsked) => Promise<readonly Row[]>;
  readonly timeOf: (row: Row) => number;
  /** What `from` takes. */
  readonly idOf: (row: Row) => string;
};

export type BackwardReader<Row> = {
  /** The next rows, about `count` of them; fewer at the end. Rejects as the requests do. */
  readonly read: (count: number) => Promise<readonly Row[]>;
  readonly isDone: () => boolean;
};

/** Rows of one request. */
export const rowsAsked = 100;

type Reading<Row> = {
  readonly source: RowSource<Row>;
  /** Rows that were read and not yet given; newest first. */
  waiting: Row[];
  /** Later rows were read; undefined before the first request. */
  end: number | undefined;
  isDone: boolean;
};

export function createBackwardReader<Row>(sources: readonly RowSource<Row>[]): BackwardReader<Row> {
  const readings = sources.map(
    (source): Reading<Row> => ({ source, waiting: [], end: undefined, isDone: false }),
  );
  const isDone = (): boolean => readings.every((each) => each.isDone && each.waiting.length === 0);
  return {
    isDone,
    read: async (count) => {
      const given: Row[] = [];
      while (given.length < count && !isDone()) {
        // The newest row is known only when each list has shown its newest one.
        const silent = readings.filter((each) => !each.isDone && each.waiting.length === 0);
        try {
          await Promise.all(silent.map(readPage));
        } catch (error) {
          if (given.length === 0) throw error;
          return given;
        }
        const next = newestOf(readings);
        if (next !== undefined) given.push(next);
      }
      return given;
    },
  };
}

/** Takes the newest of all waiting rows; undefined when a list must be asked first. */
function newestOf<Row>(readings: readonly Reading<Row>[]): Row | undefined {
  if (readings.some((each) => !each.isDone && each.waiting.length === 0)) return undefined;
  let newest: Reading<Row> | undefined;
  let newestTime = Number.NEGATIVE_INFINITY;
  for (const reading of readings) {
    const [first] = reading.waiting;
    if (first === undefined) continue;
    const time = reading.source.timeOf(first);
    if (time <= newestTime) continue;
    newest = reading;
    newestTime = time;
  }
  return newest?.waiting.shift();
}

/** One page backwards. Rows of its earliest millisecond may be missing: the next page has them. */
async function readPage<Row>(reading: Reading<Row>): Promise<void> {
  const { source, end } = reading;
  const { ask, timeOf } = source;
  const window = end === undefined ? {} : { end_time: end };
  const rows = await ask({ ...window, limit: rowsAsked });
  const [earliest] = rows;
  if (earliest === undefined || rows.length < rowsAsked) {
    reading.isDone = true;
    reading.waiting.push(...rows.toReversed());
    return;
  }
  const edge = timeOf(earliest);
  const whole = rows.filter((row) => timeOf(row) > edge);
  if (whole.length > 0) {
    reading.end = edge;
    reading.waiting.push(...whole.toReversed());
    return;
  }
  // More rows at one moment than a page has: an order that met a hundred others.
  const moment = await readMoment(source, edge);
  reading.end = edge - 1;
  reading.waiting.push(...moment.toReversed());
}

/** All rows of one millisecond, ascending. */
async function readMoment<Row>(
  { ask, timeOf, idOf }: RowSource<Row>,
  time: number,
): Promise<readonly Row[]> {
  const found = new Map<string, Row>();
  let rows = await ask({ start_time: time, end_time: time, limit: rowsAsked });
  for (;;) {
    const before = found.size;
    for (const row of rows) if (timeOf(row) === time) found.set(idOf(row), row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAsked || timeOf(last) > time) break;
    // A page that brings nothing new would be asked for ever.
    if (found.size === before) break;
    rows = await ask({ from: idOf(last), limit: rowsAsked });
  }
  return [...found.values()];
}
