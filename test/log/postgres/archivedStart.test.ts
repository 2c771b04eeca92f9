// Whole programs on a log whose beginning was archived and removed from PostgreSQL, typed as an
// operator types it. Goal: a process that has the beginning goes on; a new one is refused with a
// sentence, gets it from the archive, with or without a snapshot, and has the same state.

import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../../src/bin/verify.ts';
import { openLogReader } from '../../../src/log/file/openLogReader.ts';
import { createPrng } from '../../../src/std/prng.ts';
import { quietFlags, startServer } from '../../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { createRecoveryTrader } from '../../recovery/recoveryTrader.ts';
import { chain, connect, makeDatabase, sharedServer } from './openServers.ts';
import { makeLog, typeMove } from './typeMove.ts';

const flags = [...quietFlags, '--replicated-storage', '--rate-limit-scale', '1000'];

test('a process gets the beginning of the log from the archive, and has the same state', async () => {
  using place = createTemporaryDirectory();
  const at = (name: string): string => join(place.path, name);
  const url = await makeDatabase(sharedServer, true, 30);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const start = (name: string) => startServer({ data: at(name), flags, environment });
  const type = (verb: string, data: string) =>
    typeMove(
      ['cluster', verb, at('archive'), '--data', at(data), '--replicated-storage'],
      environment,
    );
  const first = await start('first');
  await first.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await first.operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
  const trader = createRecoveryTrader(1, createPrng(7));
  trader.connect(first);
  await trader.login();
  while (trader.counts().acknowledged < 60) await trader.act();
  const client = await connect(url);
  const archivable =
    'select from evermark.lease join evermark.part on next + 15 <= durable limit 2';
  while ((await client.query(archivable)).rowCount !== 2) await trader.act();
  expect(await first.stop()).toBe(0);

  expect((await type('check', 'first')).errors).toContain('it has no manifest.json');
  expect(await type('archive', 'first')).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/has the log up to batch \d+ .* with 1 engines/),
  });
  expect((await type('check', 'first')).printed).toContain('every byte was read and is sound');
  const removed = (await type('remove', 'first')).printed;
  expect(removed).toMatch(/^the log in PostgreSQL begins with batch \d+ now/);
  const { rows } = await client.query(
    'select min(position)::integer as begins from evermark.batch',
  );
  expect(removed).toContain(`batch ${rows[0].begins} now`);
  expect(rows[0].begins).toBeGreaterThan(30);

  // The process that has the beginning needs no archive.
  const again = await start('first');
  trader.connect(again);
  await trader.check();
  expect(await again.stop()).toBe(0);
  const own = verifyDirectory(findDataDirectory(at('first')));
  expect(own).toMatchObject({ ok: true });

  await expect(start('second')).rejects.toThrow(/are empty. Type \\?"evermark cluster fetch/);
  expect((await type('fetch', 'second')).printed).toContain(
    'a start reads the rest from PostgreSQL',
  );
  const second = await start('second');
  trader.connect(second);
  await trader.check();
  expect(await second.operator.getInvariants()).toMatchObject({ ok: true });
  expect(await second.stop()).toBe(0);
  expect(verifyDirectory(findDataDirectory(at('second')))).toMatchObject({ ok: true });
  const log = openLogReader(findDataDirectory(at('second')).log);
  const [last] = log.read(own.position, own.position);
  expect(last?.hash.toString('hex')).toBe(own.batch_hash);

  // With a snapshot of another process the start replays the rest only.
  expect((await type('fetch', 'third')).code).toBe(0);
  cpSync(at('first/snapshots'), at('third/snapshots'), { recursive: true });
  const third = await start('third');
  trader.connect(third);
  await trader.check();
  expect(third.errors()).toContain('from the snapshot of batch');
  expect(await third.stop()).toBe(0);
  expect(verifyDirectory(findDataDirectory(at('third')))).toMatchObject({ ok: true });

  // A log of its own is no copy, and stays.
  await makeLog(at('files'), 3);
  const before = readdirSync(at('files/log'));
  expect((await type('fetch', 'files')).errors).toContain('holds a log of its own');
  expect(readdirSync(at('files/log'))).toEqual(before);
  // The deployment returns to files where the beginning is.
  const move = (data: string) =>
    typeMove(
      ['move', '--to', at(data), '--data', at('first'), '--replicated-storage'],
      environment,
    );
  expect((await move('empty')).errors).toMatch(/begins with batch \d+.*evermark cluster fetch/);
  expect(await move('third')).toMatchObject({ code: 0 });
  expect(verifyDirectory(findDataDirectory(at('third')))).toMatchObject({ ok: true });
  expect((await type('check', 'first')).errors).toContain('was moved to files');

  // Another deployment does not take the archive.
  const other = await makeDatabase(sharedServer);
  const elsewhere = { EVERMARK_CLUSTER_URL: other };
  for (const verb of ['archive', 'check', 'remove', 'fetch']) {
    const words = ['cluster', verb, at('archive'), '--data', at('new'), '--chain', String(chain)];
    const refused = await typeMove([...words, '--replicated-storage'], elsewhere);
    expect(refused.errors, verb).toContain('is the archive of deployment');
    expect(refused.code).toBe(1);
  }
  const bare = ['cluster', 'archive', '--data', at('first'), '--replicated-storage'];
  expect((await typeMove(bare, environment)).errors).toContain('takes the directory of an archive');
});
