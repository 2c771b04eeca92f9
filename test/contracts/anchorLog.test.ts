// Goal: `evermark verify --anchors` compares all anchors of a vault with the log, and its last tree
// is a way out. Method: a log whose vault is on a local chain, anchored as its trees say, and
// once as they do not; nodes that leave events out.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { addressOf, type Vault } from '../../contracts/openVault.ts';
import { runVerify } from '../../src/bin/verify.ts';
import { anchorOf } from '../../src/chain/anchor/anchorOf.ts';
import { readAnchorLog } from '../../src/chain/rpc/readAnchorLog.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import { publishTrees, treeWallets } from '../fixtures/publishTrees.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { threeTimes } from './chainedExchange.ts';
import { onChain } from './onChain.ts';
import { serveLies, typeChain } from './typeChain.ts';

const erin = addressOf('erin');
/** As openLocalChain.ts sets it up, all before is final then. */
const finalBlocks = 10;

async function submit(stage: Vault, anchor: Anchor): Promise<void> {
  await stage.vault.write(erin, 'anchor', [anchor, await stage.signAnchor(anchor)]);
}

async function verify(words: readonly string[]) {
  const printed: string[] = [];
  const code = await runVerify(words, {
    print: (line) => void printed.push(line),
    complain: () => {},
    environment: {},
  });
  return { code, answer: JSON.parse(printed.join('\n')) as Record<string, unknown> };
}

onChain('anchors of a vault and the log', (open) => {
  test('VLT-8 each anchor is right or named, and the last tree is a way out', async () => {
    using temporary = createTemporaryDirectory();
    const { path } = temporary;
    const stage = await open();
    const { chain, vault } = stage;
    const claims = await publishTrees(path, vault.address.toLowerCase() as Hex);
    const [first, last] = [claims[0]!, claims.at(-1)!];
    await stage.fund(erin, 100_000_000n);
    for (let at = 0; at < last.depositCount; at += 1) {
      const [wallet, units] = [treeWallets[at % 3]!, 10_000_000n + BigInt(at)];
      await vault.write(erin, 'deposit', [wallet, units]);
    }
    await submit(stage, anchorOf(first, 1n));
    await submit(stage, { ...anchorOf(first, 2n), root: zeroHash });
    await submit(stage, anchorOf(last, 3n));
    expect(await readAnchorLog([chain.url], vault.address)).toHaveLength(0);
    await chain.bury(finalBlocks);
    const urls = threeTimes(chain.url).split(',');
    const read = await readAnchorLog(urls, vault.address);
    expect(read.map(({ epoch }) => epoch)).toEqual([1n, 2n, 3n]);
    expect(read[2]).toEqual(anchorOf(last, 3n));
    using liar = await serveLies(chain.url, { eth_getLogs: [] });
    await expect(readAnchorLog([chain.url, liar.url], vault.address)).rejects.toThrow(
      "the vault has 3 anchors, and the node's events show others",
    );

    const asked = ['--data', path, '--anchors'];
    const chained = ['--vault', vault.address, '--rpc', urls.join(',')];
    const { code, answer } = await verify([...asked, ...chained]);
    expect(code).toBe(1);
    expect(answer).toMatchObject({
      ok: false,
      anchors: {
        ...{ ok: false, files: claims.length, anchors: 3, anchored_to: last.position },
        wrong: [{ position: first.position, epoch: 2 }],
        wrong_count: 1,
      },
    });
    const { code: alone, answer: files } = await verify(asked);
    expect([alone, files.ok]).toEqual([0, true]);
    expect(files.anchors).toMatchObject({ ok: true, files: claims.length, anchors: null });
    const { answer: without } = await verify(['--data', path]);
    expect(without).not.toHaveProperty('anchors');

    const name = `tree-${String(last.position).padStart(12, '0')}.txt`;
    const file = join(path, 'trees', name);
    expect(readFileSync(file, 'utf8')).toContain(treeWallets[0]);
    const exit = ['exit', file, '--wallet', treeWallets[0]!, ...chained];
    const leaving = await typeChain(exit);
    expect(leaving.answer, leaving.errors).toMatchObject({
      anchor: { epoch: 3, log_position: last.position },
      ...{ due: '20.000003', collects: '20.000003', transactions: [] },
    });
  });
});
