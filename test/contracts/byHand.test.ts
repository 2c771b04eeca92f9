// Goal: an operator deploys a vault, and its guardians stop it, by commands that need no running
// exchange; what the contract or the chain refuses is refused by name. Method: the subcommand with
// its own output, on a local chain; nodes that are elsewhere are small servers.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { openLocalChain } from '../../contracts/openLocalChain.ts';
import { createRpcNode } from '../../src/chain/rpc/createRpcNode.ts';
import { readVault } from '../../src/chain/rpc/readVault.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { onChain } from './onChain.ts';
import { serveLies, type Typed, typeChain as typed } from './typeChain.ts';

/** Serves one chain id and nothing else. */
async function serveChainId(chainId: number) {
  const server = createServer((request, response) => {
    request.resume();
    response.end(JSON.stringify([{ id: 0, result: `0x${chainId.toString(16)}` }]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.dispose]: () => void server.close() };
}

const lies = {
  eth_getTransactionCount: '0x63',
  eth_maxPriorityFeePerGas: '0xffffffffffff',
  eth_getTransactionReceipt: { status: '0x0', blockNumber: '0x1', gasUsed: '0x1' },
};

onChain('the vault by hand', () => {
  test('VLT-1 a vault is deployed, paused, ended in its pause, and a queued payment cancelled', async () => {
    using place = createTemporaryDirectory();
    const chain = await openLocalChain();
    try {
      const pathOf = (name: string): string => join(place.path, name);
      const address: Record<string, string> = {};
      for (const name of ['gas', 'one', 'two', 'three', 'guardian', 'admin', 'keeper']) {
        const made = await typed(['signer', 'new', pathOf(name)]);
        address[name] = made.answer.address as string;
        await chain.ask('anvil_setBalance', address[name], '0x3635c9adc5dea00000');
      }
      const setup = {
        token: 'test',
        admin: address.admin,
        admin_delay: 86_400,
        signers: [address.three, address.one, address.two],
        threshold: 2,
        guardians: [address.guardian],
        keeper: address.keeper,
        minimum_deposit: '1',
        bucket_capacity: '10000',
        instant_max: '4000.5',
        queue_delay: 21_600,
        exit_silence: 1_209_600,
      };
      const file = pathOf('vault.json');
      const by = (name: string): string[] => ['--rpc', chain.url, '--key', pathOf(name)];
      const deploy = (changes: object): Promise<Typed> => {
        writeFileSync(file, JSON.stringify({ ...setup, ...changes }));
        return typed(['deploy', file, ...by('gas')]);
      };
      for (const [changes, reason] of [
        [{ token: '0x12' }, '"token": 0x and 40 hex digits are needed'],
        [{ admin: `0x${'0'.repeat(40)}` }, '"admin": the address zero belongs to no key'],
        [{ signers: [address.one, address.one] }, '"signers": an address is there twice'],
        [{ admin: '0x52908400098527886E0F7030069857D2E4169Ee7' }, 'a digit of it is mistyped'],
        [{ threshold: 1 }, '"threshold": more than half of the 3 signers must sign'],
        [{ threshold: 4 }, '"threshold": more than half of the 3 signers must sign'],
        [{ guardians: [] }, '"guardians": at least one must be able to pause'],
        [{ instant_max: 4000 }, '"instant_max": an amount of USDT as text is needed'],
        [{ instant_max: '0.0000001' }, '"instant_max": an amount of USDT as text is needed'],
        [{ queue_delay: -1 }, '"queue_delay": a whole number is needed'],
        [{ queue_dealy: 1 }, '"queue_dealy": there is no such member'],
        // What only the contract knows: an instant payment above the bucket, a delay of a minute.
        [{ queue_delay: 60 }, 'the contract refuses: '],
      ] as const) {
        const refused = await deploy(changes);
        expect(refused.errors).toContain(reason);
        expect(refused.code).toBe(1);
      }
      await chain.ask('anvil_setBalance', address.gas, '0x1');
      const poor = await deploy({});
      expect(poor.code).toBe(1);
      expect(poor.errors).toMatch(
        /^the account 0x\w{40} cannot pay for the gas: it has 0\.0{17}1 of the chain's coin, and this transaction may cost 0\.\d+; nothing was sent$/m,
      );
      expect(poor.errors).not.toContain('look it up');
      expect(poor.errors.toLowerCase()).toContain(address.gas!);
      await chain.ask('anvil_setBalance', address.gas, '0x3635c9adc5dea00000');
      const { code, answer } = await deploy({});
      expect(code).toBe(0);
      const vault = answer.vault as Hex;
      const facts = await readVault([chain.url], vault);
      expect(facts).toMatchObject({ chainId: 43113, token: answer.token, tokenDecimals: 6 });
      const empty = readVault([chain.url], address.gas as Hex);
      await expect(empty).rejects.toThrow('on chain 43113: no code was found there');
      await expect(readVault([chain.url], answer.token as Hex)).rejects.toThrow(
        /is not a vault of Evermark: the code of another contract was found there, \d+ bytes with the hash 0x\w{64}, which does not answer token, scale, /,
      );
      expect(answer.bind).toBe(
        `evermark chain bind ${vault} --rpc URL,URL,URL --block ${answer.block}`,
      );
      const node = createRpcNode({ url: chain.url, vault });
      const isPaused = async (): Promise<boolean> =>
        (await node.observe((await node.heads()).latest)).isPaused;
      const { hash } = await node.observe((await node.heads()).latest);
      expect(await node.signerSet(hash)).toEqual({
        signers: [...setup.signers].sort(),
        threshold: 2,
      });
      const stranger = await typed(['pause', vault, ...by('one')]);
      expect(stranger.code).toBe(1);
      expect(stranger.errors).toContain('the contract refuses: AccessControlUnauthorizedAccount(');
      expect(await isPaused()).toBe(false);
      expect((await typed(['pause', vault, ...by('guardian')])).code).toBe(0);
      expect(await isPaused()).toBe(true);
      expect((await typed(['pause', vault, ...by('guardian')])).errors).toContain('EnforcedPause');
      expect((await typed(['unpause', vault, ...by('guardian')])).code).toBe(1);
      expect((await typed(['unpause', vault, ...by('admin')])).code).toBe(0);
      expect(await isPaused()).toBe(false);
      const id = '01234567-89ab-4def-8123-456789abcdef';
      const cancelled = await typed(['cancel', vault, id, ...by('guardian')]);
      expect(cancelled).toMatchObject({ code: 0, answer: { states: { [id]: 'none' } } });
      const elsewhere = `0x${'12'.repeat(20)}`;
      const none = await typed(['pause', elsewhere, ...by('guardian')]);
      expect(none.errors).toContain(`there is no contract at ${elsewhere}`);
      // One node of three lies about the nonce and about what became of it, another one is away.
      using liar = await serveLies(chain.url, lies);
      const nodes = [liar.url, 'http://127.0.0.1:1', chain.url, `${chain.url}/?again`].join(',');
      const honest = ['--rpc', nodes, '--key', pathOf('guardian')];
      expect((await typed(['pause', vault, ...honest])).code).toBe(0);
      expect(await isPaused()).toBe(true);
      expect((await typed(['cancel', vault, id, ...by('one')])).code).toBe(1);
    } finally {
      await chain.close();
    }
  });
});

test('VLT-1 a vault is deployed on testnets alone, and all nodes serve one chain', async () => {
  using place = createTemporaryDirectory();
  using mainnet = await serveChainId(43_114);
  using testnet = await serveChainId(43_113);
  const key = join(place.path, 'key');
  await typed(['signer', 'new', key]);
  const shown = await typed(['signer', 'show', key]);
  expect(shown.answer.address).toMatch(/^0x[0-9a-f]{40}$/);
  expect(readFileSync(key, 'utf8')).toMatch(/^0x[0-9a-f]{64}\n$/);
  expect((await typed(['signer', 'new', key])).errors).toContain('EEXIST');
  const deploy = (rpc: string) => typed(['deploy', 'vault.json', '--rpc', rpc, '--key', key]);
  expect((await deploy(mainnet.url)).errors).toContain('on testnets alone, 43113 and 421614');
  const both = await deploy(`${testnet.url},${mainnet.url}`);
  expect(both.errors).toContain('the nodes serve chains 43113, 43114');
});

test.each([
  [['deploy']],
  [['deploy', 'vault.json']],
  [['deploy', 'vault.json', '--rpc', 'http://127.0.0.1:1']],
  [['pause', '0x12', '--rpc', 'http://127.0.0.1:1', '--key', 'key']],
  [['pause', `0x${'1'.repeat(40)}`, 'more', '--rpc', 'http://127.0.0.1:1', '--key', 'key']],
  [['cancel', `0x${'1'.repeat(40)}`, '--rpc', 'http://127.0.0.1:1', '--key', 'key']],
  [['cancel', `0x${'1'.repeat(40)}`, '12', '--rpc', 'http://127.0.0.1:1', '--key', 'key']],
  [['signer', 'new']],
  [['pause', '--nodes', 'x']],
])('VLT-1 what matches no usage gets the usage: %s', async (words) => {
  const { code, errors } = await typed(words);
  expect(code).toBe(2);
  expect(errors).toContain('chain deploy SETUP.json');
});
