// Goal: a deployment goes from one release to the next, and every answer that it gave stays true.
// Method: accounts trade over HTTP with the real program. It is killed, and a copy of its sources
// with another rounding of fees continues; that is killed while it starts, too. Then the log,
// history and what the accounts know are compared, and the way back is tried.

import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { createPrng } from '../../src/std/prng.ts';
import { feesRoundedDown } from '../fixtures/changedEngine.ts';
import { checkOutChanged } from '../fixtures/otherRelease.ts';
import {
  cleanEnvironment,
  quietFlags,
  type RunningServer,
  startServer,
} from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { dumpHistory, dumpRebuilt } from '../history/dumpHistory.ts';
import { acknowledgedBy, createRecoveryTrader, type RecoveryTrader } from './recoveryTrader.ts';

const seed = 20_261_122;
const flags = [...quietFlags, '--log-level', 'info'];
flags.push('--segment-size', '1', '--snapshot-every', '1000', '--rate-limit-scale', '1000');
const answersPerLife = 250;

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

/** Trades until so many more answers have come, and is killed in the middle. */
async function tradeAndKill(
  server: RunningServer,
  accounts: readonly RecoveryTrader[],
): Promise<void> {
  const enough = acknowledgedBy(accounts) + answersPerLife;
  const busy = accounts.map(async (account) => {
    while (await account.act()) {}
  });
  while (acknowledgedBy(accounts) < enough) await wait(10);
  await server.kill();
  await Promise.all(busy);
}

/**
 * What `verify` says of the directory when the server has stopped. Its state is the one that the
 * server had; a timer may run out between the two questions (fees are shared once a minute, for
 * example), so the server is started and asked again until none did.
 */
async function verifyStopped(
  { data, program }: Record<'data' | 'program', string>,
  start: () => Promise<RunningServer>,
) {
  for (let server = await start(); ; server = await start()) {
    const { position, state_hash } = await server.operator.getStateHash();
    expect(await server.stop()).toBe(0);
    const verified = spawnSync(process.execPath, [program, 'verify', '--data', data], {
      env: cleanEnvironment(),
      encoding: 'utf8',
    });
    const report = JSON.parse(verified.stdout);
    if (report.state_hash === state_hash) return report;
    expect(report.position).toBeGreaterThan(position);
  }
}

test('another release continues where the previous one was killed, and verifies the whole log', async () => {
  using directory = createTemporaryDirectory();
  using checkout = createTemporaryDirectory();
  const data = directory.path;
  const program = checkOutChanged(checkout.path, feesRoundedDown);
  const accounts = Array.from({ length: 3 }, (_, number) =>
    createRecoveryTrader(number, createPrng(seed + number)),
  );
  const comeBack = async (server: RunningServer): Promise<void> => {
    for (const account of accounts) account.connect(server);
    await Promise.all(accounts.map((account) => account.check()));
    await setPrices(server);
  };
  const first = await startServer({ data, flags });
  await setPrices(first);
  for (const account of accounts) {
    account.connect(first);
    await account.login();
  }
  await tradeAndKill(first, accounts);

  for (const lifeMs of [300, 700, 1000, 1400]) {
    const dead = startServer({ data, flags, program, lifeMs });
    await dead.then(
      (server) => server.exited,
      () => {},
    );
  }
  const second = await startServer({ data, flags, program });
  await comeBack(second);
  await tradeAndKill(second, accounts);

  const back = startServer({ data, flags });
  await expect(back).rejects.toThrow('A log does not go back to an older engine');

  const third = await startServer({ data, flags, program });
  expect(third.errors()).not.toContain('takes over');
  await comeBack(third);
  expect(await third.operator.getInvariants()).toMatchObject({ ok: true });
  expect(await third.stop()).toBe(0);
  const report = await verifyStopped({ data, program }, () =>
    startServer({ data, flags, program }),
  );
  expect(report).toMatchObject({ ok: true, upgrade: null, history: { ok: true } });
  expect(report.engines).toHaveLength(2);
  const dump = await dumpHistory({ databaseUrl: undefined, directory: data });
  expect(dump.rows.fills.length).toBeGreaterThan(20);
  expect(dump).toEqual(await dumpRebuilt(findDataDirectory(data), dump.position));
});
