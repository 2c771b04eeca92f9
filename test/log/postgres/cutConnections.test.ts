// Connections to a real server that are cut or fall silent at the message of a write: the batch is
// acknowledged once, is in the log once, and the next one follows it.

import { expect, onTestFinished, test } from 'vitest';
import { logBeginning } from '../../../src/log/log.ts';
import { keepSession } from '../../../src/log/postgres/catchUp.ts';
import { createServers } from '../../../src/log/postgres/createServers.ts';
import { readPostgresBatches } from '../../../src/log/postgres/readPostgresBatches.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { type Cut, startCuttingProxy } from '../../fixtures/startCuttingProxy.ts';
import {
  appendAll,
  entryOf,
  makeDatabase,
  openLog,
  openTestSession,
  sharedServer,
} from './openServers.ts';

test.each<Cut>(['before', 'after', 'client', 'silence'])(
  'a write whose connection is cut (%s) is acknowledged once and is there once',
  async (cut) => {
    const direct = await makeDatabase(sharedServer);
    const address = new URL(direct);
    const proxy = await startCuttingProxy(Number(address.port));
    onTestFinished(() => proxy.close());
    address.port = String(proxy.port);
    const log = await openLog({ urls: address.toString() });
    const texts: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      // The name of the statement, in the message that binds its values.
      proxy.cutAt('\0write\0', cut);
      const some = [1, 2, 3, 4, 5].map((each) => `${round} ${each}`);
      texts.push(...some);
      await appendAll(
        log,
        some.map((text) => entryOf(text)),
      );
      expect(log.head().position).toBe(texts.length);
    }
    proxy.release();
    const { client } = await openTestSession(direct);
    const read: string[] = [];
    for await (const { commands } of readPostgresBatches(client, logBeginning, texts.length)) {
      read.push(commands.toString());
    }
    expect(read).toEqual(texts);
    const { rows } = await client.query(
      'select max(position)::integer as last from evermark.batch',
    );
    expect(rows).toEqual([{ last: texts.length }]);
    await log.close();
  },
);

test('a read over a connection that has fallen silent ends, and the next one has another', async () => {
  const address = new URL(await makeDatabase(sharedServer));
  const proxy = await startCuttingProxy(Number(address.port));
  onTestFinished(() => proxy.close());
  address.port = String(proxy.port);
  const scheduler = systemScheduler;
  const options = { urls: address.toString(), applicationName: 'test', replicatedStorage: true };
  const reading = keepSession(createServers({ ...options, scheduler }), 200);
  onTestFinished(reading.end);
  const ask = (): Promise<unknown> =>
    reading.use(async ({ client }) => (await client.query("select 'silent' as said")).rows);
  expect(await ask()).toEqual([{ said: 'silent' }]);
  proxy.cutAt("'silent'", 'silence');
  await expect(ask()).rejects.toThrow('timeout');
  expect(await ask()).toEqual([{ said: 'silent' }]);
});
