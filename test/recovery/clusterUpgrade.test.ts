// A rolling upgrade of three processes on one log. Goal: while a process of the engine of the log
// lives, the newer release waits; when the operator gives it the lease, it takes over with every
// balance, and a process of the former release leaves with a sentence. The newer one has an empty
// directory: it replays the range of the former engine with the sources that the database has.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCluster } from '../../src/bin/cluster.ts';
import { createPrng } from '../../src/std/prng.ts';
import { otherToken } from '../fixtures/changedEngine.ts';
import { checkOutChanged } from '../fixtures/otherRelease.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeDatabase, sharedServer } from '../log/postgres/openServers.ts';
import { createRecoveryTrader } from './recoveryTrader.ts';
import { startCandidate } from './startCandidate.ts';

const flags = [...quietFlags, '--replicated-storage', '--rate-limit-scale', '1000'];
/** For what takes a few seconds on an idle machine. */
const waitMs = 600_000;

type Member = {
  readonly process: string;
  readonly role: string;
  readonly life: string;
  readonly engine_hash: string;
  readonly waits_for: readonly string[];
};

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

/** What `evermark cluster` prints. */
async function typeCluster(
  words: readonly string[],
  data: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  let printed = '';
  const print = (text: string): void => {
    printed += text;
  };
  const io = { environment, print, complain: print };
  await runCluster([...words, '--data', data, '--replicated-storage'], io);
  return printed;
}

test('a newer release waits for the former one, takes over by the word of the operator, and stays', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  using third = createTemporaryDirectory();
  using checkout = createTemporaryDirectory();
  const program = checkOutChanged(checkout.path, [otherToken]);
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const servers: RunningServer[] = [];
  const start = async (data: string, until: 'ready' | 'follows'): Promise<RunningServer> => {
    const server = await startServer({ data, flags, environment, until });
    servers.push(server);
    return server;
  };
  const type = (...words: string[]) => typeCluster(words, first.path, environment);
  const shown = async () => JSON.parse(await type());
  const memberOf = async (role: string, isOld: boolean): Promise<Member> => {
    const { members, last_batch: last } = await shown();
    const found = (members as Member[]).find(
      (each) =>
        each.role === role &&
        each.life === 'live' &&
        (each.engine_hash === last.engine_hash) === isOld,
    );
    if (found === undefined) throw new Error(`no such process: ${JSON.stringify(members)}`);
    return found;
  };
  try {
    const a = await start(first.path, 'ready');
    await setPrices(a);
    const trader = createRecoveryTrader(1, createPrng(11));
    trader.connect(a);
    await trader.login();
    while (trader.counts().acknowledged < 20) await trader.act();

    const newer = startCandidate({ data: third.path, flags, environment, program });
    newer.server.then(
      (server) => servers.push(server),
      () => {},
    );
    const [c] = await Promise.all([start(second.path, 'follows'), newer.waits]);
    await expect
      .poll(() => memberOf('follower', false), { timeout: waitMs })
      .toMatchObject({ waits_for: [expect.any(String), expect.any(String)] });
    const waiting = await memberOf('follower', false);
    const named = (): Promise<string> => type('handover', waiting.process);
    await expect(named()).rejects.toThrow(`${waiting.process} has another engine than the log`);

    process.kill(c.pid, 'SIGSTOP');
    await expect(type('handover')).rejects.toThrow('name one of them');
    expect(await named()).toContain('holds the lease');
    expect(await a.exited).toBe(3);
    const next = await newer.server;
    process.kill(c.pid, 'SIGCONT');
    expect(await c.exited).toBe(4);
    expect(c.errors()).toContain('to which the log does not go back');

    expect(readdirSync(join(third.path, 'engines')).length).toBe(2);
    trader.connect(next);
    await trader.check();
    expect(await next.operator.getInvariants()).toMatchObject({ ok: true });
    expect(await next.stop()).toBe(0);
  } finally {
    for (const server of servers) if (!server.ended()) await server.kill();
  }
});
