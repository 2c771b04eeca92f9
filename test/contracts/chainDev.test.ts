// `npm run chain:dev` as a developer types it: a chain, a vault, an exchange, and wallets whose
// deposits are credited.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/createClient.ts';
import { cleanEnvironment } from '../fixtures/startServer.ts';
import { onChain } from './onChain.ts';

const script = join(import.meta.dirname, '../../scripts/chainDev.ts');

onChain('a chain for development', () => {
  test('VLT-1 binds the exchange to a vault, and the wallets have their deposits', async () => {
    const child = spawn(process.execPath, [script, '--port', '0', '--operator-port', '0'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: cleanEnvironment(),
    });
    const ended = once(child, 'exit');
    try {
      let http = '';
      for await (const line of createInterface({ input: child.stdout })) {
        http ||= /^evermark ready http=(\S+)/.exec(line)?.[1] ?? '';
        if (line.endsWith(': ready')) break;
      }
      const { native } = createClient({ baseUrl: http });
      for (;;) {
        const { vault } = await native.getVault();
        if (vault.deposit_total === '30000') break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const { vault } = await native.getVault();
      expect(vault).toMatchObject({ chain_id: 43113, deposit_count: 3, parked: '0' });
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(child.exitCode).toBe(0);
  });
});
