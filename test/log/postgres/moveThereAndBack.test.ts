// `evermark move` as an operator types it: a deployment goes to PostgreSQL and comes back with the
// same hashes; a move that is killed in its middle is typed again.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../../src/bin/verify.ts';
import { createPrng } from '../../../src/std/prng.ts';
import { quietFlags, type RunningServer, startServer } from '../../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { createRecoveryTrader } from '../../recovery/recoveryTrader.ts';
import { untilHistoryFollows } from '../../recovery/untilHistoryFollows.ts';
import { sharedServer } from './openServers.ts';
import { beginMove, hashIn, makeLog, typeMove } from './typeMove.ts';

const flags = [...quietFlags, '--replicated-storage', '--rate-limit-scale', '1000'];

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

test('a deployment moves there and back: the same hashes, keys, orders and balances', async () => {
  using place = createTemporaryDirectory();
  const [data, copy, back] = ['data', 'copy', 'back'].map((name) => join(place.path, name));
  const url = await sharedServer.createDatabase();
  const key = { EVERMARK_MASTER_KEY: 'c3'.repeat(32) };
  const environment = { ...key, EVERMARK_CLUSTER_URL: url };
  const trader = createRecoveryTrader(3, createPrng(11));
  const trade = async (server: RunningServer, least: number): Promise<void> => {
    const enough = trader.counts().acknowledged + least;
    await setPrices(server);
    while (trader.counts().acknowledged < enough) await trader.act();
    expect(await server.stop()).toBe(0);
  };

  const onFiles = await startServer({ data: data!, flags, environment: key });
  trader.connect(onFiles);
  await trader.login();
  await trade(onFiles, 40);
  const before = verifyDirectory(findDataDirectory(data!));
  const to = ['--data', data!, '--replicated-storage'];
  const moved = await typeMove(['move', '--to', 'cluster', ...to], environment);
  expect(moved.errors).toBe('');
  expect(moved.printed).toContain(`up to batch ${before.position}: ${before.batch_hash}`);
  const again = await typeMove(['move', '--to', 'cluster', ...to], environment);
  expect(again.printed).toContain('was moved before');
  const alone = startServer({ data: data!, flags, environment: key });
  await expect(alone).rejects.toThrow('is in PostgreSQL: name its servers');

  // In a directory of its own: everything comes from PostgreSQL.
  const inPostgres = await startServer({ data: copy!, flags, environment });
  trader.connect(inPostgres);
  await untilHistoryFollows(inPostgres);
  await trader.check();
  const returning = ['move', '--to', back!, '--data', copy!, '--replicated-storage'];
  expect((await typeMove(returning, environment)).errors).toContain(
    'another process has the lease of the log and renews it',
  );
  await trade(inPostgres, 30);
  const there = verifyDirectory(findDataDirectory(copy!));
  expect(there.position).toBeGreaterThan(before.position);

  const wrongKey = { ...environment, EVERMARK_MASTER_KEY: 'd4'.repeat(32) };
  expect((await typeMove(returning, wrongKey)).errors).toContain('The master key that is set');
  const returned = await typeMove(returning, environment);
  expect(returned.errors).toBe('');
  expect(returned.printed).toContain(`up to batch ${there.position}: ${there.batch_hash}`);
  const after = verifyDirectory(findDataDirectory(back!));
  expect(after).toMatchObject({
    ok: true,
    state_hash: there.state_hash,
    event_hash: there.event_hash,
  });
  const last = await startServer({ data: back!, flags, environment: key });
  trader.connect(last);
  await untilHistoryFollows(last);
  await trader.check();
  await trade(last, 10);
  const left = startServer({ data: copy!, flags, environment });
  await expect(left).rejects.toThrow('was moved to files');
});

test('a move that is killed at any moment is finished by typing it again', async () => {
  using place = createTemporaryDirectory();
  const [data, back] = ['data', 'back'].map((name) => join(place.path, name));
  const environment = { EVERMARK_CLUSTER_URL: await sharedServer.createDatabase() };
  const hash = await makeLog(data!, 3000);
  const into = ['move', '--to', 'cluster', '--data', data!, '--replicated-storage'];
  const outOf = ['move', '--to', back!, '--data', data!, '--replicated-storage'];
  for (const words of [into, outOf]) {
    let finished = false;
    // On a slow machine the moments are further apart, and as many.
    for (let life = 500; !finished; life *= 1.4) {
      const child = beginMove(words, environment);
      const killing = setTimeout(() => child.kill('SIGKILL'), life);
      const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
      clearTimeout(killing);
      finished = code === 0;
      if (code !== null) expect(code).toBe(0);
    }
    expect((await typeMove(words, environment)).printed).toContain('was moved before');
  }
  expect(hashIn(back!)).toBe(hash);
  expect((await typeMove(into, environment)).errors).toContain('is an old copy');
});
