// Goal: a vault whose signers are a key, web3signer and another operator pays a withdrawal once,
// also while one of them lies; and when the exchange is dead, its signers pay by hand. Method: the
// committed contract on a local chain, a real log, the real doors of all signers, and subcommands.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hex, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { chainId } from '../../contracts/openLocalChain.ts';
import { addressOf, signerAccounts, type Vault } from '../../contracts/openVault.ts';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { openOwnReplica } from '../../src/bin/openOwnReplica.ts';
import { serveOwnSigner } from '../../src/bin/serveOwnSigner.ts';
import type { ChainEngine, FactResult } from '../../src/chain/chainEngine.ts';
import { chainRuleOf } from '../../src/chain/finalNumber.ts';
import { createRpcNode } from '../../src/chain/rpc/createRpcNode.ts';
import { createChainService, type Round } from '../../src/chain/service/createChainService.ts';
import { createGasAccount, createReadSigner } from '../../src/chain/signers/createLocalSigner.ts';
import {
  cappedChecks,
  createSigners,
  type SignerSettings,
  type SignersOptions,
} from '../../src/chain/signers/createSigners.ts';
import { viewOf } from '../../src/chain/viewOf.ts';
import { serveWeb3Signer } from '../chain/serveWeb3Signer.ts';
import { type BoundLog, openBoundLog } from '../fixtures/openBoundLog.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { onChain } from './onChain.ts';
import { typeChain } from './typeChain.ts';

const million = 1_000_000n;
const [alice, bob] = [addressOf('alice'), addressOf('bob')];
const gasKey = keccak256(toHex('gas'));
const secret = `0x${'07'.repeat(32)}` as const;

/** The keys of the vault's three signers, in the order of their addresses. */
const keys = Array.from({ length: 8 }, (_, at) => keccak256(toHex(`signer ${at}`)));
const keyOf = (at: number): Hex =>
  keys.find((key) => privateKeyToAccount(key).address === signerAccounts[at]!.address)!;

function writeKey(directory: string, name: string, key: Hex): string {
  const path = join(directory, name);
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return path;
}

/** A log in a directory that is bound to the vault, and the vault with a deposit. */
async function openStage(open: () => Promise<Vault>, data: string) {
  const stage = await open();
  const { chain, vault, token } = stage;
  await chain.ask('anvil_setBalance', privateKeyToAccount(gasKey).address, '0xde0b6b3a7640000');
  const codeHash = keccak256((await chain.ask('eth_getCode', vault.address, 'latest')) as Hex);
  const log = await openBoundLog(data, {
    ...{ address: vault.address, token: token.address, codeHash },
  });
  await stage.fund(alice, 50n * million);
  await vault.write(alice, 'deposit', [bob, 50n * million]);
  // The bucket of the vault fills within a day.
  await chain.pass(86_400);
  // What is requested now can be paid for a day of the chain.
  log.writer.clock.advance((await chain.now()) * 1000 - log.writer.clock.now());
  return { stage, log, codeHash };
}

const engineOf = ({ writer, submit }: BoundLog): ChainEngine => ({
  view: async (part) => viewOf(writer.state.exchange, part),
  submit: async (facts) => {
    const results: FactResult[] = [];
    for (const fact of facts) results.push(await submit(fact));
    return results;
  },
});

/** A signer of another operator, with its own replica of the same log. */
async function servePeer(directory: string, data: string, unitsPerHourMax = 100n * million) {
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let ended: Promise<void> = Promise.resolve();
  const serving = await new Promise<{ address: Hex; port: number }>((resolve, reject) => {
    ended = serveOwnSigner({
      directory: findDataDirectory(data),
      signer: { kind: 'key', key: keyOf(2) },
      secretFile: writeKey(directory, 'secret', secret),
      state: join(directory, 'peer'),
      ...{
        host: '127.0.0.1',
        port: 0,
        unitsPerHourMax,
        treeIntervalMs: 0,
        stopped,
        onServing: resolve,
      },
      journal: { info: () => {}, warn: () => {}, keepSecret: () => {} } as never,
    });
    ended.catch(reject);
  });
  return {
    url: `http://127.0.0.1:${serving.port}`,
    address: serving.address,
    [Symbol.asyncDispose]: () => {
      stop();
      return ended;
    },
  };
}

/** A chain service with these signers; each call settles the chain and is one round. */
function roundsOf(
  { stage, log, codeHash }: Awaited<ReturnType<typeof openStage>>,
  signers: readonly SignerSettings[],
  checkOf: SignersOptions['checkOf'],
): () => Promise<Round> {
  const { chain, vault } = stage;
  const rule = chainRuleOf(chainId);
  const place = { chainId, vault: vault.address };
  const service = createChainService({
    ...{ rule, codeHash, engine: engineOf(log) },
    nodes: [1, 2, 3].map(() => createRpcNode({ url: chain.url, vault: vault.address })),
    signers: createSigners({ rule, place, signers, checkOf }),
    readSigner: createReadSigner(place),
    gasAccount: createGasAccount(place, gasKey),
    maxFeeLimit: 10n ** 10n,
    paymentsPerBatchMax: 200,
  });
  return async () => {
    await chain.bury(10);
    await log.idle();
    return service.round();
  };
}

/** The same with a key and a peer, which alone checks; the deposit of the stage is credited. */
async function roundsWith(
  { url, address }: Pick<Awaited<ReturnType<typeof servePeer>>, 'url' | 'address'>,
  opened: Awaited<ReturnType<typeof openStage>>,
): Promise<() => Promise<Round>> {
  const peer = { kind: 'peer', url, address, secret } as const;
  const round = roundsOf(opened, [{ kind: 'key', key: keyOf(0) }, peer], () => async () => {});
  for (let rounds = 0; rounds < 3; rounds += 1) await round();
  return round;
}

onChain('a vault with signers elsewhere', (open) => {
  test('a key, web3signer and another operator sign; who lies is left out, and it is paid once', async () => {
    using temporary = createTemporaryDirectory();
    const data = join(temporary.path, 'data');
    const { stage, log, codeHash } = await openStage(open, data);
    const { vault, token } = stage;
    using web3signer = await serveWeb3Signer(keyOf(1));
    await using peer = await servePeer(temporary.path, data);
    const own = await openOwnReplica(findDataDirectory(data), { report: () => {} });
    const round = roundsOf(
      { stage, log, codeHash },
      [
        { kind: 'key', key: keyOf(0) },
        { kind: 'web3signer', url: web3signer.url, identifier: web3signer.address },
        { kind: 'peer', url: peer.url, address: peer.address, secret },
      ],
      cappedChecks({
        ...{ replica: own, unitsPerHourMax: 100n * million, directory: temporary.path },
        interval: 3600n,
      }),
    );
    for (let rounds = 0; rounds < 3; rounds += 1) await round();
    expect(log.writer.state.exchange.vault.depositCount).toBe(1);
    const modes = ['honest', 'highS', 'lowV', 'otherKey', 'failing'] as const;
    for (const [at, mode] of modes.entries()) {
      web3signer.mode = mode;
      const asked = web3signer.asked.length;
      await log.request(bob, 1_000_000);
      const { sent, alarms } = await round();
      expect(sent, mode).toBe('pay');
      expect(web3signer.asked.length).toBe(asked + 1);
      expect(alarms.map(({ name }) => name)).toEqual(mode === 'honest' ? [] : ['signerFails']);
      await round();
      expect(await token.read('balanceOf', [bob]), mode).toBe(BigInt(at + 1) * million);
    }
    await round();
    expect(await vault.read('paidTotal')).toBe(5n * million);
    expect(log.writer.state.exchange.funds.withdrawals).toBe(5n * million);
    own.close();
    await log.writer.close();
  });

  test('a peer whose cap is reached signs no more, also after its restart', async () => {
    using temporary = createTemporaryDirectory();
    const data = join(temporary.path, 'data');
    const { stage, log } = await openStage(open, data);
    await log.deposit(bob, 50_000_000);
    const place = { chainId, vault: stage.vault.address };
    const paymentOf = async () => {
      const id = await log.request(bob, 6_000_000);
      await log.idle();
      const { open: all } = viewOf(log.writer.state.exchange, { from: 0, count: 9 });
      return all.filter((each) => each.id === id).map(({ state: _, ...payment }) => payment);
    };
    const sign = async (payments: Awaited<ReturnType<typeof paymentOf>>): Promise<Hex> => {
      await using peer = await servePeer(temporary.path, data, 10n * million);
      const { url, address } = peer;
      const [signer] = createSigners({
        ...{ rule: chainRuleOf(chainId), place },
        signers: [{ kind: 'peer', url, address, secret }],
        checkOf: () => async () => {},
      });
      return await signer!.sign({ action: 'pay', payments });
    };
    const [first, second] = [await paymentOf(), await paymentOf()];
    await sign(first);
    await expect(sign(second)).rejects.toThrow('capReached');
    await sign(first);
    await log.writer.close();
  });

  test('a batch above the cap of a signer is paid in smaller ones', async () => {
    using temporary = createTemporaryDirectory();
    const data = join(temporary.path, 'data');
    const opened = await openStage(open, data);
    const { stage, log } = opened;
    await using peer = await servePeer(temporary.path, data, 10n * million);
    const round = await roundsWith(peer, opened);
    for (const units of [4_000_000, 4_000_000, 4_000_000]) await log.request(bob, units);
    const { sent, alarms } = await round();
    expect(sent).toBeUndefined();
    expect(alarms.map(({ detail }) => detail)).toEqual([
      `${peer.address}: capReached: it signs 10000000 units in an hour, and this makes 12000000`,
      '2 are needed',
    ]);
    for (let rounds = 0; rounds < 4; rounds += 1) await round();
    expect(await stage.vault.read('paidTotal')).toBe(8n * million);
    // The rest of the cap is too small for the third, which is tried again after a minute.
    // Meanwhile the alarms stand.
    const { sent: none, alarms: standing } = await round();
    expect(none).toBeUndefined();
    expect(standing.map(({ name }) => name)).toEqual(['signerFails', 'signaturesTooFew']);
    await stage.chain.pass(60);
    expect((await round()).alarms[0]?.detail).toContain('capReached');
    expect(await stage.vault.read('paidTotal')).toBe(8n * million);
    await log.writer.close();
  });

  test('one withdrawal above the cap of a signer keeps no later one back', async () => {
    using temporary = createTemporaryDirectory();
    const data = join(temporary.path, 'data');
    const opened = await openStage(open, data);
    const { stage, log } = opened;
    await using peer = await servePeer(temporary.path, data, 3n * million);
    const round = await roundsWith(peer, opened);
    for (const units of [4_000_000, 1_000_000, 2_000_000]) await log.request(bob, units);
    // Three are above the cap, and so is the first one alone; then the others are paid.
    for (let rounds = 0; rounds < 6; rounds += 1) await round();
    expect(await stage.vault.read('paidTotal')).toBe(3n * million);
    await log.writer.close();
  });

  test('VLT-4 signers on two machines pay by hand what the log has open, without an exchange', async () => {
    using temporary = createTemporaryDirectory();
    const { path } = temporary;
    const data = join(path, 'data');
    const { stage, log } = await openStage(open, data);
    const { chain, vault, token } = stage;
    await log.deposit(bob, 50_000_000);
    const ids = [await log.request(bob, 2_000_000), await log.request(bob, 3_000_000)];
    await log.writer.close();
    using web3signer = await serveWeb3Signer(keyOf(1));
    const doorOf = (url: string): string => `web3signer:${url}#${web3signer.address}`;
    const withPassword = doorOf(web3signer.url.replace('://', '://name:correct-horse@'));
    const environment = { EVERMARK_DATA: data, OTHER_SIGNER: withPassword };
    const typed = (...words: string[]) => typeChain(['pay', ...words], environment);
    const [one, two, gas] = [
      writeKey(path, 'one', keyOf(0)),
      writeKey(path, 'two', keyOf(1)),
      writeKey(path, 'gas', gasKey),
    ];
    const stranger = writeKey(path, 'stranger', keyOf(7));
    const batch = join(path, 'batch.json');
    const uuids = ids.map((id) =>
      id.replace(/^0x(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    );
    const prepared = await typed('prepare', batch);
    expect(prepared).toMatchObject({
      code: 0,
      answer: { usdt: '5', payments: uuids.map((id) => ({ id, to: bob })), signed_by: [] },
    });
    expect((await typed('prepare', batch)).errors).toContain('EEXIST');
    // Each machine has a copy of its own.
    const copy = join(path, 'copy.json');
    writeFileSync(copy, readFileSync(batch));
    const send = (...files: string[]) => typed('send', ...files, '--rpc', chain.url, '--key', gas);
    expect((await typed('sign', batch, one)).answer.signed_by).toEqual([
      signerAccounts[0]!.address.toLowerCase(),
    ]);
    expect((await typed('sign', copy, stranger)).code).toBe(0);
    expect((await send(batch, copy)).errors).toContain(
      'the signatures are too few: 2 signers of the vault must sign',
    );
    // A batch that asks for more than was requested gets no signature.
    const forged = join(path, 'forged.json');
    writeFileSync(forged, readFileSync(batch, 'utf8').replace('"2000000"', '"2000001"'));
    expect((await typed('sign', forged, two)).errors).toContain('notRequested');
    expect((await send(batch, forged)).errors).toContain('the files do not hold the same batch');
    const shown = await typed('sign', copy, withPassword);
    expect(shown.errors).toContain('This would show a password to every process');
    expect(shown.errors).not.toContain('horse');
    web3signer.mode = 'otherKey';
    expect((await typed('sign', copy, 'env:OTHER_SIGNER')).errors).toContain('has not signed');
    web3signer.mode = 'honest';
    const signed = await typed('sign', copy, 'env:OTHER_SIGNER');
    expect(web3signer.asked.at(-1)!.authorization).toBe(`Basic ${btoa('name:correct-horse')}`);
    expect(signed.answer.signed_by).toHaveLength(2);
    // A peer needs no log here: it has its own.
    const remote = join(path, 'remote.json');
    writeFileSync(remote, readFileSync(batch));
    {
      await using peer = await servePeer(path, data);
      const name = `peer:${peer.url}#${peer.address}:${join(path, 'secret')}`;
      const byPeer = await typed('sign', remote, name, '--data', path);
      expect(byPeer.answer.signed_by, byPeer.errors).toContain(peer.address);
    }
    // A forged signature beside good ones is left out.
    const spoilt = JSON.parse(readFileSync(copy, 'utf8'));
    const third = signerAccounts[2]!.address.toLowerCase();
    spoilt.signatures.push({ signer: third, signature: spoilt.signatures[0].signature });
    writeFileSync(copy, JSON.stringify(spoilt));
    const sent = await send(batch, copy);
    expect(sent.errors).toBe('');
    expect(sent.answer.states).toEqual(Object.fromEntries(uuids.map((id) => [id, 'paid'])));
    expect(await token.read('balanceOf', [bob])).toBe(5n * million);
    // Sent again, it pays nothing again.
    expect((await send(batch, copy)).code).toBe(0);
    expect(await vault.read('paidTotal')).toBe(5n * million);
    // The exchange that starts later learns it from the chain: a withdrawal that was never `sent`.
    const later = await openBoundLog(data);
    for (const id of ids) {
      const fact = { kind: 'withdrawal', id, fact: 'paid', blockTime: 1n } as const;
      expect(await later.submit(fact)).toBe('taken');
    }
    await later.writer.close();
    expect((await typed('sign', batch, two)).errors).toContain('notRequested');
    expect((await typed('prepare', join(path, 'none.json'))).errors).toContain('batchEmpty');
  });
});
