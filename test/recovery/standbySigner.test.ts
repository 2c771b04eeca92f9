// Goal: a signer of another operator makes its replica of the local copy of a standby, on its own
// machine, and follows it while that standby follows, is started again, and takes over. Method: two
// processes on one log in PostgreSQL, and the signer's replica beside the second one.

import { expect, onTestFinished, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { type OwnReplica, openOwnReplica } from '../../src/bin/openOwnReplica.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { bindVaultCommand, vaultAddress } from '../engine/depositChain.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeDatabase, sharedServer } from '../log/postgres/openServers.ts';

/** The nodes of the chain are away, which stops no trading; without a vault none takes over. */
const nodes = [1, 2, 3].map((place) => `http://127.0.0.1:1/?${place}`).join(',');
const flags = [
  ...[...quietFlags, '--replicated-storage', '--segment-size', '1'],
  ...['--vault', vaultAddress, '--rpc', nodes],
];

test('VLT-4 a signer follows the copy of a standby, also when it takes over', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const leader = await startServer({ data: first.path, flags, environment });
  onTestFinished(() => leader.kill());
  const { address, token, tokenDecimals, codeHash, deployBlock } = bindVaultCommand;
  await leader.operator.bindVault({
    ...{ chain_id: 43113, address, token, token_decimals: tokenDecimals },
    ...{ code_hash: codeHash, deploy_block: deployBlock },
  });
  const standby = async (): Promise<RunningServer> => {
    const until = 'follows' as const;
    const started = await startServer({ data: second.path, flags, environment, until });
    onTestFinished(() => started.kill());
    return started;
  };
  const former = await standby();
  let now = 0;
  const open = (): Promise<OwnReplica> =>
    openOwnReplica(findDataDirectory(second.path), { report: () => {}, stopwatch: () => now });
  let own = await open().catch(() => undefined);
  while (own === undefined) {
    // Its copy has the binding a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    own = await open().catch(() => undefined);
  }
  const replica = own;
  expect(replica.place.vault).toBe(vaultAddress);
  const reaches = async ({ http }: Pick<RunningServer, 'http'>): Promise<void> => {
    const { position } = (await (await fetch(`${http}/health`)).json()) as { position: number };
    await expect
      .poll(async () => {
        now += 31_000;
        await replica.follow();
        return replica.standing().position;
      })
      .toBeGreaterThanOrEqual(position);
  };
  const trade = async ({ operator }: RunningServer): Promise<void> => {
    for (let at = 0; at < 20; at += 1) {
      await operator.setIndexPrice({ symbol: 'BTCUSDT', price: String(100_000 + at) });
    }
  };
  await trade(leader);
  await reaches(leader);
  // Its copy is checked and perhaps made anew at a start.
  await former.kill();
  await trade(leader);
  const next = await standby();
  await reaches(leader);
  await leader.kill();
  await expect
    .poll(async () => (await fetch(`${next.http}/health`)).json())
    .toMatchObject({ role: 'sequencer' });
  await trade(next);
  await reaches(next);
  expect(await replica.isConserved()).toBe(true);
  expect(await next.stop()).toBe(0);
  now += 31_000;
  await replica.follow();
  expect(replica.standing().position).toBe(
    verifyDirectory(findDataDirectory(second.path)).position,
  );
  replica.close();
});
