// Goal: the whole program on a chain: deposit, trade, withdraw, anchor and report, with a kill -9
// in each step. At each final block the vault holds what the exchange says came in and went out.
// The vault's anchor is the tree of what the exchange owes, also after thieves of k keys have
// anchored a root of their own; and with the published file alone all leave when the exchange is
// gone (VLT-8). Method: the real program beside a local chain. Its clock stands still, and is ahead
// at a start, so that stretches begin there alone.

import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { erc20Abi, formatLog, parseEventLogs, type RpcLog } from 'viem';
import { expect, test } from 'vitest';
import { addressOf, admin, type Vault } from '../../contracts/openVault.ts';
import { keeperRole } from '../../src/chain/rpc/createReportReads.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import { createClient } from '../../src/client/createClient.ts';
import type { Tree } from '../../src/solvency/tree.ts';
import { growFromFile } from '../../src/solvency/treeText.ts';
import { finish } from '../../src/std/finish.ts';
import { runEvermark } from '../fixtures/runEvermark.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import {
  bindTo,
  chainedFlags,
  createTrader,
  keepMining,
  login,
  nativeOf,
  type Trader,
  threeTimes,
  until,
  vaultFlags,
  walletOf,
} from './chainedExchange.ts';
import { gasAddress, gasKey, writeKey } from './chainKeys.ts';
import { onChain } from './onChain.ts';

const million = 1_000_000n;
/** Seconds of a stretch of the log's time. */
const interval = 600;

const anchorOn = async ({ vault }: Vault): Promise<Anchor> =>
  (await vault.read('lastAnchor')) as Anchor;

const nameOf = ({ logPosition }: Anchor): string =>
  `tree-${String(logPosition).padStart(12, '0')}.txt`;

/** The published tree that the anchor names. */
function treeOf(data: string, anchor: Anchor): Tree {
  const bytes = readFileSync(join(data, 'trees', nameOf(anchor)));
  expect(`0x${hash('sha256', bytes)}`).toBe(anchor.treeHash);
  return finish(growFromFile(bytes));
}

const unitsOf = (amount: string): bigint => BigInt(Math.round(Number(amount) * 1_000_000));

/** What the exchange says of a deposit (positive) or a payment (negative), with its block. */
type Movement = { readonly block: number; readonly units: bigint };

/** Of all traders, once the exchange knows each block. */
async function movementsOf(server: RunningServer, traders: readonly Trader[]): Promise<Movement[]> {
  const found: Movement[] = [];
  for (const { token } of traders) {
    const native = nativeOf(server, token);
    const isPlaced = (each: { readonly chain: { readonly block: number | null } | null }) =>
      each.chain?.block != null;
    const deposits = await until(native.listDeposits, (all) => all.every(isPlaced));
    const withdrawals = await until(native.listWithdrawals, (all) => all.every(isPlaced));
    for (const { chain, amount } of deposits) {
      found.push({ block: chain!.block!, units: unitsOf(amount) });
    }
    for (const { chain, amount } of withdrawals) {
      found.push({ block: chain!.block!, units: -unitsOf(amount) });
    }
  }
  return found;
}

/** The vault's balance at each final block, by the token's events: the sum of the movements. */
async function expectHeldAtEachBlock(
  { chain, token, vault }: Vault,
  movements: readonly Movement[],
): Promise<void> {
  const range = { address: token.address, fromBlock: '0x0', toBlock: 'finalized' };
  const logs = (await chain.ask('eth_getLogs', range)) as RpcLog[];
  const moves = parseEventLogs({
    ...{ abi: erc20Abi, eventName: 'Transfer' },
    logs: logs.map((log) => formatLog(log)),
  });
  const own = vault.address.toLowerCase();
  const seen: Movement[] = [];
  for (const { args, blockNumber } of moves) {
    const sign = args.to.toLowerCase() === own ? 1n : args.from.toLowerCase() === own ? -1n : 0n;
    if (sign !== 0n) seen.push({ block: Number(blockNumber), units: sign * args.value });
  }
  const inOrder = (all: readonly Movement[]) =>
    all.toSorted((a, b) => a.block - b.block || Number(a.units - b.units));
  expect(inOrder(movements)).toEqual(inOrder(seen));
  const sum = movements.reduce((all, { units }) => all + units, 0n);
  expect(await token.read('balanceOf', [vault.address])).toBe(sum);
}

onChain('the whole program on a chain', (open) => {
  test('VLT-8 money comes in, is traded, leaves, is anchored and reported through kills; at the end all leave', async () => {
    using temporary = createTemporaryDirectory();
    const stage = await open({ bucketCapacity: 10n ** 15n, instantMax: 10n ** 12n });
    const { chain, vault, token } = stage;
    const [alice, bob] = [createTrader(1), createTrader(2)];
    const stopMining = keepMining(chain);
    const data = join(temporary.path, 'data');
    const saved = join(temporary.path, 'proof.json');
    const payer = writeKey(temporary.path, 'payer', gasKey);
    const keys = await chainedFlags(stage, join(temporary.path, 'keys'));
    const flags = [...quietFlags, ...keys, '--anchor-interval', String(interval)];
    const begun = Date.now();
    const start = (stretches: number): Promise<RunningServer> =>
      startServer({ data, flags, clockStopsAt: begun + stretches * interval * 1000 });
    let server = await start(0);
    const restart = async (stretches: number): Promise<void> => {
      await server.kill();
      server = await start(stretches);
    };
    /** A batch after the start begins the stretch; the anchor is in a final block. */
    const anchored = async (epoch: number): Promise<Anchor> => {
      await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: String(50_000 + epoch) });
      const known = await until(
        () => nativeOf(server).getSolvency(),
        ({ anchor }) => anchor?.epoch === epoch && anchor.is_of_log === true,
      );
      const anchor = await anchorOn(stage);
      expect(anchor.epoch).toBe(BigInt(epoch));
      expect(known.anchor?.tree_hash).toBe(anchor.treeHash);
      return anchor;
    };
    const balanceAt = async ({ token: session }: Trader): Promise<bigint> => {
      const [balance] = await nativeOf(server, session).listBalances();
      return unitsOf(balance!.balance);
    };
    /** The seller's order rests; both have no position before and after the two. */
    const trade = async (seller: Trader, buyer: Trader): Promise<void> => {
      const order = {
        symbol: 'BTCUSDT',
        type: 'LIMIT',
        quantity: '0.002',
        price: '50000',
      } as const;
      await nativeOf(server, seller.token).placeNativeOrder({ ...order, side: 'SELL' });
      const taken = await nativeOf(server, buyer.token).placeNativeOrder({ ...order, side: 'BUY' });
      expect(taken).toMatchObject({ status: 'FILLED' });
    };
    const reported = (): Promise<unknown> =>
      until(
        () => createClient({ baseUrl: server.http }).probes.getLiquidationHealth({ chain: 'fuji' }),
        ({ submissions }) => submissions.confirmed > 0 && submissions.pending === 0,
      );
    try {
      await bindTo(stage, server);
      await vault.write(admin, 'grantRole', [keeperRole, gasAddress]);
      for (const trader of [alice, bob]) {
        await stage.fund(walletOf(trader), 500n * million);
        await vault.write(walletOf(trader), 'deposit', [walletOf(trader), 400n * million]);
      }
      // Before the deposits are final.
      await restart(0);
      for (const trader of [alice, bob]) {
        await login(server, trader);
        await until(
          () => nativeOf(server, trader.token).listBalances(),
          ([balance]) => balance?.balance === '400',
        );
      }
      await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
      await trade(alice, bob);
      await restart(0);
      await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
      await trade(bob, alice);
      const owed = { alice: await balanceAt(alice), bob: await balanceAt(bob) };
      const fees = 800n * million - owed.alice - owed.bob;
      expect(fees).toBeGreaterThan(0n);
      await restart(1);
      const first = await anchored(1);
      // With the fees, which the vault's own address is owed.
      expect(first).toMatchObject({ sum: 800n * million, depositCount: 2n, withdrawn: 0n });
      treeOf(data, first);
      await reported();
      await login(server, bob);
      await nativeOf(server, bob.token).requestWithdrawal({ amount: '100' });
      // Before the payment is signed, sent or final.
      await restart(1);
      await until(
        () => nativeOf(server, bob.token).listWithdrawals(),
        ([withdrawal]) => withdrawal?.status === 'completed',
      );
      owed.bob -= 100n * million;
      await restart(2);
      const second = await anchored(2);
      expect(second).toMatchObject({ sum: 700n * million, withdrawn: 100n * million });
      await expectHeldAtEachBlock(stage, await movementsOf(server, [alice, bob]));
      const proved = await nativeOf(server).getProof({ address: walletOf(bob) });
      expect(proved).toMatchObject({
        tree: { root: second.root, hash: second.treeHash, vault: vault.address },
        proof: { units: `${owed.bob}`, withdrawn: '100000000' },
        is_anchored: true,
      });
      writeFileSync(saved, JSON.stringify(proved));
      // Thieves of k keys anchor a root of their own, at a place that no log reaches.
      const forged = { ...second, epoch: 3n, logPosition: 2n ** 64n - 1n, root: second.logHash };
      await vault.write(addressOf('thief'), 'anchor', [forged, await stage.signAnchor(forged)]);
      // A start does not wait for the pause between two anchors.
      await restart(2);
      const third = await anchored(4);
      expect(third).toEqual({ ...second, epoch: 4n });
      // The exchange is gone: deposits after the anchor, then silence.
      await server.kill();
      await vault.write(walletOf(alice), 'deposit', [walletOf(alice), 50n * million]);
      await chain.pass(1_209_600 + 60);
      const leave = async (file: string, trader: Trader): Promise<bigint> => {
        const named = ['--vault', vault.address, '--wallet', walletOf(trader), '--key', payer];
        const words = ['chain', 'exit', file, ...named, '--rpc', threeTimes(chain.url)];
        const { code, answer, errors } = await runEvermark(server, words);
        expect(code, errors).toBe(0);
        const { due, collected } = answer as { readonly due: string; readonly collected: string };
        expect(collected).toBe(due);
        return unitsOf(collected);
      };
      const tree = join(data, 'trees', nameOf(third));
      expect(await leave(tree, alice)).toBe(owed.alice + 50n * million);
      // Who has saved the proof needs no other file.
      expect(await leave(saved, bob)).toBe(owed.bob);
      const balanceOf = (trader: Trader) => token.read('balanceOf', [walletOf(trader)]);
      expect([await balanceOf(alice), await balanceOf(bob)]).toEqual([
        owed.alice + 100n * million,
        owed.bob + 200n * million,
      ]);
      // What is left is what the exchange has earned.
      expect(await token.read('balanceOf', [vault.address])).toBe(fees);
      // The log and the published trees say the same as the chain, and name the thieves' anchor.
      const node = [...vaultFlags(stage)];
      const words = ['verify', '--data', data, '--anchors', '--reports', ...node];
      const { answer, errors } = await runEvermark(server, words);
      expect(answer, errors).toMatchObject({
        ok: false,
        anchors: { ok: false, wrong_count: 1, wrong: [{ epoch: 3 }] },
        reports: { ok: true },
      });
    } finally {
      await stopMining();
      await server.kill();
    }
  });
});
