// A process that follows stands still while clients have armed connections there (COD-6), and
// wakes. Goal: the orders of its connections end without it, those of others stay, and the woken
// process closes the connections that have ended before it serves their clients again.

import { expect, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeDatabase, sharedServer } from '../log/postgres/openServers.ts';
import { openArmedAccount } from './armedAccounts.ts';

const flags = [...quietFlags, '--replicated-storage', '--rate-limit-scale', '1000'];
/** For what takes a few seconds on an idle machine. */
const patience = { timeout: 600_000 };
/** COD-6: so long after the last link of a process its connections end. */
const endedWithinMs = 8000;

test('the orders of a process that stands still end, and it closes their connections when it wakes', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const servers: RunningServer[] = [];
  const start = async (data: string, until: 'ready' | 'follows'): Promise<RunningServer> => {
    const server = await startServer({ data, flags, environment, until });
    servers.push(server);
    return server;
  };
  try {
    const holder = await start(first.path, 'ready');
    await holder.operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
    const follower = await start(second.path, 'follows');
    const [atHolder, atFollower] = await Promise.all([
      openArmedAccount(holder, 0),
      openArmedAccount(follower, 1),
    ]);
    const statuses = (at: RunningServer): Promise<string[]> =>
      Promise.all([atHolder, atFollower].map(({ statusAt }) => statusAt(at)));
    expect(await statuses(follower)).toEqual(['NEW', 'NEW']);

    process.kill(follower.pid, 'SIGSTOP');
    const began = performance.now();
    await expect.poll(() => statuses(holder), patience).toEqual(['NEW', 'CANCELED']);
    // Not before its link is lost for five seconds: a short pause keeps the clients.
    expect(performance.now() - began).toBeGreaterThan(endedWithinMs / 2);
    expect(atFollower.closedWith()).toBe(undefined);

    process.kill(follower.pid, 'SIGCONT');
    await expect.poll(atFollower.closedWith, patience).toBe(1013);
    expect(atHolder.closedWith()).toBe(undefined);
    await expect.poll(() => statuses(follower), patience).toEqual(['NEW', 'CANCELED']);

    // It serves again, and arms new connections, which stay.
    const anew = await openArmedAccount(follower, 2);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await anew.statusAt(holder)).toBe('NEW');
    expect(anew.closedWith()).toBe(undefined);
    expect(await holder.operator.getInvariants()).toMatchObject({ ok: true });
    expect([await follower.stop(), await holder.stop()]).toEqual([0, 0]);
    for (const { path } of [first, second]) {
      expect(verifyDirectory(findDataDirectory(path))).toMatchObject({ ok: true });
    }
  } finally {
    for (const server of servers) if (!server.ended()) await server.kill();
  }
});
