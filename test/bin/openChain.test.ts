// What a start with a vault refuses before anything of its chain is asked.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ChainConfig, openChain } from '../../src/bin/openChain.ts';
import { createExchange } from '../../src/engine/exchange.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const config: ChainConfig = {
  ...{ chain: 43113, vault: `0x${'ab'.repeat(20)}`, rpc: 'http://a,http://b,http://c' },
  ...{ gasKey: '', signerKeys: '', maxGasFee: 100 },
} as ChainConfig;

async function open(changed: Partial<ChainConfig>): Promise<string> {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const opened = await openChain({
    config: { ...config, ...changed },
    journal: { info: say, warn: say, error: say, keepSecret: () => {} },
    replica: { exchange: createExchange(43113) },
    archivist: {},
  } as never);
  await opened?.stop();
  return said.join('\n');
}

function keyFile(text: string): string {
  const directory = createTemporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  const path = join(directory.path, 'key');
  writeFileSync(path, text);
  return path;
}

const key = `0x${'1'.repeat(64)}`;

test('a key in a file signs for play money alone', async () => {
  const signerKeys = keyFile(key);
  expect(await open({ signerKeys })).toContain('not bound to its vault yet');
  await expect(open({ signerKeys, chain: 43114 })).rejects.toThrow(
    '--signer-keys is for testnets: the money of chain 43114 is real',
  );
});

test('a vault without nodes, and files that hold no key, are refused', async () => {
  await expect(open({ rpc: '' })).rejects.toThrow('--vault needs --rpc');
  await expect(open({ gasKey: keyFile('0x12') })).rejects.toThrow('holds no key');
  await expect(open({ gasKey: '/nowhere/key' })).rejects.toThrow('A key cannot be read');
});
