// Processes that follow. Goal: each serves what the holder of the lease has written, passes orders
// on to it, and goes on without a restart when the holder is killed.

import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/createClient.ts';
import { createPrng } from '../../src/std/prng.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeDatabase, openServer } from '../log/postgres/openServers.ts';
import { createRecoveryTrader } from './recoveryTrader.ts';

const flags = [...quietFlags, '--replicated-storage', '--segment-size', '1', '--log-level', 'info'];
flags.push('--snapshot-every', '1000', '--rate-limit-scale', '1000');

const directories = [0, 1, 2].map(() => createTemporaryDirectory());
const servers: RunningServer[] = [];

test('a follower', async () => {
  const url = await makeDatabase(await openServer());
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const holder = await startServer({ data: directories[0]!.path, flags, environment });
  servers.push(holder);
  await holder.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await holder.operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
  const trader = createRecoveryTrader(1, createPrng(7));
  trader.connect(holder);
  await trader.login();
  const begin = Date.now();
  const follower = await startServer({
    data: directories[1]!.path,
    flags,
    environment,
    until: 'follows',
  });
  servers.push(follower);
  console.log('follows after', Date.now() - begin);
  console.log(await (await fetch(`${follower.http}/health`)).text());
  console.log(await (await fetch(`${follower.http}/fapi/v1/depth?symbol=BTCUSDT`)).text());
  trader.connect(follower);
  for (let n = 0; n < 100; n += 1) await trader.act();
  console.log(trader.counts());
  await trader.check();
  console.log(follower.errors(), holder.errors());
});
