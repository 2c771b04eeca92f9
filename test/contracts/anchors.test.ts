// Goal: on a chain, the vault's anchor is the tree of what the exchange owes, also after kill -9
// and after thieves of k keys have anchored a root of their own; and with the published file alone
// all leave when the exchange is gone (VLT-8). Method: the real program beside a local chain. A
// clock that is ahead at each start begins another stretch.

import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, type Vault } from '../../contracts/openVault.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
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
  until,
  vaultFlags,
  walletOf,
} from './chainedExchange.ts';
import { gasKey, writeKey } from './chainKeys.ts';
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

onChain('anchors on a chain', (open) => {
  test('VLT-8 anchors go on after kill -9, a forged one is replaced, and all leave at the end', async () => {
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
    const start = (stretches: number): Promise<RunningServer> =>
      startServer({ data, flags, clockAheadMs: stretches * interval * 1000 });
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
    try {
      await bindTo(stage, server);
      for (const trader of [alice, bob]) {
        await stage.fund(walletOf(trader), 500n * million);
        await vault.write(walletOf(trader), 'deposit', [walletOf(trader), 400n * million]);
        await login(server, trader);
        await until(
          () => nativeOf(server, trader.token).listBalances(),
          ([balance]) => balance?.balance === '400',
        );
      }
      await restart(1);
      const first = await anchored(1);
      expect(first).toMatchObject({ sum: 800n * million, depositCount: 2n, withdrawn: 0n });
      treeOf(data, first);
      await login(server, bob);
      await nativeOf(server, bob.token).requestWithdrawal({ amount: '100' });
      await until(
        () => nativeOf(server, bob.token).listWithdrawals(),
        ([withdrawal]) => withdrawal?.status === 'completed',
      );
      await restart(2);
      const second = await anchored(2);
      expect(second).toMatchObject({ sum: 700n * million, withdrawn: 100n * million });
      const proved = await nativeOf(server).getProof({ address: walletOf(bob) });
      expect(proved).toMatchObject({
        tree: { root: second.root, hash: second.treeHash, vault: vault.address },
        proof: { units: '300000000', withdrawn: '100000000' },
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
      expect(await server.stop()).toBe(0);
      await vault.write(walletOf(alice), 'deposit', [walletOf(alice), 50n * million]);
      await chain.pass(1_209_600 + 60);
      const leave = async (file: string, trader: typeof alice): Promise<unknown> => {
        const named = ['--vault', vault.address, '--wallet', walletOf(trader), '--key', payer];
        const words = ['chain', 'exit', file, ...named, '--rpc', `${chain.url},${chain.url}`];
        const { code, answer, errors } = await runEvermark(server, words);
        expect(code, errors).toBe(0);
        return answer;
      };
      const tree = join(data, 'trees', nameOf(third));
      expect(await leave(tree, alice)).toMatchObject({ due: '450', collected: '450' });
      // Who has saved the proof needs no other file.
      expect(await leave(saved, bob)).toMatchObject({ due: '300', collected: '300' });
      const balanceOf = (trader: typeof alice) => token.read('balanceOf', [walletOf(trader)]);
      expect([await balanceOf(alice), await balanceOf(bob)]).toEqual([
        500n * million,
        500n * million,
      ]);
      expect(await token.read('balanceOf', [vault.address])).toBe(0n);
      // The log and the published trees say the same as the chain, and name the thieves' anchor.
      const node = [...vaultFlags(stage)];
      const words = ['verify', '--data', data, '--anchors', ...node];
      const { answer, errors } = await runEvermark(server, words);
      expect(answer, errors).toMatchObject({
        ok: false,
        anchors: { ok: false, wrong_count: 1, wrong: [{ epoch: 3 }] },
      });
    } finally {
      await stopMining();
      await server.kill();
    }
  });
});
