// Goal: a process without the vault's flags never writes a log that is bound to a vault: it serves
// what it follows, and the next process that has them takes over. Method: real processes on one log
// in PostgreSQL; the nodes of the chain are away, which stops no trading.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeDatabase, sharedServer } from '../log/postgres/openServers.ts';

const vault = `0x${'ab'.repeat(20)}`;
const nodes = [1, 2, 3].map((place) => `http://127.0.0.1:1/?${place}`).join(',');
const vaultFlags = ['--vault', vault, '--rpc', nodes];

const roleOf = async ({ http }: RunningServer): Promise<string> => {
  const answer = (await (await fetch(`${http}/health`)).json()) as { readonly role: string };
  return answer.role;
};

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}

test('VLT-1 a process without --vault leaves the lease of a bound log to one that has it', async () => {
  using temporary = createTemporaryDirectory();
  const environment = {
    EVERMARK_CLUSTER_URL: await makeDatabase(sharedServer),
    EVERMARK_MASTER_KEY: '5a'.repeat(32),
  };
  const start = async (
    name: string,
    wanted: 'ready' | 'follows',
    more: readonly string[],
  ): Promise<RunningServer> => {
    const flags = [...quietFlags, '--replicated-storage', '--log-level', 'info', ...more];
    const data = join(temporary.path, name);
    const server = await startServer({ data, flags, environment, until: wanted });
    onTestFinished(() => server.kill());
    return server;
  };
  const first = await start('first', 'ready', vaultFlags);
  // It follows before the log is bound.
  const reader = await start('reader', 'follows', []);
  await first.operator.bindVault({
    ...{ chain_id: 43113, address: vault, token: `0x${'cd'.repeat(20)}`, token_decimals: 6 },
    ...{ code_hash: `0x${'ef'.repeat(32)}`, deploy_block: 1 },
  });
  await until(() => reader.errors().includes('this process has no --vault'));
  await first.kill();
  await until(() => reader.errors().includes('the lease is free: the money of the log'));
  expect(await roleOf(reader)).toBe('follower');
  const heir = await start('heir', 'ready', vaultFlags);
  expect(await roleOf(heir)).toBe('sequencer');
  expect(await roleOf(reader)).toBe('follower');
  expect(reader.errors()).not.toContain('this process has the lease');
});
