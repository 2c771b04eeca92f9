// Goal: a user leaves without the exchange, with the published tree and nodes of the chain alone,
// and gets exactly what the command has said. Method: the subcommand with its own output on a local
// chain; a seeded twin compares its plan with what the contract then pays. What a forged proof, a
// lowered sum or a doubled account does is in exit.test.ts.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { type Anchored, anchorOver, type Owed } from '../../contracts/anchorOver.ts';
import { addressOf, setup, type Vault } from '../../contracts/openVault.ts';
import { readArtifact } from '../../src/chain/artifact.ts';
import { canLeave, planExit } from '../../src/chain/exit/planExit.ts';
import { readExit } from '../../src/chain/rpc/readExit.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import { proveWallet } from '../../src/solvency/tree.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { threeTimes } from './chainedExchange.ts';
import { onChain } from './onChain.ts';
import { serveLies, type Typed, typeChain } from './typeChain.ts';
import { deposit, pay } from './vaultSteps.ts';

const names = ['alice', 'bob', 'carol', 'dave', 'erin'];
const [alice, bob, carol, dave, erin] = names.map(addressOf) as [Hex, Hex, Hex, Hex, Hex];
const million = 1_000_000n;
const key = keccak256(toHex('a key that pays for gas'));

type Transaction = { readonly to: Hex; readonly data: Hex; readonly does: string };

async function anchored(
  stage: Vault,
  owed: readonly Owed[],
  changes: Partial<Anchor> = {},
): Promise<Anchored> {
  const made = await anchorOver(stage, owed, changes);
  await stage.vault.write(erin, 'anchor', [made.anchor, await stage.signAnchor(made.anchor)]);
  return made;
}

const heldBy = ({ token }: Vault, account: Hex): Promise<bigint> =>
  token.read('balanceOf', [account]) as Promise<bigint>;

const silence = ({ chain }: Vault): Promise<void> => chain.pass(Number(setup.exitSilence) + 1);

/** Files of this test, and the subcommand with the vault and three nodes. */
function terminalOf({ chain, vault }: Vault) {
  const directory = createTemporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  const write = (name: string, text: string): string => {
    const path = join(directory.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const place = ['--vault', vault.address, '--rpc', threeTimes(chain.url)];
  const exit = (file: string, wallet: Hex, ...more: string[]): Promise<Typed> =>
    typeChain(['exit', file, '--wallet', wallet, ...place, ...more]);
  return { write, exit, keyFile: write('key', `${key}\n`) };
}

const transactionsOf = ({ answer }: Typed): readonly Transaction[] =>
  answer.transactions as Transaction[];

const doneBy = ({ answer }: Typed): readonly string[] =>
  ((answer.transactions ?? answer.sent) as Transaction[]).map(({ does }) => does);

onChain('leaving by the published tree', (open) => {
  test('VLT-8 a wallet sees what it is due, sends what is listed, and is paid exactly that', async () => {
    const stage = await open();
    const { vault, chain } = stage;
    const { write, exit, keyFile } = terminalOf(stage);
    await chain.ask('anvil_setBalance', privateKeyToAccount(key).address, '0xde0b6b3a7640000');
    await deposit(stage, alice, 100n * million);
    await deposit(stage, vault.address, 30n * million);
    await chain.pass(86_400);
    await pay(stage, 'before', bob, 5n * million);
    const first = await anchored(stage, [{ account: alice, units: 125n * million }]);
    const made = await anchored(stage, [
      { account: alice, units: 70n * million },
      { account: bob, units: 25n * million, withdrawn: 5n * million },
      { account: vault.address, units: 30n * million },
    ]);
    const file = write('tree', made.file);
    await deposit(stage, alice, 8n * million);
    await deposit(stage, dave, 2n * million);
    await pay(stage, 'after', alice, 60n * million);
    await deposit(stage, dave, 3n * million);
    const shown = await exit(file, alice);
    expect(shown).toMatchObject({
      ...{ code: 0, errors: '' },
      answer: {
        ...{ chain_id: 43_113, vault: vault.address, wallet: alice },
        anchor: { epoch: 2, log_position: 2000 },
        exit: { opened_at: null, held: '78', owed: '138', share: '0.565217' },
        ...{ leaf: '70', deposits_since: '8', paid_since: '60', due: '18' },
        ...{ collected: '0', collects: '18', transactions: [] },
      },
    });
    const until = Number(await vault.read('anchoredAt')) + Number(setup.exitSilence);
    const opens = new Date(until * 1000).toISOString();
    expect(shown.answer.exit).toMatchObject({ opens_after: opens });
    const early = await exit(file, alice, '--key', keyFile);
    expect(early.code).toBe(1);
    expect(early.errors).toContain(`the exit is not open: an anchor came at `);
    expect(early.errors).toContain(`it may be opened after ${opens}`);
    const old = await exit(write('old', first.file), alice);
    expect(old.code).toBe(1);
    expect(old.errors).toContain('this is the tree of batch 1000, and not the file');
    expect(old.errors).toContain('that is the tree of batch 2000');

    await silence(stage);
    const asked = await exit(file, alice);
    expect(doneBy(asked)).toEqual([
      'opens the exit, for everybody and for ever',
      `registers that ${alice} was owed 70 USDT at the anchor`,
      `registers 8 USDT that came in for ${alice} after the anchor`,
      `pays 18 USDT to ${alice}`,
    ]);
    const before = await heldBy(stage, alice);
    for (const { to, data } of transactionsOf(asked)) await chain.send({ from: carol, to, data });
    expect(await heldBy(stage, alice)).toBe(before + 18n * million);
    const again = await exit(file, alice);
    expect(again.answer).toMatchObject({ collected: '18', collects: '0', transactions: [] });
    expect(again.answer.exit).not.toMatchObject({ opened_at: null });

    // Without a leaf, one of two deposits registered by somebody else, and with a key.
    await vault.write(carol, 'registerDeposits', [[4n]]);
    const left = await exit(file, dave, '--key', keyFile);
    expect(left.code, left.errors).toBe(0);
    expect(doneBy(left)).toEqual([
      `registers 3 USDT that came in for ${dave} after the anchor`,
      `pays 5 USDT to ${dave}`,
    ]);
    expect(left.errors.split('\n')).toHaveLength(2);
    expect(left.answer).toMatchObject({ leaf: '0', due: '5', collected: '5', collects: '0' });
    expect(await heldBy(stage, dave)).toBe(5n * million);
    expect((await exit(file, dave, '--key', keyFile)).answer).toMatchObject({ sent: [] });

    // The fund, whose leaf stands behind all, is not needed while the vault holds enough.
    const last = await exit(file, bob, '--key', keyFile);
    expect(doneBy(last)).toEqual([
      `registers that ${bob} was owed 25 USDT at the anchor`,
      `pays 25 USDT to ${bob}`,
    ]);
    expect(await heldBy(stage, bob)).toBe(30n * million);
  });

  test('VLT-8 after a loss the fund is registered first, and others on request, so that the share rises', async () => {
    const stage = await open();
    const { vault, chain, token } = stage;
    const { write, exit } = terminalOf(stage);
    await deposit(stage, alice, 100n * million);
    await deposit(stage, bob, 100n * million);
    await chain.pass(86_400);
    const made = await anchored(stage, [
      { account: alice, units: 95n * million },
      { account: bob, units: 95n * million },
      { account: vault.address, units: 10n * million },
    ]);
    const file = write('tree', made.file);
    await pay(stage, 'bob', bob, 45n * million);
    await deposit(stage, vault.address, 5n * million);
    await token.write(vault.address, 'transfer', [erin, 88n * million]);
    await silence(stage);
    await vault.write(erin, 'openExit');
    await vault.write(erin, 'registerDeposits', [[3n]]);
    // Held 72; owed 200, without the fund 190, without what Bob has had 145.
    const alone = await exit(file, alice);
    expect(alone.answer).toMatchObject({ due: '95', collects: '36', exit: { share: '0.36' } });
    const fund = `registers that ${vault.address} was owed 10 USDT at the anchor`;
    expect(doneBy(alone)).toContain(fund);
    const both = await exit(file, alice, '--register', `${bob},${alice},${bob}`);
    expect(both.answer).toMatchObject({ due: '95', collects: '47.172413' });
    expect(doneBy(both)).toEqual([
      ...[alice, bob].map((each) => `registers that ${each} was owed 95 USDT at the anchor`),
      ...[fund, `pays 47.172413 USDT to ${alice}`],
    ]);
    for (const { to, data } of transactionsOf(alone)) await chain.send({ from: carol, to, data });
    expect(await heldBy(stage, alice)).toBe(36n * million);
    const rest = await exit(file, alice, '--register', bob);
    expect(rest.answer).toMatchObject({ collected: '36', collects: '11.172413' });
    for (const { to, data } of transactionsOf(rest)) await chain.send({ from: carol, to, data });
    expect(await heldBy(stage, alice)).toBe(47_172_413n);
    expect((await exit(file, alice, '--register', bob)).answer).toMatchObject({ transactions: [] });
  });

  test('VLT-8 a file, a vault or a wallet that does not fit is refused, and nothing is sent', async () => {
    const stage = await open();
    const { vault, chain } = stage;
    const { write, exit, keyFile } = terminalOf(stage);
    await deposit(stage, alice, 100n * million);
    const refuse = async (file: string, reason: string, wallet = alice, ...more: string[]) => {
      const { code, answer, errors } = await exit(file, wallet, ...more);
      expect([code, answer]).toEqual([1, {}]);
      expect(errors).toContain(reason);
    };
    const unanchored = await anchorOver(stage, [{ account: alice, units: 100n * million }]);
    const file = write('tree', unanchored.file);
    await refuse(file, 'the vault has no anchor, so its exit never opens');
    await anchored(stage, [{ account: alice, units: 100n * million }]);
    expect((await exit(file, alice)).code).toBe(0);
    const { file: text } = unanchored;
    await refuse(write('cut', text.slice(0, -5)), 'the file of the tree is damaged: row 1');
    await refuse(write('more', `${text}x`), 'damaged: it has more than 1 rows');
    await refuse(write('none', 'tree'), 'damaged: its first line is no JSON object');
    const richer = text.replace(`${alice},100000000`, `${alice},100000001`);
    await refuse(write('richer', richer), 'the file of the tree is damaged');
    const forged = await anchorOver(stage, [
      { account: alice, units: 40n * million },
      { account: bob, units: 60n * million },
    ]);
    await refuse(write('forged', forged.file), 'not the file that the last anchor names');
    const elsewhere = text.replaceAll(vault.address.toLowerCase(), alice);
    await refuse(write('elsewhere', elsewhere), `is of the vault ${alice} on chain 43113, and not`);
    await refuse(join(file, 'missing'), 'ENOTDIR');
    await refuse(file, `${carol} has no leaf in this tree and no deposit after its anchor`, carol);
    await refuse(file, `${bob} has no leaf in this tree`, alice, '--register', bob);
    await refuse(file, 'the insurance fund behind all accounts is due nothing', vault.address);
    const many = Array.from({ length: 101 }, (_, at) => addressOf(`wallet ${at}`)).join(',');
    await refuse(file, 'at most 100 wallets are registered', alice, '--register', many);
    const mistyped = '0x52908400098527886E0F7030069857D2E4169Ee7';
    await refuse(file, 'a digit of it is mistyped', mistyped);
    await refuse(file, 'holds no key', alice, '--key', write('empty', ''));

    // An anchor that is not of the tree it names proves nothing, and one that differs is named.
    await anchored(stage, [{ account: alice, units: 100n * million }], { root: keccak256('0x') });
    const third = await anchorOver(stage, [{ account: alice, units: 100n * million }]);
    const second = third.file.replace('"log_position":3000', '"log_position":2000');
    await refuse(write('second', second.replace('10800000', '7200000')), 'is not of the tree that');
    await anchored(stage, [{ account: alice, units: 100n * million }], { leaves: 7n });
    const odd = await exit(write('third', third.file), alice);
    expect(odd.errors).toBe(
      'the anchor differs from its own tree: leaves is 7, and 1 would be right',
    );
    expect(odd.code).toBe(0);

    await silence(stage);
    const before = await chain.ask(
      'eth_getTransactionCount',
      privateKeyToAccount(key).address,
      'latest',
    );
    await refuse(write('old', text), 'not the file that', alice, '--key', keyFile);
    expect(
      await chain.ask('eth_getTransactionCount', privateKeyToAccount(key).address, 'latest'),
    ).toBe(before);
  });

  test('VLT-8 a wallet that has had more than it is due has nothing to collect', async () => {
    const stage = await open();
    const { write, exit } = terminalOf(stage);
    await deposit(stage, alice, 100n * million);
    await stage.chain.pass(86_400);
    const made = await anchored(stage, [
      { account: alice, units: 90n * million },
      { account: bob, units: 10n * million },
    ]);
    await pay(stage, 'bob', bob, 25n * million);
    await silence(stage);
    const file = write('tree', made.file);
    const { code, errors } = await exit(file, bob);
    expect(code).toBe(1);
    expect(errors).toContain('due 0 USDT (10 in its leaf + 0 deposited since − 25 paid since)');
    // Its leaf lowers what is owed all the same.
    expect(doneBy(await exit(file, bob, '--register', alice))).toHaveLength(3);
  });

  test('VLT-8 two nodes must agree, and one that lies or is away changes nothing', async () => {
    const stage = await open();
    const { chain, vault } = stage;
    const { write } = terminalOf(stage);
    await deposit(stage, alice, 100n * million);
    const made = await anchored(stage, [{ account: alice, units: 100n * million }]);
    const file = write('tree', made.file);
    const again = `${chain.url}/?again`;
    using liar = await serveLies(chain.url, { eth_call: `0x${'0'.repeat(64)}` });
    const ask = (...urls: string[]) =>
      typeChain([
        ...['exit', file, '--wallet', alice, '--vault', vault.address, '--rpc', urls.join(',')],
      ]);
    const right = await ask(chain.url);
    expect(right.answer).toMatchObject({ due: '100' });
    const away = 'http://127.0.0.1:1';
    expect((await ask(liar.url, chain.url, again)).answer).toEqual(right.answer);
    expect((await ask(away, chain.url, again)).answer).toEqual(right.answer);
    for (const urls of [[liar.url, chain.url], [liar.url, chain.url, away], [away]]) {
      expect((await ask(...urls)).code).toBe(1);
    }
    const none = await typeChain([
      ...['exit', write('none', made.file.replaceAll(vault.address.toLowerCase(), bob))],
      ...['--wallet', alice, '--vault', bob, '--rpc', chain.url],
    ]);
    expect(none.errors).toContain(`there is no contract at ${bob}`);
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'VLT-8 the plan is what the contract pays, seed %i',
    async (seed) => {
      const prng = createPrng(seed);
      const stage = await open();
      const { vault, chain, token } = stage;
      const wallets = [alice, bob, carol, dave];
      const draw = (most: number): bigint => BigInt(1_000_000 + prng.below(most * 1_000_000));
      for (const each of [...wallets, vault.address]) await deposit(stage, each, draw(100));
      await chain.pass(86_400);
      for (const each of wallets) await pay(stage, `before ${each}`, each, draw(20));
      const came = (await vault.read('depositTotal')) as bigint;
      const out = (await vault.read('paidTotal')) as bigint;
      const owed: Owed[] = [];
      let left = came - out;
      for (const account of wallets.slice(0, 3)) {
        const [withdrawn] = (await vault.read('walletOf', [account])) as [bigint];
        const units = prng.below(4) === 0 ? 0n : BigInt(prng.below(Number(left) / 2));
        left -= units;
        owed.push({ account, units, withdrawn });
      }
      const made = await anchored(stage, [...owed, { account: vault.address, units: left }]);
      for (let at = 0; at < 10; at += 1) {
        const account = [...wallets, vault.address][prng.below(5)]!;
        if (prng.below(3) > 0) await deposit(stage, account, draw(10));
        else if (account !== vault.address) await pay(stage, `after ${at}`, account, draw(15));
      }
      const held = await heldBy(stage, vault.address);
      if (prng.below(3) > 0) {
        await token.write(vault.address, 'transfer', [erin, BigInt(prng.below(Number(held)))]);
      }
      await silence(stage);
      const { abi } = readArtifact('EvermarkVault');
      const { depositCount } = made.anchor;
      const late = Number((await vault.read('depositCount')) as bigint) - Number(depositCount);
      for (let round = 0; round < 8; round += 1) {
        // A stranger registers one of the late deposits, if it is not yet.
        const index = depositCount + 1n + BigInt(prng.below(Math.max(1, late)));
        if (round > 0) await vault.write(erin, 'registerDeposits', [[index]]).catch(() => {});
        const wallet = wallets[prng.below(4)]!;
        const others = wallets.filter((each) => each !== wallet && prng.below(4) === 0);
        const state = await readExit([chain.url], vault.address, [...wallets, vault.address], 2);
        expect(canLeave(state)).toBe(true);
        const proofOf = (each: Hex) => proveWallet(made.tree, each);
        const plan = planExit(state, { vault: vault.address, wallet, others, proofOf });
        const before = await heldBy(stage, wallet);
        for (const { call, args } of plan.steps) {
          const data = encodeFunctionData({ abi, functionName: call, args });
          await chain.send({ from: erin, to: vault.address, data });
        }
        expect((await heldBy(stage, wallet)) - before).toBe(plan.collects);
        if (plan.steps.length > 0) expect(await vault.read('collectable', [wallet])).toBe(0n);
        expect(await vault.read('dueTo', [wallet])).toBe(plan.due);
      }
      expect(await vault.read('exitTaken')).not.toBe(0n);
    },
  );
});

test.each([
  [[]],
  [['tree']],
  [['tree', '--rpc', 'http://127.0.0.1:1', '--vault', addressOf('v')]],
  [['tree', '--rpc', 'http://127.0.0.1:1', '--wallet', addressOf('v')]],
  [['tree', '--vault', addressOf('v'), '--wallet', addressOf('w')]],
  [['tree', 'more', '--rpc', 'u', '--vault', addressOf('v'), '--wallet', addressOf('w')]],
  [['tree', '--rpc', 'u', '--vault', '0x12', '--wallet', addressOf('w')]],
  [['tree', '--rpc', 'u', '--vault', addressOf('v'), '--wallet', addressOf('w'), '--register', '']],
])('VLT-8 what matches no usage of the exit gets the usage: %s', async (words) => {
  const { code, errors } = await typeChain(['exit', ...words]);
  expect(code).toBe(2);
  expect(errors).toContain('chain exit TREEFILE');
});
