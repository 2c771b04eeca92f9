// Goal: with the log in PostgreSQL nothing acknowledged is lost, whatever dies. Method: accounts
// trade over HTTP with the process that has the lease. It is killed again and again, it stands
// still and wakes, and at last the primary of PostgreSQL is killed and its standby promoted. After
// each of these every account compares the answers that it received with what it finds.

import { afterEach, expect, test } from 'vitest';
import { createPrng } from '../../src/std/prng.ts';
import { quietFlags, type RunningServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { connect, makeDatabase, openPair } from '../log/postgres/openServers.ts';
import { acknowledgedBy, createRecoveryTrader, type RecoveryTrader } from './recoveryTrader.ts';
import { type Candidate, startCandidate } from './startCandidate.ts';
import { untilHistoryFollows } from './untilHistoryFollows.ts';

const kills = 4;
const traders = 3;
const requestsAtOnce = 2;
const flags = [...quietFlags, '--replicated-storage', '--segment-size', '1', '--log-level', 'info'];
flags.push('--snapshot-every', '1000', '--rate-limit-scale', '1000');

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill();
});

async function serving(candidate: Candidate): Promise<RunningServer> {
  const server = await candidate.server;
  servers.push(server);
  return server;
}

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

/** Keeps every account busy until its requests fail. */
async function load(accounts: readonly RecoveryTrader[]): Promise<void> {
  const busy = accounts.flatMap((account) =>
    Array.from({ length: requestsAtOnce }, async () => {
      while (await account.act()) {}
    }),
  );
  await Promise.all(busy);
}

async function untilAcknowledged(accounts: readonly RecoveryTrader[], more: number): Promise<void> {
  const enough = acknowledgedBy(accounts) + more;
  while (acknowledgedBy(accounts) < enough) await wait(20);
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Each account finds what its answers said. */
async function audit(accounts: readonly RecoveryTrader[], server: RunningServer): Promise<void> {
  for (const account of accounts) account.connect(server);
  await untilHistoryFollows(server);
  for (const account of accounts) await account.check();
  expect(await server.operator.getInvariants()).toMatchObject({ ok: true });
  await setPrices(server);
}

test('nothing acknowledged is lost: processes killed, one that wakes, the primary killed', {
  timeout: 1_500_000,
}, async () => {
  using one = createTemporaryDirectory();
  using two = createTemporaryDirectory();
  const { primary, standby } = await openPair();
  const url = await makeDatabase(primary, false);
  const urls = `${url},${standby.addressOf(new URL(url).pathname.slice(1))}`;
  const environment = { EVERMARK_CLUSTER_URL: urls, EVERMARK_MASTER_KEY: '7e'.repeat(32) };
  const start = (data: string): Candidate => startCandidate({ data, flags, environment });
  const accounts = Array.from({ length: traders }, (_, number) =>
    createRecoveryTrader(number, createPrng(501 + number)),
  );
  let [ofLeader, ofOther] = [one.path, two.path];
  let leader = await serving(start(ofLeader));
  await setPrices(leader);
  for (const account of accounts) {
    account.connect(leader);
    await account.login();
  }
  let other = start(ofOther);
  await other.waits;
  const takeOver = async (): Promise<void> => {
    leader = await serving(other);
    await audit(accounts, leader);
    [ofLeader, ofOther] = [ofOther, ofLeader];
  };

  for (let kill = 0; kill < kills; kill += 1) {
    const working = load(accounts);
    await untilAcknowledged(accounts, 40);
    await leader.kill();
    await working;
    await takeOver();
    other = start(ofOther);
    await other.waits;
  }

  // One that stands still while another takes over answers nothing, and ends when it wakes.
  const former = leader;
  process.kill(former.pid, 'SIGSTOP');
  const asked = fetch(`${former.http}/fapi/v1/ticker/price?symbol=BTCUSDT`).then(
    ({ status }) => status,
    () => 'broken',
  );
  await takeOver();
  process.kill(former.pid, 'SIGCONT');
  expect(await former.exited).toBe(3);
  expect(await asked).toBe('broken');
  expect(former.errors()).toContain('another process has taken over the lease of the log');

  const working = load(accounts);
  await untilAcknowledged(accounts, 40);
  await primary.kill();
  await wait(2500);
  await standby.promote();
  // The promoted server has no standby yet; the operator has declared replicated storage.
  const promoted = await connect(standby.addressOf('postgres'));
  await promoted.query("alter system set synchronous_standby_names = ''");
  await promoted.query('select pg_reload_conf()');
  await untilAcknowledged(accounts, 40);
  expect(leader.ended()).toBe(false);
  await leader.kill();
  await working;
  leader = await serving(start(ofLeader));
  await audit(accounts, leader);
  expect(acknowledgedBy(accounts)).toBeGreaterThan(240);
  expect(await leader.stop()).toBe(0);
});
