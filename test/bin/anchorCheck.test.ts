// Goal: `evermark verify --anchors` finds every published tree and every anchor that the log
// contradicts. Method: a log with a vault in a real directory, trees as an archivist makes them
// beside it, and one lie at a time. Anchors of a chain: test/contracts/anchorLog.test.ts.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hex, zeroHash } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { type AnchorClaims, createAnchorCheck } from '../../src/bin/createAnchorCheck.ts';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { readAnchorClaims, takeAnchorsOption } from '../../src/bin/readAnchorClaims.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { anchorOf } from '../../src/chain/anchor/anchorOf.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import type { TreeClaim } from '../../src/solvency/createTreeMaker.ts';
import { vaultAddress } from '../engine/depositChain.ts';
import { publishTrees } from '../fixtures/publishTrees.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const none = { vault: '', rpc: '' };

async function openStage() {
  const directory = createTemporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  const { path } = directory;
  const claims = await publishTrees(path);
  expect(claims.length).toBeGreaterThan(3);
  const anchors = claims.map((claim, at) => anchorOf(claim, BigInt(at + 1)));
  const fileOf = ({ position }: TreeClaim): string =>
    join(path, 'trees', `tree-${String(position).padStart(12, '0')}.txt`);
  const verify = async (list?: readonly Anchor[], vault = vaultAddress) => {
    const data = findDataDirectory(path);
    const read = await readAnchorClaims(none, data);
    const chain = list && { vault, anchors: list };
    const report = verifyDirectory(data, undefined, { anchors: { ...read, chain } });
    expect(report.ok).toBe(report.anchors?.ok);
    return report.anchors!;
  };
  return { path, claims, anchors, fileOf, verify };
}

test('VLT-8 files and anchors are those of the log', async () => {
  const { claims, anchors, verify } = await openStage();
  expect(await verify()).toEqual({
    ...{ ok: true, files: claims.length, anchors: null, anchored_to: 0, wrong: [], wrong_count: 0 },
  });
  const last = claims.at(-1)!.position;
  const found = { ok: true, files: claims.length, anchors: claims.length, anchored_to: last };
  expect(await verify(anchors)).toMatchObject({ ...found, wrong: [], wrong_count: 0 });
  // Anchored twice, as after a forged one in between.
  expect(await verify([...anchors, anchors.at(-1)!])).toMatchObject({ ok: true });
});

test('VLT-8 a file that is damaged, another one, or in another place is named', async () => {
  const { path, claims, fileOf, verify } = await openStage();
  const [first, second, third] = claims as [TreeClaim, TreeClaim, TreeClaim];
  const text = readFileSync(fileOf(first), 'utf8');
  writeFileSync(fileOf(first), text.slice(0, -3));
  writeFileSync(fileOf(second), readFileSync(fileOf(third)));
  const later = readFileSync(fileOf(third), 'utf8').replace('"time":', '"time":1');
  writeFileSync(fileOf(third), later);
  writeFileSync(join(path, 'trees', 'tree-000000000001.txt'), text);
  writeFileSync(join(path, 'trees', 'tree-000000999999.txt'), text);
  writeFileSync(join(path, 'trees', 'tree.new'), text);
  const { wrong, ...found } = await verify();
  expect(found).toMatchObject({ ok: false, files: claims.length + 2, wrong_count: 5 });
  const whyAt = (position: number): string =>
    wrong.find((each) => each.position === position && each.epoch === null)!.why;
  expect(whyAt(first.position)).toMatch(/^it is damaged: row \d+ cannot be read$/);
  expect(whyAt(second.position)).toContain(
    `position is ${third.position}, and ${second.position} would be right`,
  );
  expect(whyAt(third.position)).toMatch(/^fileHash is \w{64}, and \w{64} would be right$/);
  expect(whyAt(1)).toContain(`position is ${first.position}, and 1 would be right`);
  expect(whyAt(999_999)).toMatch(/^the log ends at batch \d+$/);
});

test('VLT-8 each anchor that the log contradicts is named, by the member that lies', async () => {
  const { claims, anchors, verify } = await openStage();
  const [anchor] = anchors as [Anchor];
  const lies: Partial<Anchor>[] = [
    { root: zeroHash },
    { sum: anchor.sum + 1n },
    { deficit: 1n },
    { leaves: 2n ** 64n - 1n },
    { depositCount: anchor.depositCount - 1n },
    { withdrawn: 1n },
    { logHash: zeroHash },
    { treeHash: zeroHash },
    { logPosition: anchor.logPosition + 1n },
    { logPosition: 2n ** 64n - 1n },
    { logPosition: 0n },
  ];
  const forged = lies.map((lie, at) => ({ ...anchor, epoch: BigInt(at + 100), ...lie }));
  const { wrong, ...found } = await verify([...forged, ...anchors]);
  expect(found).toMatchObject({ ok: false, anchored_to: claims.at(-1)!.position });
  const epochs = forged.map(({ epoch }) => Number(epoch));
  expect(wrong.map(({ epoch }) => epoch).toSorted()).toEqual(epochs);
  const whyOf = (lie: number): string => wrong.find(({ epoch }) => epoch === 100 + lie)!.why;
  expect(whyOf(0)).toMatch(/^root is 0{64}, and \w{64} would be right$/);
  for (const lie of lies.keys()) if (lie < 8) expect(whyOf(lie).split('; ')).toHaveLength(1);
  expect(whyOf(9)).toMatch(/^the log ends at batch/);
  expect(whyOf(10)).toBe('the log has no tree there');
});

test('VLT-8 the file of the last anchor is needed, older ones are not, and the vault is the log’s', async () => {
  const { claims, anchors, fileOf, verify } = await openStage();
  rmSync(fileOf(claims[0]!));
  expect(await verify(anchors)).toMatchObject({ ok: true, files: claims.length - 1 });
  const other = `0x${'77'.repeat(20)}`;
  const why = `the log is bound to ${vaultAddress}, not to ${other}`;
  expect(await verify(anchors, other)).toMatchObject({ ok: false, why });
  rmSync(fileOf(claims.at(-1)!));
  const missing = `the file of the last anchor, of batch ${claims.at(-1)!.position}, is missing`;
  expect(await verify(anchors)).toMatchObject({ ok: false, wrong: [], why: missing });
});

test('VLT-8 only trees that a file or an anchor names are made', () => {
  let asked = 0;
  const state = {
    position: 0,
    get exchange(): never {
      asked += 1;
      throw new Error('it makes a tree');
    },
  };
  const anchor = { epoch: 1n, logPosition: 7n } as Anchor;
  const claims = { filed: [3], chain: { vault: '', anchors: [anchor] } } as unknown as AnchorClaims;
  const check = createAnchorCheck(state as never, claims);
  const made: number[] = [];
  for (; state.position < 10; state.position += 1) {
    try {
      check.endBatch('');
    } catch {
      made.push(state.position);
    }
  }
  expect([made, asked]).toEqual([[3, 7], 2]);
});

test('--anchors stands alone, and needs a vault and its nodes together', async () => {
  expect(takeAnchorsOption(['--data', 'd', '--anchors'])).toEqual({
    ...{ rest: ['--data', 'd'], isAsked: true },
  });
  expect(takeAnchorsOption(['--data', 'd'])).toEqual({ rest: ['--data', 'd'], isAsked: false });
  const place = { chainId: 43113, trees: '/nowhere' };
  const vault: Hex = `0x${'ab'.repeat(20)}`;
  for (const half of [
    { ...none, vault },
    { ...none, rpc: 'http://a,http://b,http://c' },
  ]) {
    await expect(readAnchorClaims(half, place)).rejects.toThrow('needs both of --vault and --rpc');
  }
  expect(await readAnchorClaims(none, place)).toMatchObject({ filed: [], chain: undefined });
});
