// Processes, a primary and its standby: kills, processes that stand still and wake, waits for the
// standby that are cancelled, a standby that is away, a promotion. What a process has reported as
// durable must be in the log at the end.

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { logBeginning } from '../../../src/log/log.ts';
import { createServers } from '../../../src/log/postgres/createServers.ts';
import { endClient } from '../../../src/log/postgres/openSession.ts';
import { readPostgresBatches } from '../../../src/log/postgres/readPostgresBatches.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import {
  appendAll,
  connect,
  entryOf,
  makeDatabase,
  openLog,
  openPair,
  openTestSession,
  sharedServer,
} from './openServers.ts';
import { type Holder, startHolder } from './startHolder.ts';

/** Every batch that was reported is in the log, and the log is one chain up to the last of them. */
async function expectAllThere(url: string, holders: readonly Holder[]): Promise<number> {
  const promised = new Map(holders.flatMap(({ durable }) => [...durable]));
  const last = Math.max(...promised.keys());
  const { client } = await openTestSession(url);
  let found = 0;
  for await (const { position, hash } of readPostgresBatches(client, logBeginning, last)) {
    const hashed = promised.get(position);
    if (hashed === undefined) continue;
    expect(hash.toString('hex')).toBe(hashed);
    found += 1;
  }
  expect(found).toBe(promised.size);
  return last;
}

test('the holder is killed again and again: another process takes over, nothing is lost', async () => {
  const url = await makeDatabase(sharedServer);
  const all: Holder[] = [];
  const start = (): Holder => {
    const holder = startHolder(url, true);
    all.push(holder);
    return holder;
  };
  let [first, second] = [start(), start()];
  await Promise.race([
    first.until(() => first.durable.size > 5),
    second.until(() => second.durable.size > 5),
  ]);
  for (let round = 0; round < 5; round += 1) {
    if (second.durable.size > 0) [first, second] = [second, first];
    await first.until(() => first.durable.size > 20);
    first.child.kill('SIGKILL');
    await second.until(() => second.durable.size > 0);
    first = start();
  }
  await expectAllThere(url, all);
});

test('a holder that stood still is refused when it wakes', async () => {
  const url = await makeDatabase(sharedServer);
  const first = startHolder(url, true);
  await first.until(() => first.durable.size > 20);
  const second = startHolder(url, true);
  first.child.kill('SIGSTOP');
  await second.until(() => second.durable.size > 20);
  first.child.kill('SIGCONT');
  await first.until(() => first.ended() !== undefined);
  expect(first.ended()).toContain('another process has taken over the lease');
  await expectAllThere(url, [first, second]);
});

async function waitingForStandby(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where wait_event = 'SyncRep'",
  );
  return rows.map(({ pid }) => pid);
}

test('while the standby is away nothing is acknowledged, connections do not pile up, then all is', async () => {
  const { primary, standby } = await openPair();
  const url = await makeDatabase(primary, false);
  const admin = await connect(primary.addressOf('postgres'));
  const log = await openLog({ urls: url, replicatedStorage: false });
  await appendAll(log, [entryOf('before')]);
  await standby.stop();
  const pending = appendAll(
    log,
    ['a', 'b', 'c'].map((text) => entryOf(text)),
  );
  await sleep(9000);
  expect(log.head().position).toBe(1);
  // Three writes and a renewal wait; each may be asked about over one more connection.
  const { rows } = await admin.query(
    "select count(*)::integer as count from pg_stat_activity where application_name like 'evermark%'",
  );
  expect(rows[0].count).toBeLessThan(12);
  await standby.start();
  expect((await pending).position).toBe(4);
  await log.close();
});

test('a cancelled wait for the standby is no success: the batch is acknowledged once it is there', async () => {
  const { primary, standby } = await openPair();
  const url = await makeDatabase(primary, false);
  const admin = await connect(primary.addressOf('postgres'));
  const log = await openLog({ urls: url, replicatedStorage: false });
  await appendAll(log, [entryOf('before')]);
  await standby.stop();
  const pending = appendAll(log, [entryOf('cancelled')]);
  let cancelled = 0;
  const cancel = async (): Promise<number> => {
    for (const pid of await waitingForStandby(admin)) {
      await admin.query('select pg_cancel_backend($1)', [pid]);
      cancelled += 1;
    }
    return cancelled;
  };
  await expect.poll(cancel, { message: 'the log does not ask again' }).toBeGreaterThan(4);
  // The row is visible on the primary, and on no other server.
  const here = await connect(url);
  const { rowCount } = await here.query('select from evermark.batch where position = 2');
  expect(rowCount).toBe(1);
  expect(log.head().position).toBe(1);
  await standby.start();
  expect((await pending).position).toBe(2);
  await log.close();
});

test('a cancelled wait, then the loss of the primary: what was not acknowledged may be gone', async () => {
  const { primary, standby } = await openPair();
  const url = await makeDatabase(primary, false);
  const admin = await connect(primary.addressOf('postgres'));
  const other = standby.addressOf(new URL(url).pathname.slice(1));
  const holder = startHolder(`${url},${other}`, false);
  await holder.until(() => holder.durable.size > 20);
  await standby.stop();
  const until = performance.now() + 2000;
  while (performance.now() < until) {
    for (const pid of await waitingForStandby(admin)) {
      await admin.query('select pg_cancel_backend($1)', [pid]);
    }
    await sleep(20);
  }
  await primary.kill();
  await standby.start();
  await standby.promote();
  // The promoted server waits for no standby: the operator has to name one, or declare.
  const promoted = await connect(standby.addressOf('postgres'));
  await promoted.query("alter system set synchronous_standby_names = ''");
  await promoted.query('select pg_reload_conf()');
  const next = startHolder(`${url},${other}`, true);
  await next.until(() => next.durable.size > 20);
  await expectAllThere(other, [holder, next]);
});

test('the primary dies under load and the standby is promoted: nothing acknowledged is lost', async () => {
  const { primary, standby } = await openPair();
  const url = await makeDatabase(primary, false);
  const other = standby.addressOf(new URL(url).pathname.slice(1));
  const holder = startHolder(`${url},${other}`, false);
  await holder.until(() => holder.durable.size > 300);
  await primary.kill();
  await standby.promote();
  const promoted = await connect(standby.addressOf('postgres'));
  await promoted.query("alter system set synchronous_standby_names = ''");
  await promoted.query('select pg_reload_conf()');
  const next = startHolder(`${url},${other}`, true);
  await next.until(() => next.durable.size > 20);
  const last = await expectAllThere(other, [holder, next]);
  expect(last).toBeGreaterThan(300);
  // The old primary comes back and takes writes too, but it is on an older timeline.
  await primary.start();
  const third = startHolder(`${url},${other}`, true);
  next.child.kill('SIGKILL');
  await third.until(() => third.durable.size > 20);
  expect(Math.min(...third.durable.keys())).toBeGreaterThan(Math.max(...holder.durable.keys()));
  await expectAllThere(other, [holder, next, third]);
});

test('without a name of a standby nothing is written until there is one again', async () => {
  const { primary } = await openPair();
  const url = await makeDatabase(primary, false);
  const admin = await connect(primary.addressOf('postgres'));
  const name = async (names: string): Promise<void> => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`);
    await admin.query('select pg_reload_conf()');
  };
  const reports: string[] = [];
  const log = await openLog({
    urls: url,
    replicatedStorage: false,
    report: (message) => reports.push(message),
  });
  await appendAll(log, [entryOf('before')]);
  await name('');
  await until(() => reports.some((report) => report.includes('synchronous_standby_names')));
  const pending = appendAll(log, [entryOf('waits')]);
  await sleep(1500);
  expect(log.head().position).toBe(1);
  await name('standby');
  expect((await pending).position).toBe(2);
  await log.close();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

test('a standby does not hold the log, wherever it stands in the list', async () => {
  const { primary, standby } = await openPair();
  const url = await makeDatabase(primary, false);
  const { pathname } = new URL(url);
  const standbyUrl = standby.addressOf(pathname.slice(1));
  const servers = (urls: string) =>
    createServers({
      ...{ urls, replicatedStorage: false, applicationName: 'test' },
      scheduler: systemScheduler,
    });
  // The standby has the database only when it has replayed that it was made.
  const refusal = (): Promise<string> =>
    servers(standbyUrl)
      .connect()
      .then(
        () => 'connected',
        (error: Error) => error.message,
      );
  await expect
    .poll(refusal, { timeout: 600_000 })
    .toContain(`${new URL(standbyUrl).host}${pathname} is a standby`);
  for (const urls of [`${standbyUrl},${url}`, `${url},${standbyUrl}`]) {
    const session = await servers(urls).connect();
    expect(session.url).toBe(url);
    endClient(session.client);
  }
});
