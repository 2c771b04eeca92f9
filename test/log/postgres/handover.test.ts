// Handovers between real processes on a real server: the lease goes where the operator wants it,
// without the wait for its end, and nothing acknowledged is lost.

import { expect, test } from 'vitest';
import { logBeginning } from '../../../src/log/log.ts';
import { askHandover } from '../../../src/log/postgres/askHandover.ts';
import { leaseMs } from '../../../src/log/postgres/candidacy.ts';
import { describeCluster } from '../../../src/log/postgres/describeCluster.ts';
import { readPostgresBatches } from '../../../src/log/postgres/readPostgresBatches.ts';
import { checkTables } from '../../../src/log/postgres/tables.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { chain, makeDatabase, openTestSession, sharedServer } from './openServers.ts';
import { type Holder, startHolder } from './startHolder.ts';

const scheduler = systemScheduler;

test('the lease goes to the named process and on to the most advanced one, and the log stays whole', async () => {
  const url = await makeDatabase(sharedServer);
  const session = await openTestSession(url);
  const { client } = session;
  const owner = await checkTables(client, { deployment: undefined, chain });
  const ask = (named?: string): Promise<string> => askHandover(client, { named, scheduler });
  await expect(ask()).rejects.toThrow('No process that lives holds the lease');

  const first = startHolder(url, true, 'first');
  await first.until(() => first.durable.size > 20);
  await expect(ask()).rejects.toThrow('No other process lives');
  await expect(ask('nothing')).rejects.toThrow('No process is called nothing');

  const second = startHolder(url, true, 'second');
  const third = startHolder(url, true, 'third');
  const seen = async () => (await describeCluster(session, owner, scheduler)).members;
  while ((await seen()).length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await seen()).toMatchObject([
    {
      process: 'first',
      role: 'holder',
      life: 'live',
      address: 'at first',
      lag: expect.any(Number),
    },
    { process: 'second', role: 'follower', life: 'live' },
    { process: 'third', role: 'follower', life: 'live', engineHash: 'ab' },
  ]);
  expect(await ask('third')).toBe('third');
  await first.until(() => first.ended() !== undefined);
  expect(first.ended()).toBe('handover');
  await third.until(() => third.durable.size > 5);
  expect(third.times.first - first.times.last).toBeLessThan(leaseMs);
  expect(second.durable.size).toBe(0);

  expect(await ask()).toBe('second');
  await second.until(() => second.durable.size > 5);
  expect(second.times.first - third.times.last).toBeLessThan(leaseMs);

  second.child.kill('SIGSTOP');
  await expect(ask()).rejects.toThrow('No process that lives holds the lease');
  second.child.kill('SIGKILL');
  await expectWhole([first, second, third], url);
});

/** Every batch that a process has reported as durable is in the log as it was. */
async function expectWhole(holders: readonly Holder[], url: string): Promise<void> {
  const { client } = await openTestSession(url);
  const promised = new Map(holders.flatMap(({ durable }) => [...durable]));
  const last = Math.max(...promised.keys());
  for await (const { position, hash } of readPostgresBatches(client, logBeginning, last)) {
    const expected = promised.get(position) ?? hash.toString('hex');
    expect(hash.toString('hex'), `batch ${position}`).toBe(expected);
  }
}

test('the holder refuses a wish whose heir has died meanwhile, and keeps the lease', async () => {
  const url = await makeDatabase(sharedServer);
  const { client } = await openTestSession(url);
  const holder = startHolder(url, true, 'holder');
  await holder.until(() => holder.durable.size > 5);
  await client.query("insert into evermark.wish values (true, 'holder', 'dead', null)");
  const answer = async () =>
    (await client.query('select answer from evermark.wish')).rows[0].answer;
  while ((await answer()) === null) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await answer()).toBe('No process is called dead.');
  const { size } = holder.durable;
  await holder.until(() => holder.durable.size > size + 5);
  expect(holder.ended()).toBe(undefined);
});
