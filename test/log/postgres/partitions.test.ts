// The table of the batches as partitions: the holder makes them ahead, the log goes on over their
// borders, and the table of an earlier release is divided while it is written.

import type pg from 'pg';
import { expect, test } from 'vitest';
import { emptyHead } from '../../../src/log/file/frame.ts';
import { logBeginning } from '../../../src/log/log.ts';
import { describeCluster } from '../../../src/log/postgres/describeCluster.ts';
import { divideLog } from '../../../src/log/postgres/divideLog.ts';
import { beatStatement } from '../../../src/log/postgres/memberStatement.ts';
import { aheadStatement, boundName } from '../../../src/log/postgres/partitions.ts';
import { readPostgresBatches } from '../../../src/log/postgres/readPostgresBatches.ts';
import type { Statement } from '../../../src/log/postgres/statement.ts';
import { checkTables, makeTables } from '../../../src/log/postgres/tables.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { makeFormerTables } from './makeFormerTables.ts';
import {
  appendAll,
  chain,
  connect,
  entryOf,
  makeDatabase,
  openLog,
  openTestSession,
  sharedServer,
} from './openServers.ts';
import { startHolder } from './startHolder.ts';

const entries = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => entryOf(`batch ${from + index}`));

/** How many batches each partition has, by the place where it begins. */
async function sizes(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query(
    'select tableoid::regclass::text as name, count(*)::integer as count from evermark.batch ' +
      'group by 1',
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name.replace(/^.*batch_/, ''), count]));
}

/** Reads the log back; each batch is checked against its hash and its predecessor. */
async function readBack(url: string, to: number): Promise<string[]> {
  const { client } = await openTestSession(url);
  const read: string[] = [];
  for await (const { commands } of readPostgresBatches(client, logBeginning, to)) {
    read.push(commands.toString());
  }
  return read;
}

const textsTo = (to: number): string[] => entries(1, to).map((entry) => entry.commands.toString());

const run = (client: pg.Client, { text, values }: Statement) => client.query(text, [...values]);

/** The row of a process; without `archived` one of the former release. */
async function beat(client: pg.Client, number: number, archived: number | null): Promise<void> {
  const report = {
    ...{ process: 'neighbour', address: 'at neighbour', release: '1.0.0', engineHash: 'ab' },
    ...{ role: 'follower' as const, position: 0, archived: archived ?? 0 },
  };
  await run(client, beatStatement(report, number));
  if (archived === null) await client.query('update evermark.member set archived = null');
}

test('the holder makes partitions ahead, and the log goes on over their borders', async () => {
  const url = await makeDatabase(sharedServer, true, 200);
  const client = await connect(url);
  const log = await openLog({ urls: url });
  // Four batches are in flight at each border, on both sides of it.
  const head = await appendAll(log, entries(1, 500));
  expect(head.position).toBe(500);
  expect(await sizes(client)).toEqual({ 0: 199, 200: 200, 400: 101 });
  expect(await readBack(url, 500)).toEqual(textsTo(500));
  await log.close();
  const known = { position: 500, hash: head.hash.toString('hex') };
  const next = await openLog({ urls: url, known });
  await appendAll(next, entries(501, 550));
  expect(await readBack(url, 550)).toEqual(textsTo(550));
  const session = await openTestSession(url);
  const owner = await checkTables(session.client, { deployment: undefined, chain });
  const shown = await describeCluster(session, owner, systemScheduler);
  expect(shown.beginsWith).toBe(1);
  expect(shown.partitions.slice(0, 2)).toEqual([
    { first: 0, next: 200 },
    { first: 200, next: 400 },
  ]);
  expect(shown.partitions.at(-1)!.next).toBeGreaterThan(550 + 200);
  await next.close();
});

test('a takeover finds a hole whose batches stand on both sides of a border', async () => {
  const url = await makeDatabase(sharedServer, true, 200);
  const log = await openLog({ urls: url });
  await appendAll(log, entries(1, 201));
  await log.close();
  const client = await connect(url);
  await client.query('delete from evermark.batch where position = 199');
  const next = await openLog({ urls: url });
  expect(next.head().position).toBe(198);
  expect(await sizes(client)).toEqual({ 0: 198 });
  await appendAll(next, entries(199, 210));
  await next.close();
  expect(await readBack(url, 210)).toEqual(textsTo(210));
});

test('holders that are killed while they write over borders leave one chain', async () => {
  const url = await makeDatabase(sharedServer, true, 50);
  const durable = new Map<number, string>();
  for (const length of [60, 110]) {
    const holder = startHolder(url, true);
    await holder.until(() => Math.max(0, ...holder.durable.keys()) > length);
    holder.child.kill('SIGKILL');
    for (const [position, hash] of holder.durable) durable.set(position, hash);
  }
  const log = await openLog({ urls: url });
  await appendAll(log, [entryOf('last', log.head().time)]);
  const { client } = await openTestSession(url);
  const last = log.head().position;
  let read = 0;
  for await (const { position, hash } of readPostgresBatches(client, logBeginning, last)) {
    const acknowledged = durable.get(position);
    if (acknowledged !== undefined) expect(hash.toString('hex')).toBe(acknowledged);
    read = position;
  }
  expect(read).toBe(last);
  expect(durable.size).toBeGreaterThan(50);
  await log.close();
});

test('a partition that is missing keeps the log waiting, with a sentence, until it is there', async () => {
  const url = await makeDatabase(sharedServer, true, 100);
  const client = await connect(url);
  // It is noted as made, and is not there.
  await client.query('insert into evermark.part values (200, 300), (300, 400)');
  const reports: string[] = [];
  let missed = (): void => {};
  const reported = new Promise<void>((resolve) => {
    missed = resolve;
  });
  const log = await openLog({
    urls: url,
    report: (text) => {
      reports.push(text);
      if (text.includes('no partition of relation')) missed();
    },
  });
  const appended = appendAll(log, entries(1, 230));
  await reported;
  expect(log.head().position).toBeLessThanOrEqual(199);
  await client.query(
    'create table evermark.batch_200 partition of evermark.batch for values from (200) to (300)',
  );
  expect((await appended).position).toBe(230);
  await log.close();
  expect(await readBack(url, 230)).toEqual(textsTo(230));
});

test('only the holder of the lease makes partitions', async () => {
  const url = await makeDatabase(sharedServer, true, 100);
  const client = await connect(url);
  const log = await openLog({ urls: url });
  const before = await client.query('select count(*) from evermark.part');
  const writer = { epoch: 1, holder: log.holder, replicatedStorage: true };
  const refused = 'another process has the lease, or no standby holds what is committed';
  for (const other of [
    { ...writer, epoch: 2 },
    { ...writer, holder: "another' or true --" },
    { ...writer, replicatedStorage: false },
  ]) {
    await expect(run(client, aheadStatement(other, 5000)), other.holder).rejects.toThrow(refused);
  }
  expect((await client.query('select count(*) from evermark.part')).rows).toEqual(before.rows);
  await run(client, aheadStatement(writer, 1000));
  const { rows } = await client.query('select max(next)::integer as next from evermark.part');
  expect(rows).toEqual([{ next: 1200 }]);
  await log.close();
});

test('tables of the former release are used as they are, and divided while the holder writes', async () => {
  const url = await sharedServer.createDatabase();
  const { client } = await openTestSession(url);
  await makeFormerTables(client, chain);
  await makeTables(client, chain, 100);
  await client.query('update evermark.deployment set partition_positions = 100');
  const log = await openLog({ urls: url });
  await appendAll(log, entries(1, 230));
  expect(await checkTables(client, { deployment: undefined, chain })).toMatchObject({ chain });

  // A process of the former release lives: it does not know how to make the next partition.
  let beats = 0;
  let archived: number | null = null;
  const timer = setInterval(() => {
    beats += 1;
    void beat(client, beats, archived).catch(() => {});
  }, 200);
  await beat(client, 0, null);
  expect(await divideLog(client, systemScheduler)).toEqual({
    kind: 'waits',
    processes: ['neighbour'],
  });
  archived = 0;
  await new Promise((resolve) => setTimeout(resolve, 500));

  // What a program that was killed has left is no obstacle.
  await client.query(
    `alter table evermark.batch add constraint ${boundName(7)} check (position < 7) not valid`,
  );
  const dividing = divideLog(client, systemScheduler);
  let appended = 230;
  let division: unknown;
  void dividing.then((found) => {
    division = found;
  });
  while (division === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    // While the constraint of the killed program is there, this waits like for anything else.
    await appendAll(log, entries(appended + 1, appended + 1));
    appended += 1;
  }
  clearInterval(timer);
  expect(await dividing).toEqual({ kind: 'divided', positions: 100 });
  expect(await divideLog(client, systemScheduler)).toEqual({ kind: 'divided', positions: 100 });
  await appendAll(log, entries(appended + 1, 350));
  expect(await sizes(client)).toEqual({ 0: 299, 300: 51 });
  await log.close();
  expect(await readBack(url, 350)).toEqual(textsTo(350));
  const left = await client.query("select from pg_constraint where conname like 'type_evermark%'");
  expect(left.rowCount).toBe(0);
});

test('a division that meets a long lock is refused with a sentence, and can be repeated', async () => {
  const url = await sharedServer.createDatabase();
  const { client } = await openTestSession(url);
  await makeFormerTables(client, chain);
  await makeTables(client, chain);
  const other = await connect(url);
  await other.query('begin; lock table evermark.batch in access share mode');
  await expect(divideLog(client, systemScheduler)).rejects.toThrow(
    'The table of the log is in use, for example by a backup',
  );
  await other.query('rollback');
  expect(await divideLog(client, systemScheduler)).toEqual({
    kind: 'divided',
    positions: 1_000_000,
  });
  const log = await openLog({ urls: url });
  expect(log.head()).toEqual(emptyHead);
  await appendAll(log, entries(1, 3));
  await log.close();
});
