// Goal: money goes from a chain through the exchange and back, whenever the process is killed, and
// nothing of it is credited or paid twice. Method: the real program beside a local chain, killed
// between the steps and in them; at the end vault, wallets and log have the same figures (VLT-1).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { chainId } from '../../contracts/openLocalChain.ts';
import { signerAccounts, type Vault } from '../../contracts/openVault.ts';
import { freePort } from '../fixtures/freePort.ts';
import { runEvermark } from '../fixtures/runEvermark.ts';
import {
  cleanEnvironment,
  program,
  quietFlags,
  type RunningServer,
  startServer,
} from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import {
  bindTo,
  chainedFlags,
  createTrader,
  keepMining,
  login,
  nativeOf,
  threeTimes,
  until,
  vaultFlags,
  walletOf,
} from './chainedExchange.ts';
import { gasKey, giveCoins, signerKeys, writeKey } from './chainKeys.ts';
import { onChain } from './onChain.ts';

const million = 1_000_000n;

/** Of the vault's signers, in the order of their addresses. */
const keyOfSigner = (at: number): Hex =>
  signerKeys.find((key) => privateKeyToAccount(key).address === signerAccounts[at]!.address)!;

const swapCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();

type RunningSigner = Pick<RunningServer, 'kill' | 'stop' | 'errors'>;

/** `evermark chain signer serve`, when it serves. */
async function startSigner(words: readonly string[]): Promise<RunningSigner> {
  const child = spawn(process.execPath, [program, 'chain', 'signer', 'serve', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment(),
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const end = (signal: NodeJS.Signals) => (): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  const kill = async (): Promise<void> => void (await end('SIGKILL')());
  const failed = exited.then((code) => {
    throw new Error(`the signer ended with ${code}: ${errors}`);
  });
  await Promise.race([once(child.stdout, 'data'), failed]);
  failed.catch(() => {});
  return { kill, stop: end('SIGTERM'), errors: () => errors };
}

type Shown = { readonly transaction_hash: string | null; readonly block: number | null };

/** The transaction is one of the chain, in that block, and of this vault. */
async function expectPlace({ chain, vault }: Vault, shown: Shown): Promise<void> {
  const receipt = await chain.ask('eth_getTransactionReceipt', shown.transaction_hash);
  expect(receipt).toMatchObject({
    ...{ to: vault.address, status: '0x1', blockNumber: `0x${shown.block!.toString(16)}` },
  });
}

onChain('the whole exchange on a chain', (open) => {
  test('VLT-1 VLT-2 VLT-4 deposit, trade and withdraw with kills between and in the steps', async () => {
    using temporary = createTemporaryDirectory();
    const stage = await open({ bucketCapacity: 10n ** 15n, instantMax: 10n ** 12n });
    const { chain, vault, token } = stage;
    const stopMining = keepMining(chain);
    const data = join(temporary.path, 'data');
    const flags = [...quietFlags, ...(await chainedFlags(stage, join(temporary.path, 'keys')))];
    const start = (): Promise<RunningServer> => startServer({ data, flags });
    let server = await start();
    const restart = async (): Promise<void> => {
      await server.kill();
      server = await start();
    };
    try {
      const [alice, bob] = [createTrader(1), createTrader(2)];
      const deposit = async (account: Hex, units: bigint): Promise<void> => {
        await stage.fund(walletOf(alice), units);
        await vault.write(walletOf(alice), 'deposit', [account, units]);
      };
      await bindTo(stage, server);
      await expect(
        server.operator.creditAccount({ address: bob.wallet.address, amount: '5', reference: 'x' }),
      ).rejects.toMatchObject({ status: 409 });
      await server.operator.setWithdrawalTerms({ min: '5', fee: '0.5' });
      await deposit(walletOf(alice), 10_000n * million);
      // Before it is final, and before it is counted.
      await restart();
      await deposit(walletOf(bob), 10_000n * million);
      await deposit(vault.address, 500n * million);
      await until(
        () => server.operator.getOperatorVault(),
        ({ vault: { deposit_count: count } }) => count > 0,
      );
      await restart();
      await until(
        () => nativeOf(server).getVault(),
        (answer) => answer.vault.deposit_count === 3,
      );
      expect(await nativeOf(server).getInsuranceFund()).toMatchObject({ balance: '500' });
      for (const trader of [alice, bob]) await login(server, trader);
      await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
      const order = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.1', price: '50000' } as const;
      await nativeOf(server, bob.token).placeNativeOrder({ ...order, side: 'SELL' });
      await nativeOf(server, alice.token).placeNativeOrder({ ...order, side: 'BUY' });
      await restart();
      const asked = { amount: '400' };
      const made = await nativeOf(server, alice.token).requestWithdrawal(asked);
      // At once, then while it is signed and sent, and again before it is final.
      await restart();
      for (const state of ['sent', 'paid'] as const) {
        const paid = async (): Promise<bigint> => (await vault.read('paidTotal')) as bigint;
        await until(paid, (units) => state === 'sent' || units > 0n);
        await restart();
      }
      const listed = (): Promise<readonly { readonly id: string; readonly status: string }[]> =>
        nativeOf(server, alice.token).listWithdrawals();
      await until(listed, ([first]) => first?.status === 'completed');
      expect(await listed()).toMatchObject([{ id: made.id, status: 'completed', amount: '400' }]);
      // After all starts the places are looked up again.
      const [found] = await until(
        () => nativeOf(server, alice.token).listWithdrawals(),
        ([first]) => first?.chain?.transaction_hash != null,
      );
      await expectPlace(stage, found!.chain!);
      const [deposited] = await until(
        () => nativeOf(server, alice.token).listDeposits(),
        ([first]) => first?.chain?.transaction_hash != null,
      );
      expect(deposited!.chain).toMatchObject({ vault_index: 1, final: true });
      await expectPlace(stage, deposited!.chain!);
      expect((await nativeOf(server).getVault()).terms).toMatchObject({
        ...{ instant_max: '1000000', bucket_capacity: '1000000000', final_depth: null },
      });
      // 400 less the fee, once.
      expect(await token.read('balanceOf', [alice.wallet.address])).toBe(399_500_000n);
      expect(await vault.read('paidTotal')).toBe(399_500_000n);
      const { ok, figures } = await server.operator.getInvariants();
      expect({ ok, ...figures }).toMatchObject({
        ok: true,
        deposits: '20500',
        withdrawals: '399.5',
      });
      expect(await token.read('balanceOf', [vault.address])).toBe(20_100_500_000n);
      const standing = await until(
        () => server.operator.getOperatorVault(),
        ({ service }) => service !== null && service.rounds > 2,
      );
      expect(standing.service).toMatchObject({ alarms: [] });
      const expected = { owed: '20100.5', held: '20100.5', surplus: '0' };
      const solvency = await until(
        () => nativeOf(server).getSolvency(),
        ({ chain: compared }) => compared?.owed === expected.owed,
      );
      expect(solvency).toMatchObject({
        ...{ vault: vault.address, deposits: '20500', withdrawals: '399.5', owed: '20100.5' },
        chain: expected,
      });
      expect(await server.stop()).toBe(0);
    } finally {
      await stopMining();
      await server.kill();
    }
  });

  test('VLT-4 a key and a signer of another operator pay; without it a withdrawal waits', async () => {
    using temporary = createTemporaryDirectory();
    const stage = await open({ bucketCapacity: 10n ** 15n, instantMax: 10n ** 12n });
    const { chain, vault, token } = stage;
    await giveCoins(chain);
    const stopMining = keepMining(chain);
    const data = join(temporary.path, 'data');
    const write = (name: string, text: string): string => writeKey(temporary.path, name, text);
    const secret = '5'.repeat(64);
    const secretFile = write('secret', `0x${secret}`);
    const [own, peer] = [keyOfSigner(0), keyOfSigner(1)];
    const port = await freePort();
    const address = privateKeyToAccount(peer).address.toLowerCase();
    const server = await startServer({
      data,
      flags: [
        ...[...quietFlags, ...vaultFlags(stage), '--gas-key', write('gas', gasKey)],
        ...['--signer-keys', write('own', own)],
        ...['--signers', `peer:http://127.0.0.1:${port}#${address}:${secretFile}`],
      ],
    });
    const serve = () =>
      startSigner([
        ...[write('peer', peer), '--data', data, '--secret', secretFile],
        ...['--state', join(temporary.path, 'signed'), '--port', String(port), '--cap', '1000'],
      ]);
    let signer: RunningSigner | undefined;
    try {
      await bindTo(stage, server);
      const trader = createTrader(1);
      const wallet = walletOf(trader);
      await stage.fund(wallet, 900n * million);
      await vault.write(wallet, 'deposit', [wallet, 900n * million]);
      await until(
        () => nativeOf(server).getVault(),
        (answer) => answer.vault.deposit_count === 1,
      );
      await login(server, trader);
      const native = nativeOf(server, trader.token);
      const alarms = async (): Promise<string> =>
        (await server.operator.getOperatorVault()).service?.alarms.join('; ') ?? '';
      await native.requestWithdrawal({ amount: '40' });
      await until(alarms, (said) => said.includes('signaturesTooFew: 2 are needed'));
      // Also while the withdrawal is passed over.
      const { service } = await server.operator.getOperatorVault();
      await until(
        () => server.operator.getOperatorVault(),
        (later) => later.service!.rounds > service!.rounds + 3,
      );
      expect(await alarms()).toContain('signaturesTooFew: 2 are needed');
      expect(await alarms()).toContain(`signerFails: ${address}: 127.0.0.1:${port}:`);
      signer = await serve();
      const paid = (units: bigint): Promise<unknown> =>
        until(
          () => token.read('balanceOf', [wallet]),
          (held) => held === units,
        );
      await paid(40n * million);
      await signer.kill();
      await native.requestWithdrawal({ amount: '50' });
      await until(alarms, (said) => said.includes('signaturesTooFew'));
      signer = await serve();
      await paid(90n * million);
      await until(alarms, (said) => !said.includes('signaturesTooFew'));
      await until(
        () => native.listWithdrawals(),
        (all) => all.every(({ status }) => status === 'completed'),
      );
      const health = await fetch(`http://127.0.0.1:${port}/health`);
      expect(await health.json()).toMatchObject({ vault: vault.address, signer: address });
      expect(await signer.stop()).toBe(0);
      expect(await server.stop()).toBe(0);
      expect(server.errors() + signer.errors()).not.toContain(secret);
    } finally {
      await stopMining();
      await signer?.kill();
      await server.kill();
    }
  });

  test('VLT-1 the operator binds the log by its subcommand, and with another vault it does not start', async () => {
    using temporary = createTemporaryDirectory();
    const [stage, other] = [await open(), await open()];
    const { url } = stage.chain;
    const urls = threeTimes(url);
    const startWith = (vaulted: Vault): Promise<RunningServer> =>
      startServer({
        data: join(temporary.path, 'data'),
        flags: [...quietFlags, ...vaultFlags(vaulted)],
      });
    const server = await startWith(stage);
    const { block } = stage;
    const bind = (at: string, vault: string = stage.vault.address, nodes = urls) =>
      runEvermark(server, ['chain', 'bind', vault, '--rpc', nodes, '--block', at]);
    const refused = async (binding: ReturnType<typeof bind>, why: string): Promise<void> => {
      const { code, errors } = await binding;
      expect(errors).toContain(why);
      expect(code).toBe(1);
    };
    // A binding is for ever.
    expect(await bind('seven')).toMatchObject({ code: 2 });
    await refused(bind('999999'), 'there is no block 999999 yet');
    await refused(bind(`${block + 1}`), `the vault was there before block ${block + 1}`);
    await refused(bind(`${block - 1}`), `the vault comes after block ${block - 1}`);
    await refused(
      bind(`${other.block}`, other.vault.address),
      `the exchange runs with --vault ${stage.vault.address.toLowerCase()}`,
    );
    const wrong = `0x${stage.vault.address.slice(2).replace(/[a-fA-F]/, swapCase)}`;
    await refused(bind(`${block}`, wrong), `the checksum of ${wrong} is wrong`);
    await refused(bind(`${block}`, undefined, 'http://127.0.0.1:1'), 'the node 127.0.0.1:1: ');
    const bound = await bind(`${block}`);
    expect(bound.answer, bound.errors).toMatchObject({
      chain_id: chainId,
      vault: { address: stage.vault.address, token: stage.token.address, token_decimals: 6 },
    });
    const terms = await runEvermark(server, ['chain', 'terms', '--min', '5', '--fee', '1']);
    expect(terms.answer).toMatchObject({ withdrawal_min: '5', withdrawal_fee: '1' });
    const path = join(temporary.path, 'key');
    const made = await runEvermark(server, ['chain', 'signer', 'new', path]);
    expect((await runEvermark(server, ['chain', 'signer', 'show', path])).answer).toEqual(
      made.answer,
    );
    const status = await runEvermark(server, ['chain']);
    expect(status.answer).toMatchObject({ service: { gas_account: null } });
    await server.stop();
    await expect(startWith(other)).rejects.toThrow(/is bound to the vault/);
  });
});
