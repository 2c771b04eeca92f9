// Which anchors a signer signs (VLT-8): of trees that it has made, never of an earlier one, and
// only with a number near the last one, also after a restart. So who can ask it for an hour gains
// no signatures for later months.

import { expect, test } from 'vitest';
import { createAnchorCheck } from '../../src/chain/signers/createAnchorCheck.ts';
import { createAnchorFile } from '../../src/chain/signers/createAnchorFile.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import type { TreeJudgement } from '../../src/solvency/createTreeMaker.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createMemoryDisk, type MemoryDisk } from '../log/memoryDisk.ts';

const path = '/signers/0x01.anchor';
const hash = `0x${'5'.repeat(64)}` as const;
const anchorOf = (epoch: number, position: number): Anchor => ({
  ...{ epoch: BigInt(epoch), root: hash, sum: 9n, deficit: 0n, leaves: 2n, depositCount: 3n },
  ...{ withdrawn: 4n, logPosition: BigInt(position), logHash: hash, treeHash: hash },
});

function signer(disk: MemoryDisk, judgement: TreeJudgement = 'right') {
  const check = createAnchorCheck({
    replica: { judgeTree: async () => judgement },
    store: createAnchorFile(path, disk),
    interval: 3600n,
  });
  return (epoch: number, position: number, hours = 0) =>
    check(anchorOf(epoch, position), BigInt(Math.round(1_000_000 + hours * 3600)));
}

test('the same again is signed again, and a later tree with the next number', async () => {
  const disk = createMemoryDisk();
  disk.makeDirectory('/signers');
  const sign = signer(disk);
  await sign(500, 70);
  await sign(500, 70);
  await sign(501, 80, 1);
  // What a reorganisation has taken back is asked for with its number again.
  await sign(500, 80, 1);
  await expect(sign(502, 79, 2)).rejects.toThrow(
    'anchorEarlier: it has signed the tree of batch 80',
  );
});

test('numbers far ahead are refused, and not for ever', async () => {
  const disk = createMemoryDisk();
  disk.makeDirectory('/signers');
  const sign = signer(disk);
  await sign(500, 70);
  await expect(sign(505, 70)).rejects.toThrow('anchorAhead: now it signs anchors up to number 504');
  await sign(504, 70);
  // The room is used up: many small steps lead no further than one.
  await expect(sign(505, 70)).rejects.toThrow('anchorAhead: now it signs anchors up to number 504');
  await expect(sign(505, 70, 0.9)).rejects.toThrow('anchorAhead');
  await sign(505, 80, 1);
  // It was away for a day, and the others went on.
  await sign(532, 90, 24);
  await expect(sign(537, 90, 24)).rejects.toThrow('anchorAhead');
  // A clock that goes back gives nothing.
  await expect(sign(537, 90, 2)).rejects.toThrow('anchorAhead');
});

test('who asks for a day, as often as it likes, gains four numbers for each stretch', async () => {
  const disk = createMemoryDisk();
  disk.makeDirectory('/signers');
  let sign = signer(disk);
  await sign(500, 70);
  let highest = 500;
  for (let minutes = 0; minutes <= 24 * 60; minutes += 1) {
    // A restart in between changes nothing.
    if (minutes % 100 === 0) sign = signer(disk);
    for (let isSigned = true; isSigned; ) {
      isSigned = await sign(highest + 1, 70, minutes / 60).then(
        () => true,
        () => false,
      );
      if (isSigned) highest += 1;
    }
  }
  expect(highest).toBe(500 + 4 * 25);
});

test('an honest day rises by one a stretch, with a forged one between', async () => {
  const disk = createMemoryDisk();
  disk.makeDirectory('/signers');
  const sign = signer(disk);
  for (let hour = 0; hour < 48; hour += 1) await sign(500 + 2 * hour, 70 + hour, hour);
});

test('a restart and a power failure allow no more', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const disk = createMemoryDisk();
    disk.makeDirectory('/signers');
    await signer(disk)(500, 70);
    disk.losePower(createPrng(seed));
    await signer(disk)(501, 80);
    disk.kill();
    await expect(signer(disk)(502, 79)).rejects.toThrow('anchorEarlier');
    await expect(signer(disk)(599, 80)).rejects.toThrow('anchorAhead');
  }
});

test('a damaged file stops the signer, and an unsaved anchor is not signed', async () => {
  const disk = createMemoryDisk();
  disk.makeDirectory('/signers');
  const sign = signer(disk);
  disk.budget = 0;
  await expect(sign(500, 70)).rejects.toThrow('EIO');
  const other = createMemoryDisk();
  other.makeDirectory('/signers');
  other.replace(path, Buffer.from('500 70\n'));
  expect(() => signer(other)).toThrow(`${path} is damaged`);
});

test.each([
  ['ahead', 'behind'],
  ['later', 'behind'],
  ['wrong', 'anchorDiffers'],
  ['filed', 'anchorDiffers'],
  ['unknown', 'anchorDiffers'],
] as const)('a tree that is %s is refused as %s', async (judgement, refusal) => {
  const disk = createMemoryDisk();
  disk.makeDirectory('/signers');
  await expect(signer(disk, judgement)(500, 70)).rejects.toThrow(`${refusal}: `);
  expect(disk.exists(path)).toBe(false);
});
