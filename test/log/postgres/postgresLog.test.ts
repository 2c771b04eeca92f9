// The log on a real PostgreSQL server: what is appended is read back, the lease goes from one
// holder to the next, and holes are cut.

import { expect, test } from 'vitest';
import { encodeOrigins } from '../../../src/link/origins.ts';
import { type LogBatch, LogDamaged, logBeginning } from '../../../src/log/log.ts';
import { readPostgresBatches } from '../../../src/log/postgres/readPostgresBatches.ts';
import {
  cutStatement,
  renewStatement,
  type Statement,
  takeOverStatement,
  writeStatement,
} from '../../../src/log/postgres/statement.ts';
import { flightAfter } from '../../../src/log/postgres/tenure.ts';
import {
  appendAll,
  connect,
  entryOf,
  makeDatabase,
  openLog,
  openTestSession,
  sharedServer,
} from './openServers.ts';

const texts = (count: number, name = 'batch'): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

async function readTexts(url: string, to: number): Promise<string[]> {
  const { client } = await openTestSession(url);
  const read: string[] = [];
  for await (const { commands } of readPostgresBatches(client, logBeginning, to)) {
    read.push(commands.toString());
  }
  return read;
}

test('what is appended is read back, by the next holder too, and continues its chain', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  expect(log.head().position).toBe(0);
  const head = await appendAll(
    log,
    texts(50).map((text) => entryOf(text)),
  );
  expect(head.position).toBe(50);
  expect(await readTexts(url, 50)).toEqual(texts(50));
  await log.close();
  const known = { position: 50, hash: head.hash.toString('hex') };
  const next = await openLog({ urls: url, known });
  expect(next.head()).toEqual(head);
  await appendAll(next, [entryOf('one more', 2)]);
  expect(await readTexts(url, 51)).toEqual([...texts(50), 'one more']);
  await next.close();
});

test('origins are read back beside their batch, and change nothing of its hash', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  const origins = encodeOrigins([{ process: 'a', number: 7 }]);
  const head = await appendAll(log, [entryOf('one'), { ...entryOf('two'), origins }]);
  await log.close();
  const { client } = await openTestSession(url);
  const read: LogBatch[] = [];
  for await (const batch of readPostgresBatches(client, logBeginning, 2)) read.push(batch);
  expect(read.map((batch) => batch.origins)).toEqual([undefined, origins]);
  const alone = flightAfter(read[0]!, entryOf('two'));
  expect(alone.hash.equals(head.hash)).toBe(true);
});

test('a batch of the largest size and an empty one are read back', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  const large = { ...entryOf(''), commands: Buffer.alloc(8 * 1024 * 1024, 7) };
  await appendAll(log, [entryOf(''), large, entryOf('last')]);
  await log.close();
  const read = await readTexts(url, 3);
  expect(read.map(({ length }) => length)).toEqual([0, large.commands.length, 4]);
});

test('a changed, a missing and a foreign row are damage', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  const head = await appendAll(
    log,
    texts(30).map((text) => entryOf(text)),
  );
  await log.close();
  const client = await connect(url);
  await client.query("update evermark.batch set commands = 'x' where position = 7");
  await expect(readTexts(url, 30)).rejects.toThrow('batch 7 is not what it was');
  await client.query('delete from evermark.batch where position = 7');
  await expect(readTexts(url, 30)).rejects.toThrow('batch 7 is not there');
  await client.query('delete from evermark.batch where position = 22');
  await expect(openLog({ urls: url })).rejects.toThrow('batch 22 is missing, but 8 batches');
  const known = { position: 30, hash: head.hash.toString('hex') };
  await client.query('delete from evermark.batch where position >= 22');
  await expect(openLog({ urls: url, known })).rejects.toThrow(LogDamaged);
});

test('a takeover removes what stands behind a hole, and keeps what stands before it', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  await appendAll(
    log,
    texts(30).map((text) => entryOf(text)),
  );
  await log.close();
  const client = await connect(url);
  await client.query('delete from evermark.batch where position = 28');
  const next = await openLog({ urls: url });
  expect(next.head().position).toBe(27);
  await appendAll(next, [entryOf('new')]);
  await next.close();
  expect(await readTexts(url, 28)).toEqual([...texts(27), 'new']);
});

test('statements of the holder that come late or twice change nothing', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  await appendAll(
    log,
    texts(20).map((text) => entryOf(text)),
  );
  const { client } = await openTestSession(url);
  const writer = { epoch: 1, holder: log.holder, replicatedStorage: true };
  const run = ({ values, ...statement }: Statement) =>
    client.query({ ...statement, values: [...values] });
  // The removal of an opening whose connection was lost, after batches have been acknowledged.
  expect((await run(cutStatement(writer, 10))).rowCount).toBe(0);
  const again = flightAfter(log.head(), entryOf('another batch 20'));
  const second = { ...again, position: 20 };
  await expect(run(writeStatement(writer, second, log.head()))).rejects.toThrow('duplicate key');
  const former = { ...writer, holder: 'former' };
  const next = { ...again, position: 21 };
  expect((await run(writeStatement(former, next, log.head()))).rowCount).toBe(0);
  expect((await run(cutStatement(former, 10))).rowCount).toBe(0);
  const lease = { ...writer, renewal: 0, released: false };
  const taker = { holder: 'late', address: '' };
  // The holder renews at once, so what was seen before the first renewal is no longer so.
  expect((await run(takeOverStatement(lease, taker))).rowCount).toBe(0);
  await log.close();
  expect((await run(renewStatement(writer, { renewal: 99, known: 0 }))).rowCount).toBe(0);
  expect(await readTexts(url, 20)).toEqual(texts(20));
});

test('a holder that closes hands over at once; one that is silent is waited for', async () => {
  const url = await makeDatabase(sharedServer);
  const first = await openLog({ urls: url });
  const second = openLog({ urls: url });
  let opened = false;
  void second.then(() => {
    opened = true;
  });
  // Longer than the lease: the holder renews it.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(opened).toBe(false);
  await first.close();
  await (await second).close();
  const client = await connect(url);
  // As if a holder had died.
  await client.query("update evermark.lease set released = false, holder = 'dead'");
  const begun = performance.now();
  const third = await openLog({ urls: url });
  expect(performance.now() - begun).toBeGreaterThan(1500);
  const { rows } = await client.query('select epoch::integer from evermark.lease');
  expect(rows).toEqual([{ epoch: 3 }]);
  await third.close();
});

test('a deposed holder fails and acknowledges nothing more', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  await appendAll(log, [entryOf('one')]);
  const client = await connect(url);
  await client.query("update evermark.lease set epoch = epoch + 1, holder = 'other', renewal = 0");
  await expect(appendAll(log, [entryOf('two')])).rejects.toThrow('another process has taken over');
  expect(log.head().position).toBe(1);
  expect(await readTexts(url, 1)).toEqual(['one']);
  await log.close();
  const { rows } = await client.query('select released, holder from evermark.lease');
  expect(rows).toEqual([{ released: false, holder: 'other' }]);
});

test('a database that was put back to the past takes no other batch, and its holder leaves', async () => {
  const url = await makeDatabase(sharedServer);
  const log = await openLog({ urls: url });
  await appendAll(
    log,
    texts(10).map((text) => entryOf(text)),
  );
  const client = await connect(url);
  await client.query('delete from evermark.batch where position > 6');
  await expect(appendAll(log, [entryOf('eleventh')])).rejects.toThrow(
    'batch 10, which was durable, is not there',
  );
  const { rows } = await client.query('select max(position)::integer as last from evermark.batch');
  expect(rows).toEqual([{ last: 6 }]);
  await log.close();
});

test.each([-600, 600])(
  'a process whose clock is off by %s ms waits until it is right',
  async (offMs) => {
    const url = await makeDatabase(sharedServer);
    let off = offMs;
    let told = (): void => {};
    const reported = new Promise<void>((resolve) => {
      told = resolve;
    });
    const opening = openLog({
      urls: url,
      clock: { now: () => Date.now() + off },
      report: (text) => {
        if (text.includes("this machine's clock and the database's differ by more than half"))
          told();
      },
    });
    await reported;
    const client = await connect(url);
    const lease = 'select epoch::integer, released from evermark.lease';
    expect((await client.query(lease)).rows).toEqual([{ epoch: 0, released: true }]);
    off = 0;
    const log = await opening;
    expect((await client.query(lease)).rows).toEqual([{ epoch: 1, released: false }]);
    await log.close();
  },
);
