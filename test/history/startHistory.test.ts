// The reading side as the trading thread sees it: a question waits for the tables and not for ever,
// and beyond the bound it is refused.

import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import { schemaName } from '../../src/history/postgres/createPool.ts';
import {
  type HistoryBounds,
  historyBounds,
  type RunningHistory,
  type StartHistory,
  startHistory,
} from '../../src/history/startHistory.ts';
import { systemClock } from '../../src/std/clock.ts';
import type { AccountId } from '../../src/units/units.ts';
import { createDatabase, eachDatabase, type TestDatabase } from '../fixtures/eachDatabase.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const failed = { reason: 'databaseFailed' };
const behind = { reason: 'historyBehind' };

type Started = {
  readonly history: RunningHistory;
  readonly urged: number[];
  readonly reports: readonly string[];
  durable: number;
};

function start(
  where: Pick<StartHistory, 'databaseUrl' | 'directory'>,
  waits: Partial<HistoryBounds> = { waitMs: 600_000 },
): Started {
  const urged: number[] = [];
  const reports: string[] = [];
  const started: Started = {
    urged,
    reports,
    durable: 7,
    history: startHistory({
      ...where,
      clock: systemClock,
      durablePosition: () => started.durable,
      urge: () => urged.push(started.durable),
      report: (message) => reports.push(message),
      bounds: { ...historyBounds, ...waits, openMax: 20 },
    }),
  };
  return started;
}

async function makeTables({
  databaseUrl,
  directory,
}: Pick<TestDatabase, 'databaseUrl' | 'directory'>): Promise<void> {
  const writer = openHistoryWriter({ databaseUrl, directory, chain: 43113 });
  await writer.open();
  await writer.close();
}

const question = { account: 1 as AccountId, limit: 10 };
const reported = (position: number) => ({ position, stopped: false, failing: false });

eachDatabase('a query waits for everything that was durable when it arrived', async (database) => {
  await makeTables(database);
  const started = start(database);
  const { history, urged } = started;
  let answered = false;
  const answer = history.ask('ledger', question).then((rows) => {
    answered = true;
    return rows;
  });
  expect(urged).toEqual([7]);
  started.durable = 9;
  history.written(reported(6));
  await wait(100);
  expect(answered).toBe(false);
  expect(history.figures().waiting).toBe(1);
  history.written(reported(7));
  expect(await answer).toEqual([]);
  // A query for rows that are already there runs at once.
  history.written(reported(9));
  expect(await history.ask('ledger', question)).toEqual([]);
  expect(urged).toEqual([7]);
  expect(history.figures()).toEqual({
    waiting: 0,
    answered: 2,
    failed: 0,
    behind: 0,
    overloaded: 0,
  });
  await history.close();
  expect(await history.ask('ledger', question)).toEqual(failed);
});

eachDatabase(
  'many queries are answered together, and beyond the bound they are refused',
  async (database) => {
    await makeTables(database);
    const { history } = start(database);
    const answers = Array.from({ length: 25 }, () => history.ask('ledger', question));
    history.written(reported(7));
    const found = await Promise.all(answers);
    expect(found.slice(0, 20)).toEqual(Array(20).fill([]));
    expect(found.slice(20)).toEqual(Array(5).fill({ reason: 'overloaded' }));
    expect(await history.ask('ledger', question)).toEqual([]);
    expect(history.figures()).toMatchObject({ answered: 21, overloaded: 5 });
    await history.close();
  },
);

test('HIST-3 the queries of one turn are one message, and so are their answers', async () => {
  using directory = createTemporaryDirectory();
  const where = { databaseUrl: undefined, directory: directory.path };
  await makeTables(where);
  const { history } = start(where);
  history.written(reported(7));
  await history.ask('ledger', question);
  const sent = vi.spyOn(Worker.prototype, 'postMessage');
  const heard = vi.spyOn(Worker.prototype, 'emit');
  const answers = Array.from({ length: 20 }, () => history.ask('ledger', question));
  await Promise.all(answers);
  const messages = heard.mock.calls.filter(([event]) => event === 'message');
  vi.restoreAllMocks();
  // Four at a time.
  expect([sent.mock.calls.length, messages.length]).toEqual([5, 5]);
  await history.close();
});

test('HIST-3 tables that stay behind are a failure only when they do not catch up', async () => {
  using directory = createTemporaryDirectory();
  const { history } = start(
    { databaseUrl: undefined, directory: directory.path },
    { waitMs: 100, failingMs: 600_000 },
  );
  expect(await history.ask('ledger', question)).toEqual(behind);
  history.written(reported(6));
  expect(await history.ask('ledger', question)).toEqual(behind);
  const waiting = history.ask('ledger', question);
  history.written({ position: -1, stopped: true, failing: false });
  expect(await waiting).toEqual(failed);
  expect(await history.ask('ledger', question)).toEqual(failed);
  const figures = { waiting: 0, answered: 0, failed: 2, behind: 2, overloaded: 0 };
  expect(history.figures()).toEqual(figures);
  await history.close();
});

test('HIST-3 a database that does not answer is a failure after a shorter wait', async () => {
  using directory = createTemporaryDirectory();
  const { history } = start(
    { databaseUrl: undefined, directory: directory.path },
    { waitMs: 600_000, failingMs: 100 },
  );
  history.written({ ...reported(6), failing: true });
  expect(await history.ask('ledger', question)).toEqual(failed);
  // One that comes back is behind for a while, which is no failure.
  const waiting = history.ask('ledger', question);
  history.written(reported(6));
  const answered = Promise.race([waiting, wait(300, 'waits')]);
  expect(await answered).toBe('waits');
  await history.close();
});

test('HIST-3 a read that takes long is no failure, a thread that stays silent is one', async () => {
  using directory = createTemporaryDirectory();
  const where = { databaseUrl: await createDatabase(), directory: directory.path };
  await makeTables(where);
  const patient = { statementMs: 600_000, failingMs: 100 };
  const slow = start(where, { ...patient, waitMs: 100, silentMs: 600_000 });
  const silent = start(where, { ...patient, waitMs: 600_000, silentMs: 100 });
  const both = [slow.history, silent.history];
  for (const history of both) history.written(reported(7));
  const other = new pg.Client(where.databaseUrl);
  await other.connect();
  await other.query(`begin; lock table ${schemaName}.ledger in access exclusive mode`);
  expect(await slow.history.ask('ledger', question)).toEqual(behind);
  expect(await silent.history.ask('ledger', question)).toEqual(failed);
  expect(slow.reports).toEqual([]);
  expect(silent.reports).toEqual([
    'history cannot be read: its thread has answered nothing for 0.1 s',
  ]);
  await other.query('rollback');
  await other.end();
  for (const history of both) {
    await expect.poll(() => history.ask('ledger', question)).toEqual([]);
    await history.close();
  }
});

test('HIST-3 the wait for tables that are behind is four times as long as for a dead database', () => {
  expect(historyBounds).toMatchObject({ waitMs: 8000, failingMs: 2000 });
});

test('queries fail until the database is reachable', async () => {
  using directory = createTemporaryDirectory();
  const where = { databaseUrl: undefined, directory: directory.path };
  const { history } = start(where);
  history.written(reported(7));
  expect(await history.ask('ledger', question)).toEqual(failed);
  await makeTables(where);
  expect(await history.ask('ledger', question)).toEqual([]);
  await history.close();
});
