// Goal: no acknowledged change is lost, and no unacknowledged one is there in part. Method: several
// accounts trade over HTTP with the real program, on indexes that move and fire their triggers. It
// is killed with SIGKILL at random moments, also while it starts, and some answers are lost on the
// way. After each restart every account compares the answers that it received with what it finds,
// and the data directory is replayed beside the server.

import { expect, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { ApiError } from '../../src/client/apiError.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { expectReplayed } from './expectReplayed.ts';
import { acknowledgedBy, createRecoveryTrader, type RecoveryTrader } from './recoveryTrader.ts';

const kills = 7;
/** When orders filled and triggers fired too seldom to prove something, it goes on up to here. */
const killsMax = 30;
const traders = 4;
const requestsAtOnce = 3;
const seed = 20_261_120;
const flags = [...quietFlags, '--log-level', 'warn'];
// Small segments and frequent snapshots: a kill meets their changes too.
flags.push('--segment-size', '1', '--snapshot-every', '1000', '--rate-limit-scale', '1000');

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

/** Moves the indexes so that triggers fire, until the server has ended. */
async function movePrices({ operator }: RunningServer, prng: Prng): Promise<void> {
  const around = (mid: number, tenths: number): string =>
    (mid + (prng.below(2 * tenths) - tenths) / 10).toFixed(1);
  const move = async (): Promise<boolean> => {
    await operator.setIndexPrice({
      symbol: 'BTCUSDT',
      price: around(100_000, 40),
      expected_index: '100000',
    });
    await operator.setIndexPrice({
      symbol: 'ETHUSDT',
      price: around(4000, 4),
      expected_index: '4000',
    });
    return true;
  };
  while (
    await move().catch((error: unknown) => {
      if (error instanceof ApiError) throw error;
      return false;
    })
  ) {
    await wait(20);
  }
}

/** A kill alone loses few answers of requests that were executed. */
const losing =
  (prng: Prng): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init);
    if (prng.below(8) > 0) return answer;
    await answer.arrayBuffer();
    throw new TypeError('the answer was lost');
  };

/** Keeps every account busy until the server has ended. */
async function load(
  accounts: readonly RecoveryTrader[],
  server: RunningServer,
  prng: Prng,
): Promise<void> {
  for (const account of accounts) account.connect({ ...server, fetch: losing(prng) });
  const busy = accounts.flatMap((account) =>
    Array.from({ length: requestsAtOnce }, async () => {
      while ((await account.act()) || !server.ended()) {}
    }),
  );
  await Promise.all(busy);
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

test(`after ${kills} kills every acknowledged order, fill, cancel, key and balance is there`, async () => {
  using directory = createTemporaryDirectory();
  const prng = createPrng(seed);
  const prices = createPrng(seed - 1);
  const losses = createPrng(seed - 2);
  const accounts = Array.from({ length: traders }, (_, number) =>
    createRecoveryTrader(number, createPrng(seed + number)),
  );
  let server = await startServer({ data: directory.path, flags });
  await setPrices(server);
  for (const account of accounts) {
    account.connect(server);
    await account.login();
  }
  const sum = (name: 'filled' | 'fired'): number =>
    accounts.reduce((total, account) => total + account.counts()[name], 0);
  const isProven = (): boolean => sum('filled') > 40 && sum('fired') > 14;
  for (let kill = 1; kill <= kills || (kill <= killsMax && !isProven()); kill += 1) {
    const working = Promise.all([load(accounts, server, losses), movePrices(server, prices)]);
    // Not before enough has been done, so that a slow machine proves as much as a fast one.
    const enough = acknowledgedBy(accounts) + 60;
    await wait(50 + prng.below(700));
    while (acknowledgedBy(accounts) < enough) await wait(20);
    await server.kill();
    await working;
    if (kill % 4 === 0) await killWhileStarting(directory.path, 100 + prng.below(1200));
    // The server must come back with the state of a full replay of the files.
    const replayed = verifyDirectory(findDataDirectory(directory.path));
    expect(replayed.invariants.failures).toEqual([]);
    expect(replayed.snapshots.filter(({ ok }) => !ok)).toEqual([]);
    server = await startServer({ data: directory.path, flags });
    const position = await expectReplayed(server, directory.path);
    expect(position).toBeGreaterThanOrEqual(replayed.position);
    for (const account of accounts) account.connect(server);
    // Before the first price nothing moves, so all accounts read the same.
    await Promise.all(accounts.map((account) => account.check()));
    await setPrices(server);
    const invariants = await server.operator.getInvariants();
    expect(invariants).toMatchObject({ ok: true });
  }
  expect(acknowledgedBy(accounts)).toBeGreaterThan(400);
  expect(isProven()).toBe(true);
  expect(await server.stop()).toBe(0);
  expect(server.errors()).not.toContain('fault');
});

/** A start that does not live to be ready. */
async function killWhileStarting(data: string, milliseconds: number): Promise<void> {
  const dead = startServer({ data, flags, lifeMs: milliseconds });
  await dead.then(
    (server) => server.kill(),
    () => {},
  );
}
