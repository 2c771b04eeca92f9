// Two processes on one log in PostgreSQL. Goal: when the one that serves is killed, the other
// serves everything that was acknowledged, and nothing twice. And a
// command that stops every process is skipped once, for all.

import { expect, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { createPrng } from '../../src/std/prng.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import {
  appendAll,
  connect,
  makeDatabase,
  openLog,
  sharedServer,
} from '../log/postgres/openServers.ts';
import { typeMove } from '../log/postgres/typeMove.ts';
import { createRecoveryTrader } from './recoveryTrader.ts';
import { startCandidate } from './startCandidate.ts';
import { untilHistoryFollows } from './untilHistoryFollows.ts';

const flags = [...quietFlags, '--replicated-storage', '--segment-size', '1'];
flags.push('--snapshot-every', '1000', '--rate-limit-scale', '1000');

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

test('a process that follows says so, and writes all of it when the other is killed', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const leader = await startServer({ data: first.path, flags, environment });
  await setPrices(leader);
  const trader = createRecoveryTrader(1, createPrng(7));
  trader.connect(leader);
  await trader.login();
  const health = await fetch(`${leader.http}/health`);
  expect(await health.json()).toMatchObject({ status: 'ok', role: 'sequencer', lag_ms: 0 });

  const candidate = startCandidate({ data: second.path, flags, environment });
  const http = await candidate.waits;
  await expect
    .poll(async () => (await fetch(`${http}/health`)).json())
    .toMatchObject({ status: 'ok', role: 'follower', position: expect.any(Number) });

  const working = (async () => {
    while (await trader.act()) {}
  })();
  await expect.poll(() => trader.counts().acknowledged).toBeGreaterThan(60);
  await leader.kill();
  await working;
  const next = await candidate.server;
  expect(next.http).toBe(http);
  trader.connect(next);
  await untilHistoryFollows(next);
  await trader.check();
  await setPrices(next);
  expect(await next.operator.getInvariants()).toMatchObject({ ok: true });
  const { position, batch_hash: hash } = verifyDirectory(findDataDirectory(second.path));
  const client = await connect(url);
  const { rows } = await client.query('select hash from evermark.batch where position = $1', [
    position,
  ]);
  expect(rows[0].hash.toString('hex')).toBe(hash);
  expect(next.errors()).toContain('this process has the lease of the log, epoch 2');
  expect(await next.stop()).toBe(0);
});

test('a batch that stops every process is skipped once, in the database, for all of them', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const before = await startServer({ data: first.path, flags, environment });
  const address = `0x${'3'.repeat(40)}`;
  await before.operator.creditAccount({ address, amount: '12.5', reference: 'before' });
  expect(await before.stop()).toBe(0);
  // A batch that no engine can read stands for one that stops the exchange.
  const log = await openLog({ urls: url });
  const client = await connect(url);
  const { rows } = await client.query(
    'select engine_hash, time from evermark.batch order by position desc limit 1',
  );
  const [{ engine_hash: engineHash, time }] = rows;
  const commands = Buffer.alloc(40, 0xff);
  const { position } = await appendAll(log, [
    { engineHash, time: Number(time), count: 1, commands },
  ]);
  await log.close();
  const stopped = startServer({ data: first.path, flags, environment });
  await expect(stopped).rejects.toThrow(`command 0 of batch ${position} stopped the exchange`);

  const skip = ['log', 'skip', String(position), 'batch', '--data', first.path];
  const storage = '--replicated-storage';
  expect((await typeMove(skip, {})).errors).toContain('name its servers in EVERMARK_CLUSTER_URL');
  const unlike = await typeMove([...skip, storage], environment);
  expect(unlike.errors).toContain(`It is not batch ${position} that stops the replay`);
  const skipped = await typeMove([...skip, '--unproven', storage], environment);
  expect(skipped.printed).toContain(`every replica will skip batch ${position}`);

  // A process that has never seen the record or the log has both from the database.
  const after = await startServer({ data: second.path, flags, environment });
  await after.operator.creditAccount({ address, amount: '1', reference: 'after' });
  expect(await after.operator.getInvariants()).toMatchObject({ ok: true });
  expect(await after.stop()).toBe(0);
  const verified = verifyDirectory(findDataDirectory(second.path));
  expect(verified).toMatchObject({ ok: true, skipped: [{ position, index: 'batch' }] });
});

test('a process that waited while a skip record was written does not serve without it', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const leader = await startServer({ data: first.path, flags, environment });
  const candidate = startCandidate({ data: second.path, flags, environment });
  const ended = expect(candidate.server).rejects.toThrow('a skip record was written while');
  const health = `${await candidate.waits}/health`;
  await expect
    .poll(async () => (await fetch(health)).json())
    .toMatchObject({ role: 'follower', position: expect.any(Number) });
  const client = await connect(url);
  await client.query('insert into evermark.skip values (1000000, 0)');
  expect(await leader.stop()).toBe(0);
  await ended;
});
