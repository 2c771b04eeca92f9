// A handover between two processes that serve one deployment. Goal: the operator's word moves the
// lease while a trader trades; what was acknowledged is served by the next process, and the former
// one leaves with the exit code that lets its manager start it again.

import { expect, test } from 'vitest';
import { createPrng } from '../../src/std/prng.ts';
import { quietFlags, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeDatabase, sharedServer } from '../log/postgres/openServers.ts';
import { typeMove } from '../log/postgres/typeMove.ts';
import { createRecoveryTrader } from './recoveryTrader.ts';
import { startCandidate } from './startCandidate.ts';

const flags = [...quietFlags, '--replicated-storage', '--rate-limit-scale', '1000'];

test('the lease goes to the waiting process by the word of the operator, and nothing is lost', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const type = (...words: string[]) =>
    typeMove(['cluster', ...words, '--data', first.path, '--replicated-storage'], environment);
  const leader = await startServer({ data: first.path, flags, environment });
  await leader.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await leader.operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
  const trader = createRecoveryTrader(1, createPrng(11));
  trader.connect(leader);
  await trader.login();
  expect((await type('handover')).errors).toContain('No other process lives');

  const candidate = startCandidate({ data: second.path, flags, environment });
  await candidate.waits;
  const working = (async () => {
    while (await trader.act()) {}
  })();
  const membersOf = async () => JSON.parse((await type()).printed).members;
  await expect
    .poll(membersOf)
    .toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ role: 'holder', life: 'live' }),
        expect.objectContaining({ role: 'follower', life: 'live' }),
      ]),
    );
  await expect.poll(() => trader.counts().acknowledged).toBeGreaterThan(30);
  const given = await type('handover');
  expect([given.errors, given.code]).toEqual(['', 0]);
  expect(given.printed).toMatch(/^[0-9a-f-]{36} holds the lease\n$/);
  expect(await leader.exited).toBe(3);
  await working;

  const next = await candidate.server;
  trader.connect(next);
  await trader.check();
  expect(await next.operator.getInvariants()).toMatchObject({ ok: true });
  expect(await next.stop()).toBe(0);
});
