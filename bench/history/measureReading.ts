// The time of two queries with which clients page, on PostgreSQL with many trades: an account's
// last fills, and candles. The server makes the rows itself, spread over accounts and time like
// those of trading.

import pg from 'pg';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import { schemaName } from '../../src/history/postgres/createPool.ts';
import { historyQueries } from '../../src/history/queries/historyQueries.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Time } from '../../src/units/units.ts';
import { check, grouped, percentile, say } from '../report.ts';

export type Reading = {
  readonly databaseUrl: string;
  readonly seed: number;
  readonly trades: number;
};

export type ReadingTimes = {
  readonly fills_p50_ms: number;
  readonly fills_p99_ms: number;
  readonly candles_p50_ms: number;
  readonly candles_p99_ms: number;
};

const accounts = 5000;
const markets = 3;
const begin = 1_750_000_000_000;
const tradeMs = 100;
const minuteMs = 60_000;
const candlesOfMarket = 500_000;
const fillsAsked = 500;
const candlesAsked = 1500;
const asked = 300;
const chunk = 500_000;

/** The trades are loaded first, which takes minutes. */
export async function measureReading(reading: Reading): Promise<ReadingTimes> {
  await load(reading);
  const reader = openHistoryReader({ databaseUrl: reading.databaseUrl, directory: '' });
  const prng = createPrng(reading.seed);
  const expected = Math.min(fillsAsked, Math.floor((reading.trades * 2) / accounts));
  const fills: number[] = [];
  const candles: number[] = [];
  for (let i = 0; i < asked; i += 1) {
    const account = (1 + prng.below(accounts)) as AccountId;
    const market = prng.below(markets) as MarketId;
    const begun = performance.now();
    const rows = await historyQueries.fills(reader, { account, limit: fillsAsked });
    fills.push(performance.now() - begun);
    check(rows.length === expected, `${rows.length} fills instead of ${expected}`);
    check(
      rows.every((row) => row.account === account),
      'a fill is of another account',
    );
    const from = begin + prng.below(candlesOfMarket - candlesAsked) * minuteMs;
    const since = performance.now();
    const found = await historyQueries.candles(reader, {
      market,
      kind: 'trade',
      interval: '1m',
      from: from as Time,
      to: (from + candlesAsked * minuteMs) as Time,
      limit: candlesAsked,
    });
    candles.push(performance.now() - since);
    check(found.length >= candlesAsked, `${found.length} candles instead of ${candlesAsked}`);
  }
  await reader.destroy();
  const at = (times: readonly number[], part: number): number =>
    Number(percentile(times, part).toFixed(2));
  return {
    fills_p50_ms: at(fills, 0.5),
    fills_p99_ms: at(fills, 0.99),
    candles_p50_ms: at(candles, 0.5),
    candles_p99_ms: at(candles, 0.99),
  };
}

async function load({ databaseUrl, trades }: Reading): Promise<void> {
  const writer = openHistoryWriter({ databaseUrl, directory: '', chain: 43113 });
  await writer.open();
  await writer.close();
  const begun = performance.now();
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`set search_path = ${schemaName}; set maintenance_work_mem = '512MB'`);
    const indexes = await dropIndexes(client);
    for (let first = 1; first <= trades; first += chunk) {
      const last = Math.min(trades, first + chunk - 1);
      await client.query(insertTrades, [first, last]);
      await client.query(insertFills, [first, last]);
      if (last % (chunk * 4) === 0) say(`  ${grouped(last)} trades are loaded`);
    }
    await client.query(insertCandles);
    for (const statement of indexes) await client.query(statement);
    await client.query('vacuum (analyze) trades, fills, candles');
    const { rows } = await client.query('select count(*) as fills from fills');
    check(Number(rows[0].fills) === trades * 2, 'a trade has two fills');
  } finally {
    await client.end();
  }
  say(`  loaded in ${grouped((performance.now() - begun) / 1000)} s`);
}

/** Loading is much faster without indexes. Gives the statements that make them again. */
async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly drop: string; readonly make: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as make
    from pg_constraint where contype = 'p' and conrelid::regclass in (${loaded})
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index where not indisprimary and indrelid::regclass in (${loaded})`);
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}

const loaded = ['trades', 'fills', 'candles'].map((name) => `'${name}'::regclass`).join(', ');

/** The trades of all markets in turn; n counts them all. */
const trade = `n % ${markets} as market, n / ${markets} + 1 as trade_id, ${begin} + n * ${tradeMs}`;

const insertTrades = `
  insert into trades
    (market, trade_id, ticks, lots, taker_side, liquidation, aggregate_id, time)
  select market, trade_id, 600000 + n % 997, 1 + n % 101, 1 - n % 2 * 2, false, trade_id, time
  from (select n, ${trade} as time from generate_series($1::bigint, $2) n) numbered`;

/** Accounts by a hash of the trade and the side; the hashes always differ. */
const insertFills = `
  insert into fills
    (account, market, trade_id, maker, kind, side, "order", order_created_at, order_type,
     mark_at_creation, ticks, lots, notional, pnl, fee, position, event, ledger_id, balance, time)
  select 1 + (n * 7919 + side * 104729) % ${accounts}, market, trade_id, side = 0, 'trade',
    side * 2 - 1, n * 2 + side, time, 'LIMIT', 600000, 600000 + n % 997, 1 + n % 101,
    600000 * (1 + n % 101), 0, 1234, 5, n, n * 2 + side, 1000000000, time
  from (select n, ${trade} as time from generate_series($1::bigint, $2) n) numbered,
    generate_series(0, 1) side`;

const insertCandles = `
  insert into candles
    (market, kind, interval, open_time, open, high, low, close, volume, quote_volume, count,
     first_id, last_id)
  select market, 'trade', '1m', ${begin} + n * ${minuteMs}, 600000, 600100, 599900, 600050,
    '123456789', '7400000000000', 200, n * 200 + 1, n * 200 + 200
  from generate_series(0, ${markets - 1}) market, generate_series(0::bigint, ${candlesOfMarket - 1}) n`;
