// The log in PostgreSQL as the thread that trades has it: one process writes, another follows with
// its local segments and continues, on real servers and in real threads.

import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spareName } from '../../../src/log/file/createSegment.ts';
import { lockDirectory } from '../../../src/log/file/lockDirectory.ts';
import { openLogReader } from '../../../src/log/file/openLogReader.ts';
import {
  openPostgresThreadLog,
  type PostgresThreadLog,
} from '../../../src/log/postgres/openPostgresThreadLog.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { appendAll, chain, connect, entryOf, makeDatabase, sharedServer } from './openServers.ts';

function open(url: string, directory: string, holder: string = randomUUID()): PostgresThreadLog {
  const lock = lockDirectory(directory);
  const log = openPostgresThreadLog(
    {
      ...{ urls: url, replicatedStorage: true, expected: { deployment: undefined, chain } },
      ...{ holder, address: 'test', release: '1.0.0', engineHash: 'ab' },
      ...{ directory, segmentBytes: 65_536, snapshotPosition: 0, report: () => {} },
    },
    lock,
  );
  onTestFinished(() => log.close());
  return log;
}

async function until(log: PostgresThreadLog, holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise<void>((resolve) => log.onChange(resolve));
    const failure = log.failure();
    if (failure !== undefined) throw failure;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

const entries = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => entryOf(`${name} ${index}`));

test('a process follows what another writes, takes the lease when it is given back, and continues', async () => {
  using place = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const [one, two] = [join(place.path, 'one'), join(place.path, 'two')];
  const first = open(url, one);
  await until(first, () => first.followed() !== undefined);
  expect(first.opened()).toBeUndefined();
  first.becomeReady('');
  await until(first, () => first.opened() !== undefined);
  const { log, epoch } = first.opened()!;
  expect(epoch).toBe(1);
  const head = await appendAll(log, entries('first', 200));
  await new Promise<void>((resolve) => log.whenCurrent!(resolve));

  const second = open(url, two);
  await until(second, () => second.followed()?.position === 200);
  expect(second.followed()!.hash).toEqual(head.hash);
  second.becomeReady('');
  await until(second, () => second.seen()?.address === 'test' && second.seen()?.durable === 200);
  expect(second.opened()).toBeUndefined();
  const last = await appendAll(log, entries('more', 50));
  await first.close();
  await until(second, () => second.opened() !== undefined);
  expect(second.opened()!.epoch).toBe(2);
  expect(second.opened()!.log.head().hash).toEqual(last.hash);
  const end = await appendAll(second.opened()!.log, entries('second', 30));
  const texts = [...openLogReader(two).read(1)].map(({ commands }) => commands.toString());
  expect(texts).toEqual(
    [...entries('first', 200), ...entries('more', 50), ...entries('second', 30)].map(
      ({ commands }) => Buffer.from(commands).toString(),
    ),
  );
  expect(end.position).toBe(280);
  // The copy of the first is what it wrote, and no batch of the second.
  expect(openLogReader(one).head().hash).toEqual(last.hash);
});

test('a process that loses the lease fails, acknowledges nothing more, and answers no read', async () => {
  using place = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const process = open(url, place.path);
  process.becomeReady('');
  await until(process, () => process.opened() !== undefined);
  const { log } = process.opened()!;
  await appendAll(log, entries('mine', 10));
  const failed = new Promise<Error>((resolve) => log.onFailure(resolve));
  const client = await connect(url);
  await client.query("update evermark.lease set epoch = epoch + 1, holder = 'other', renewal = 0");
  const error = await failed;
  expect([error.name, error.message]).toEqual([
    'LeaseLost',
    'another process has taken over the lease of the log',
  ]);
  expect(log.ready()).toBe(false);
  let shown = false;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  log.whenCurrent!(() => {
    shown = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(shown).toBe(false);
});

test('a process that gives its lease away answers no read from then on', async () => {
  using place = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const [one, two] = [join(place.path, 'one'), join(place.path, 'two')];
  const first = open(url, one, 'giver');
  first.becomeReady('');
  await until(first, () => first.opened() !== undefined);
  const { log } = first.opened()!;
  log.onFailure(() => {});
  const second = open(url, two, 'heir');
  await until(second, () => second.followed() !== undefined);
  second.becomeReady('');
  const client = await connect(url);
  const count = async (query: string): Promise<number> => (await client.query(query)).rowCount!;
  const beats = "select from evermark.member where process = 'heir' and beat > 2";
  while ((await count(beats)) === 0) await pause();
  await new Promise<void>((resolve) => log.whenCurrent!(resolve));

  // The statement that gives the lease away waits, as it would for its answer.
  const other = await connect(url);
  await client.query("insert into evermark.wish values (true, 'giver', 'heir', null)");
  const giving =
    'select from pg_stat_activity where datname = current_database() and ' +
    "wait_event_type = 'Lock' and query like 'update evermark.lease set epoch = epoch + 1, holder%'";
  await other.query('begin');
  await other.query('select from evermark.lease for update');
  while ((await count(giving)) === 0) await pause();
  let shown = false;
  log.whenCurrent!(() => {
    shown = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(shown).toBe(false);
  await other.query('commit');
  await until(second, () => second.seen()?.holder === 'heir');
});

test('a process whose local copy cannot be written ends, and does not take the lease', async () => {
  using place = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const [one, two] = [join(place.path, 'one'), join(place.path, 'two')];
  const first = open(url, one);
  first.becomeReady('');
  await until(first, () => first.opened() !== undefined);
  const second = open(url, two);
  await until(second, () => second.followed() !== undefined);
  second.becomeReady('');
  // Where the next segment of the copy would be made.
  mkdirSync(join(two, spareName));
  const large = Array.from({ length: 12 }, () => entryOf('x'.repeat(4000)));
  await appendAll(first.opened()!.log, large);
  const failed = until(second, () => second.opened() !== undefined);
  await expect(failed).rejects.toThrow('the local copy of the log cannot be written');
  await first.close();
  const client = await connect(url);
  const { rows } = await client.query('select epoch from evermark.lease');
  expect(rows).toEqual([{ epoch: '1' }]);
});
