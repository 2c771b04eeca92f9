// What a start with a vault refuses before anything of its chain is asked.

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ChainConfig, openChain } from '../../src/bin/openChain.ts';
import { readKeyFile } from '../../src/bin/readSigner.ts';
import { createExchange } from '../../src/engine/exchange.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const config: ChainConfig = {
  ...{ chain: 43113, vault: `0x${'ab'.repeat(20)}`, rpc: 'http://a,http://b,http://c' },
  ...{ gasKey: '', signerKeys: '', signers: '', signerCap: 1000, maxGasFee: 100 },
} as ChainConfig;

async function open(changed: Partial<ChainConfig>, kept: string[] = []): Promise<string> {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const opened = await openChain({
    config: { ...config, data: dataDirectory(), ...changed },
    journal: {
      info: say,
      warn: say,
      error: say,
      keepSecret: (secret: string) => kept.push(secret),
    },
    replica: { exchange: createExchange(43113) },
    archivist: {},
  } as never);
  await opened?.stop();
  return said.join('\n');
}

function dataDirectory(): string {
  const directory = createTemporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return directory.path;
}

function keyFile(text: string, mode = 0o600): string {
  const path = join(dataDirectory(), 'key');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const key = `0x${'1'.repeat(64)}`;

test('a key in a file signs for play money alone', async () => {
  const signerKeys = keyFile(key);
  expect(await open({ signerKeys })).toContain('not bound to its vault yet');
  await expect(open({ signerKeys, chain: 43114 })).rejects.toThrow(
    'Keys in files are for testnets: the money of chain 43114 is real',
  );
});

test('a vault without nodes, and files that hold no key, are refused', async () => {
  await expect(open({ rpc: '' })).rejects.toThrow('--vault needs --rpc');
  await expect(open({ gasKey: keyFile('0x12') })).rejects.toThrow('holds no key');
  await expect(open({ gasKey: '/nowhere/key' })).rejects.toThrow('A key cannot be read');
});

const isWindows = process.platform === 'win32';

test.skipIf(isWindows)(
  'a key that others may read is refused by its file and its mode',
  async () => {
    for (const mode of [0o640, 0o604, 0o620, 0o602, 0o601, 0o644]) {
      const path = keyFile(key, mode);
      const refusal = `may use ${path} (its mode is ${mode.toString(8)}): chmod 600 it`;
      await expect(open({ gasKey: path })).rejects.toThrow(refusal);
      await expect(open({ signerKeys: path })).rejects.toThrow(refusal);
      const signers = `peer:https://a#0x${'cd'.repeat(20)}:${path}`;
      await expect(open({ signers })).rejects.toThrow(refusal);
    }
    for (const mode of [0o600, 0o400, 0o700]) expect(readKeyFile(keyFile(key, mode))).toBe(key);
  },
);

test('one node of this machine under several names is said at the start', async () => {
  const rpc = 'http://127.0.0.1:9/?1,http://127.0.0.1:9/?2,http://c';
  expect(await open({ rpc })).toContain('nodes 1, 2 of --rpc are one node of this machine');
  expect(await open({})).not.toContain('are one node');
});

test('signers elsewhere sign on every chain, and nothing of them that is secret is written', async () => {
  const address = `0x${'cd'.repeat(20)}`;
  const secret = keyFile(key);
  const signers = [
    `web3signer:https://name:correct-horse@signer.example#${address}`,
    `peer:https://peer.example#${address}:${secret}`,
  ].join(',');
  const kept: string[] = [];
  for (const chain of [43114, 43113, 42161, 421614, 56] as const) {
    expect(await open({ chain, signers }, kept)).toContain('not bound to its vault yet');
  }
  expect(kept).toContain('correct-horse');
  expect(kept).toContain('1'.repeat(64));
  await expect(open({ signers: `peer:https://a#${address}:/nowhere/secret` })).rejects.toThrow(
    'A key cannot be read',
  );
});
