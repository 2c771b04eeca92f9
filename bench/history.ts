// What history costs and what it achieves: the cost of making rows from events in a replica, the
// rows a second that each database takes, the time of the queries with which clients page through
// millions of trades, the cost for trading, and how far history falls behind. The parts are in
// history/.

import { openHistoryWriter } from '../src/history/openHistoryWriter.ts';
import { type PostgresServer, startPostgresServer } from '../test/fixtures/postgresServer.ts';
import { createTemporaryDirectory } from '../test/fixtures/temporaryDirectory.ts';
import { measureProjecting } from './history/measureProjecting.ts';
import { measureReading } from './history/measureReading.ts';
import { measureTrading } from './history/measureTrading.ts';
import { measureWriting } from './history/measureWriting.ts';
import { readNumbers } from './readNumbers.ts';
import { grouped, median, say, sayConditions, sayResult } from './report.ts';

type Options = {
  seed: number;
  /** Commands from which rows are made. */
  commands: number;
  rows: number;
  transaction: number;
  rounds: number;
  /** Trades behind the measured queries; 0 leaves the queries out. */
  trades: number;
  /** Seconds of one load of the whole program; 0 leaves it out. */
  seconds: number;
};

function readOptions(args: readonly string[]): Options {
  return readNumbers(
    'history',
    args,
    {
      seed: 20_251_010,
      commands: 300_000,
      rows: 1_000_000,
      transaction: 20_000,
      rounds: 3,
      trades: 10_000_000,
      seconds: 20,
    },
    ['trades', 'seconds'],
  );
}

/** Runs everything and prints it; fails when a result is wrong. */
export async function runHistoryBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const { seed, rounds, trades, commands: operations, transaction: rowsPerDrain } = options;
  sayConditions('history', {
    seed,
    projecting: 'a stream of orders applied with views and hashes, alone and with rows made of it',
    rows: 'of eight four are orders, two of them written again; two fills, one trade',
    SQLite: 'a file, WAL, synchronous NORMAL, in the process that is measured',
    PostgreSQL: 'a server of its own with its default settings, over the loopback address',
    rounds: `${rounds}, each into empty tables; the median counts`,
  });
  const projecting = measureProjecting({ seed, operations, rounds, rowsPerDrain });
  const server = await startPostgresServer({ durable: true });
  try {
    const sqlite = await writeSqlite(options);
    const postgres = await writePostgres(server, options);
    const databaseUrl = await server.createDatabase();
    const reading = trades > 0 ? await measureReading({ databaseUrl, seed, trades }) : {};
    const load = { databaseUrl: server.createDatabase, seconds: options.seconds, rounds, loads: 3 };
    const trading = options.seconds > 0 ? await measureTrading(load) : {};
    sayResult({
      bench: 'history',
      ...projecting,
      sqlite_rows_per_s: sqlite,
      postgres_rows_per_s: postgres,
      trades,
      ...reading,
      ...trading,
    });
  } finally {
    await server.remove();
  }
}

async function writeSqlite(options: Options): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    using directory = createTemporaryDirectory();
    const where = { databaseUrl: undefined, directory: directory.path };
    const writer = openHistoryWriter({ ...where, chain: 43113 });
    try {
      rates.push(await measureWriting(writer, options));
    } finally {
      await writer.close();
    }
  }
  return sayRates('SQLite', rates);
}

async function writePostgres(server: PostgresServer, options: Options): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const databaseUrl = await server.createDatabase();
    const writer = openHistoryWriter({ databaseUrl, directory: '', chain: 43113 });
    try {
      rates.push(await measureWriting(writer, options));
    } finally {
      await writer.close();
    }
  }
  return sayRates('PostgreSQL', rates);
}

function sayRates(name: string, rates: readonly number[]): number {
  say(`${name}: ${rates.map(grouped).join(', ')} rows/s`);
  return Math.round(median(rates));
}
