// A recording of trades as a stream: one CSV file, plain or gzip. It reads a bounded number of rows
// ahead. It knows columns and order, not the use of a price.

import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseDecimal } from '../units/decimal.ts';
import { csvFields } from './csvFields.ts';
import type { Report } from './indexFeed.ts';

export type Trade = {
  /** Microseconds since the Unix epoch; never less than the time of the trade before. */
  readonly at: number;
  /** Decimal text above 0. */
  readonly price: string;
};

export type TradeFile = {
  /**
   * `failed`: the file broke after it had been opened, and all rows that were read before have been
   * used. Its last price is not valid any more.
   */
  readonly phase: () => 'reading' | 'ended' | 'failed';
  /** The time up to which it has been read, microseconds. */
  readonly readTo: () => number;
  /**
   * Removes and gives the next trade at or before `at`; undefined when none has been read so far.
   */
  readonly takeUntil: (at: number) => Trade | undefined;
  /** Reads ahead in the background when few rows are left. Never throws. */
  readonly readAhead: () => void;
  /** Resolves when the reading in progress is over. Never rejects. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Rows kept in memory; below a quarter of them more is read. */
const rowsAheadMax = 16_384;
const lineLengthMax = 65_536;
const timestampPattern = /^\d{1,16}$/;

type Reading = {
  readonly path: string;
  readonly report: Report;
  readonly stream: Readable;
  readonly chunks: AsyncIterator<string>;
  phase: 'reading' | 'ended' | 'failed';
  /** The rest of the last chunk: an unfinished line. */
  rest: string;
  lineNumber: number;
  columns: { readonly timestamp: number; readonly price: number } | undefined;
  rows: Trade[];
  /** The rows before this one have been taken. */
  taken: number;
  readTo: number;
  warned: boolean;
  closed: boolean;
  progress: Promise<void> | undefined;
};

/**
 * Opens a file and reads its first rows. Rejects with a sentence for the operator when the file is
 * missing or unreadable, has no such column, or has no trade.
 */
export async function openTradeFile(path: string, report: Report): Promise<TradeFile> {
  const stream = openStream(path);
  const reading: Reading = {
    path,
    report,
    stream,
    chunks: stream[Symbol.asyncIterator](),
    phase: 'reading',
    rest: '',
    lineNumber: 0,
    columns: undefined,
    rows: [],
    taken: 0,
    readTo: 0,
    warned: false,
    closed: false,
    progress: undefined,
  };
  try {
    while (reading.rows.length === 0 && reading.phase === 'reading') await readChunk(reading);
    if (reading.rows.length === 0) throw new Error(`${path} holds no trade`);
  } catch (error) {
    stream.destroy();
    throw new Error(`the replay feed cannot use ${path}: ${messageOf(error)}`);
  }
  return tradeFileOf(reading);
}

function tradeFileOf(reading: Reading): TradeFile {
  return {
    phase: () => {
      const left = reading.taken < reading.rows.length;
      return reading.phase === 'failed' && left ? 'reading' : reading.phase;
    },
    readTo: () => reading.readTo,
    takeUntil: (at) => {
      const trade = reading.rows[reading.taken];
      if (trade === undefined || trade.at > at) return undefined;
      reading.taken += 1;
      return trade;
    },
    readAhead: () => readAhead(reading),
    settled: async () => reading.progress,
    close: async () => {
      reading.closed = true;
      reading.stream.destroy();
      await reading.progress;
    },
  };
}

function openStream(path: string): Readable {
  const file = createReadStream(path);
  if (!path.toLowerCase().endsWith('.gz')) return file.setEncoding('utf8');
  const gunzip = createGunzip().setEncoding('utf8');
  // When either end fails, the other is destroyed and the error comes out of the iterator.
  pipeline(file, gunzip, () => {});
  return gunzip;
}

function readAhead(reading: Reading): void {
  const waiting = reading.rows.length - reading.taken;
  if (reading.phase !== 'reading' || reading.progress !== undefined) return;
  if (waiting > rowsAheadMax / 4) return;
  reading.rows = reading.rows.slice(reading.taken);
  reading.taken = 0;
  reading.progress = fill(reading).finally(() => {
    reading.progress = undefined;
  });
}

async function fill(reading: Reading): Promise<void> {
  try {
    while (reading.phase === 'reading' && reading.rows.length - reading.taken < rowsAheadMax) {
      await readChunk(reading);
    }
  } catch (error) {
    reading.phase = 'failed';
    if (reading.closed) return;
    const where = `${reading.path} after line ${reading.lineNumber}`;
    const then = 'its prices end there';
    reading.report(`the replay feed lost ${where}, ${then}: ${messageOf(error)}`);
  }
}

async function readChunk(reading: Reading): Promise<void> {
  const chunk = await reading.chunks.next();
  if (chunk.done === true) {
    // The last line need not end with a line break.
    if (reading.rest !== '') readLine(reading, reading.rest);
    reading.rest = '';
    if (reading.columns === undefined) throw new Error('it is empty');
    reading.phase = 'ended';
    return;
  }
  const lines = (reading.rest + chunk.value).split('\n');
  reading.rest = lines.pop() ?? '';
  for (const line of lines) readLine(reading, line);
  if (reading.rest.length > lineLengthMax) throw new Error('it is not CSV: a line does not end');
}

function readLine(reading: Reading, text: string): void {
  reading.lineNumber += 1;
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  if (reading.columns === undefined) {
    reading.columns = columnsOf(line);
    return;
  }
  if (line === '') return;
  const trade = tradeOf(csvFields(line), reading.columns, reading.readTo);
  if (trade !== undefined) {
    reading.rows.push(trade);
    reading.readTo = trade.at;
  } else if (!reading.warned) {
    reading.warned = true;
    const where = `line ${reading.lineNumber} of ${reading.path}`;
    reading.report(`${where} is not a trade; it and further such lines are skipped`);
  }
}

function columnsOf(header: string): { timestamp: number; price: number } {
  const marked = header.startsWith('\ufeff') ? header.slice(1) : header;
  const names = csvFields(marked).map((name) => name.trim());
  const timestamp = names.indexOf('timestamp');
  const price = names.indexOf('price');
  if (timestamp < 0) throw new Error('its header has no column "timestamp"');
  if (price < 0) throw new Error('its header has no column "price"');
  return { timestamp, price };
}

function tradeOf(
  fields: readonly string[],
  columns: { readonly timestamp: number; readonly price: number },
  notBefore: number,
): Trade | undefined {
  const timestamp = fields[columns.timestamp]?.trim() ?? '';
  const price = fields[columns.price]?.trim() ?? '';
  if (!timestampPattern.test(timestamp)) return undefined;
  const decimal = parseDecimal(price);
  if (decimal === undefined || decimal.negative || decimal.digits === 0n) return undefined;
  const at = Number(timestamp);
  if (!Number.isSafeInteger(at)) return undefined;
  return { at: Math.max(at, notBefore), price };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
