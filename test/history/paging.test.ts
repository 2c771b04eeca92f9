// Goal: a client that reads a list page by page misses no row and sees none twice, however many
// rows come meanwhile (ORD-12). Method: a hard hour and a seeded stream of commands. Between
// batches every list is read on by a few rows, and each page begins where the last one ended. At
// the end all pages together equal the answer to one query for everything.

import { expect } from 'vitest';
import type { Command } from '../../src/engine/command.ts';
import type { HistoryQueries } from '../../src/history/queries/historyQueries.ts';
import { createReplica } from '../../src/replica/createReplica.ts';
import { createReplicaState } from '../../src/replica/replicaState.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { MarketId, Time } from '../../src/units/units.ts';
import { createStream } from '../engine/commandStream.ts';
import { eachDatabase, type TestDatabase } from '../fixtures/eachDatabase.ts';
import { createInlineHistory } from '../fixtures/inlineHistory.ts';
import { createManualClock } from '../fixtures/manualClock.ts';
import { createMemoryLog } from '../fixtures/memoryLog.ts';
import { riskyAccounts, riskyHour } from '../fixtures/riskyHour.ts';
import { testEngines } from '../fixtures/testEngines.ts';

type Row = { readonly id?: number; readonly maker?: boolean } & Readonly<Record<string, unknown>>;
type Ask = (name: keyof HistoryQueries, asked: Row) => Promise<readonly Row[]>;

/** A list that can be read on. */
type List = {
  /** The page that begins at the cursor or at the beginning of the list. */
  readonly page: (ask: Ask, cursor: unknown, limit: number) => Promise<readonly Row[]>;
  /** Where to continue after this row. */
  readonly after: (row: Row, cursor: unknown) => unknown;
  readonly keyOf: (row: Row) => string;
  /** Whether a page begins with the row of its cursor. */
  readonly inclusive: boolean;
};

const market = 0;

/** By the id of the last row, which comes again. */
function byFrom(name: keyof HistoryQueries, asked: Row, time: string): List {
  return {
    page: (ask, from = { id: 0, createdAt: 0 }, limit) =>
      ask(name, { ...asked, from, limit: limit + 1 }),
    after: (row) => ({ id: row.id, createdAt: row[time] }),
    keyOf: ({ id }) => String(id),
    inclusive: true,
  };
}

/** By the number after the last one. */
function byNumber(name: keyof HistoryQueries, asked: Row, number: string): List {
  return {
    page: (ask, fromId = 0, limit) => ask(name, { ...asked, market, fromId, limit }),
    after: (row) => (row[number] as number) + 1,
    keyOf: (row) => `${row[number]} ${row.maker ?? ''}`,
    inclusive: false,
  };
}

const pageSize = 5;

/** Page by page from the beginning; a page that is not full is read again. */
function byPage(account: number): List {
  const kinds = ['realized_pnl', 'fee', 'funding', 'settlement'];
  return {
    page: async (ask, page = 1) => {
      const asked = { account, kinds, page, startTime: 0, limit: pageSize };
      const rows = await ask('income', asked);
      return rows.length < pageSize ? [] : rows;
    },
    after: (_row, page = 1) => (page as number) + 1,
    keyOf: ({ id }) => String(id),
    inclusive: false,
  };
}

const listsOf = (account: number): Readonly<Record<string, List>> => ({
  orders: byFrom('orders', { account }, 'createdAt'),
  'orders of a market': byFrom('orders', { account, market }, 'createdAt'),
  triggers: byFrom('triggers', { account, market: 1 }, 'createdAt'),
  ledger: byFrom('ledger', { account }, 'time'),
  deposits: byFrom('deposits', { account }, 'time'),
  withdrawals: byFrom('withdrawals', { account }, 'createdAt'),
  fundingPayments: byFrom('fundingPayments', { account }, 'time'),
  forceOrders: byFrom('forceOrders', { account }, 'time'),
  deleveragings: byFrom('deleveragings', {}, 'time'),
  fundingRates: byFrom('fundingRates', {}, 'boundary'),
  fills: byNumber('fills', { account }, 'tradeId'),
  trades: byNumber('trades', {}, 'tradeId'),
  aggregates: byNumber('aggregates', {}, 'id'),
  income: byPage(account),
});

type Reading = { readonly list: List; readonly seen: string[]; cursor: unknown };

/** Reads one page more; gives whether it brought anything. */
async function readOn(ask: Ask, reading: Reading, limit: number): Promise<boolean> {
  const { list, seen, cursor } = reading;
  const page = await list.page(ask, cursor, limit);
  const again = list.inclusive && cursor !== undefined ? 1 : 0;
  if (again > 0) expect(list.keyOf(page[0]!)).toBe(seen.at(-1));
  seen.push(...page.slice(again).map(list.keyOf));
  if (page.length > 0) reading.cursor = list.after(page.at(-1)!, cursor);
  return page.length > again;
}

const rounds = 8;

/** Gives how many rows each list came to. */
async function readWhileTrading(
  where: TestDatabase,
  seed: number,
): Promise<Readonly<Record<string, number>>> {
  const prng = createPrng(seed);
  const log = createMemoryLog({ automatic: true });
  const clock = createManualClock(1_760_000_000_000);
  const state = createReplicaState(43113, testEngines);
  const onFatal = (error: Error): never => {
    throw error;
  };
  const replica = createReplica({ state, log, clock, onFatal });
  const history = createInlineHistory(log, { where });
  const ask = history.ask as unknown as Ask;
  const readings = [riskyAccounts.middle, riskyAccounts.large].flatMap((account) =>
    Object.entries(listsOf(account)).map(([name, list]) => ({
      name,
      reading: { list, seen: [], cursor: undefined } as Reading,
    })),
  );
  const batch = async (commands: readonly Command[]): Promise<void> => {
    for (const command of commands) {
      replica.submit(command, 'order', { capture: () => {}, release: () => {} });
    }
    await replica.drain();
    clock.advance(40);
    for (const { reading } of readings) await readOn(ask, reading, 1 + prng.below(9));
  };
  await riskyHour({ batch, clock, state });
  await batch([0, 1].map((each) => ({ kind: 'settleFunding', market: each as MarketId })));
  const stream = createStream(seed, () => state.exchange, clock.now() as Time);
  for (let round = 0; round < rounds; round += 1) {
    await batch(Array.from({ length: 60 }, () => stream.next()));
  }
  const found: Record<string, number> = {};
  for (const { name, reading } of readings) {
    const { list, seen } = reading;
    while (await readOn(ask, reading, 7)) {}
    const whole: Reading = { list, seen: [], cursor: undefined };
    await readOn(ask, whole, 1_000_000);
    // Pages of income have one size.
    if (name === 'income') expect(seen.slice(0, whole.seen.length)).toEqual(whole.seen);
    else expect(seen, name).toEqual(whole.seen);
    expect(new Set(seen).size, name).toBe(seen.length);
    found[name] = (found[name] ?? 0) + seen.length;
  }
  await history.close();
  replica.stop();
  return found;
}

for (const seed of [1, 2]) {
  const title = `ORD-12 pages that are read while rows come lose nothing, repeat nothing: ${seed}`;
  eachDatabase(title, async (database) => {
    const found = await readWhileTrading(database, seed);
    expect(Object.keys(found).filter((name) => found[name] === 0)).toEqual([]);
  });
}
