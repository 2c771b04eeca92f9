// Goal: of the processes on one log, the one with the lease runs the chain service, and when it is
// killed between the request of a withdrawal and its payment, the next one pays it once; what is
// deposited meanwhile counts once. Method: two real processes on a log in PostgreSQL beside a local
// chain that makes no block while the holder is killed, so that no payment can have come into one.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeDatabase, sharedServer } from '../log/postgres/openServers.ts';
import {
  bindTo,
  chainedFlags,
  createTrader,
  keepMining,
  login,
  nativeOf,
  until,
  walletOf,
} from './chainedExchange.ts';
import { onChain } from './onChain.ts';

const million = 1_000_000n;
const begins = 'the chain service begins';

onChain('the chain service of several processes', (open) => {
  test('VLT-2 VLT-4 kill -9 of the holder before a payment: the next one pays once', async () => {
    using temporary = createTemporaryDirectory();
    const stage = await open({ bucketCapacity: 10n ** 15n, instantMax: 10n ** 12n });
    const { chain, vault, token } = stage;
    await chain.ask('evm_setAutomine', false);
    let stopMining = keepMining(chain);
    onTestFinished(() => stopMining());
    const environment = {
      EVERMARK_CLUSTER_URL: await makeDatabase(sharedServer),
      EVERMARK_MASTER_KEY: '5a'.repeat(32),
    };
    const flags = [
      ...[...quietFlags, '--replicated-storage', '--log-level', 'info'],
      ...(await chainedFlags(stage, join(temporary.path, 'keys'))),
    ];
    const start = async (name: string, wanted: 'ready' | 'follows'): Promise<RunningServer> => {
      const data = join(temporary.path, name);
      const server = await startServer({ data, flags, environment, until: wanted });
      onTestFinished(() => server.kill());
      return server;
    };
    const trader = createTrader(1);
    const wallet = walletOf(trader);
    const deposit = async (units: bigint): Promise<void> => {
      await stage.fund(wallet, units);
      await vault.write(wallet, 'deposit', [wallet, units]);
    };
    const paidTotal = async (): Promise<bigint> => (await vault.read('paidTotal')) as bigint;
    const isCounted = (server: RunningServer, deposits: number) =>
      until(
        () => nativeOf(server).getVault(),
        (answer) => answer.vault.deposit_count === deposits,
      );
    const isHolder = (server: RunningServer) =>
      until(
        async () => (await fetch(`${server.http}/health`)).json() as Promise<{ role: string }>,
        ({ role }) => role === 'sequencer',
      );

    const [first, second] = ['a', 'b'];
    const a = await start(first!, 'ready');
    await bindTo(stage, a);
    await deposit(900n * million);
    await isCounted(a, 1);
    const b = await start(second!, 'follows');
    await isCounted(b, 1);
    expect((await a.operator.getOperatorVault()).service?.rounds).toBeGreaterThan(0);
    expect((await b.operator.getOperatorVault()).service).toBeNull();
    await login(a, trader);

    /** The holder is killed; gives the follower, which has become the holder. */
    const killBeforePayment = async (
      [holder, follower]: readonly [RunningServer, RunningServer],
      { amount, isSent }: { readonly amount: string; readonly isSent: boolean },
    ): Promise<void> => {
      await stopMining();
      const before = await paidTotal();
      const native = nativeOf(follower, trader.token);
      const { id } = await native.requestWithdrawal({ amount });
      const find = async () => (await native.listWithdrawals()).find((each) => each.id === id);
      // Then its transaction is on its way to a block.
      if (isSent) await until(find, (found) => found?.chain?.status === 'sent');
      await holder.kill();
      expect(follower.errors()).not.toContain(begins);
      expect(await paidTotal()).toBe(before);
      stopMining = keepMining(chain);
      await deposit(50n * million);
      await isHolder(follower);
      await until(find, (found) => found?.status === 'completed');
      expect(follower.errors()).toContain(begins);
    };
    await killBeforePayment([a, b], { amount: '40', isSent: true });
    const again = await start(first!, 'follows');
    await isCounted(again, 2);
    await killBeforePayment([b, again], { amount: '30', isSent: false });
    await isCounted(again, 3);

    // 900 and two deposits of 50 came, 40 and 30 left, each of them once.
    expect(await paidTotal()).toBe(70n * million);
    expect(await token.read('balanceOf', [wallet])).toBe(70n * million);
    expect(await token.read('balanceOf', [vault.address])).toBe(930n * million);
    const { ok, figures } = await again.operator.getInvariants();
    expect({ ok, ...figures }).toMatchObject({ ok: true, deposits: '1000', withdrawals: '70' });
    const solvency = await until(
      () => nativeOf(again).getSolvency(),
      ({ chain: compared }) => compared?.owed === '930',
    );
    expect(solvency.chain).toMatchObject({ held: '930', surplus: '0' });
    const standing = await again.operator.getOperatorVault();
    expect(standing.service).toMatchObject({ alarms: [] });
    expect(await again.stop()).toBe(0);
    const replayed = verifyDirectory(findDataDirectory(join(temporary.path, first!)));
    expect(replayed).toMatchObject({ ok: true });
  });
});
