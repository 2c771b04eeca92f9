// Two processes on one log in PostgreSQL. Goal: when the one that serves is killed, the other
// serves everything that was acknowledged, and nothing twice; a process that waits says so.

import { expect, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { createPrng } from '../../src/std/prng.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { connect, makeDatabase, openServer } from '../log/postgres/openServers.ts';
import { createRecoveryTrader } from './recoveryTrader.ts';
import { startCandidate } from './startCandidate.ts';

const flags = [...quietFlags, '--replicated-storage', '--segment-size', '1'];
flags.push('--snapshot-every', '1000', '--rate-limit-scale', '1000');

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

test('a process that waits refuses, says so, and serves all of it when the other is killed', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  const url = await makeDatabase(await openServer());
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
    .toMatchObject({ status: 'ok', role: 'candidate', position: expect.any(Number) });
  const refused = await fetch(`${http}/fapi/v1/order`, { method: 'POST' });
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      code: -1003,
      msg: 'This process waits for its turn, and another one serves; the request was not executed.',
    },
  ]);
  const native = await fetch(`${http}/api/v1/markets`);
  expect([
    native.status,
    ((await native.json()) as { error: { code: string } }).error.code,
  ]).toEqual([429, 'TOO_MANY_REQUESTS']);

  const working = (async () => {
    while (await trader.act()) {}
  })();
  await expect.poll(() => trader.counts().acknowledged).toBeGreaterThan(60);
  await leader.kill();
  await working;
  const next = await candidate.server;
  expect(next.http).toBe(http);
  trader.connect(next);
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
