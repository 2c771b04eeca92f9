// A proof as it is answered leads to the root that it names, by what stands in it alone (VLT-8).

import { expect, test } from 'vitest';
import { createTreeMaker } from '../../src/solvency/createTreeMaker.ts';
import { proofText } from '../../src/solvency/proofText.ts';
import { readEvidence } from '../../src/solvency/readEvidence.ts';
import { climbTree } from '../../src/solvency/sumTree.ts';
import { must } from '../../src/std/assert.ts';
import { systemClock } from '../../src/std/clock.ts';
import { finish } from '../../src/std/finish.ts';
import { createMemoryDisk } from '../log/memoryDisk.ts';
import { publishedWorld } from './publishedWorld.ts';

test('VLT-8 the text of a proof leads to its root, and says when there is no leaf', () => {
  const { exchange, wallet } = publishedWorld();
  const maker = createTreeMaker({
    place: { disk: createMemoryDisk(), directory: '/trees' },
    ...{ chainId: exchange.chainId, intervalMs: 1000, clock: systemClock, report: () => {} },
  });
  maker.begin({ position: 0, time: 0 });
  finish(maker.passed({ exchange, position: 1, time: 1000, batchHash: '5c'.repeat(32) }));
  while (maker.work(Number.POSITIVE_INFINITY)) {}
  const claim = must(maker.newest(), 'a stretch has begun');
  const { fileHash, tree, proof } = proofText(must(maker.prove(wallet), 'there is a tree'));
  expect(fileHash).toBe(claim.fileHash);
  expect(JSON.parse(tree)).toMatchObject({
    ...{ chain_id: exchange.chainId, hash: `0x${claim.fileHash}`, root: `0x${claim.root}` },
    ...{ log_position: 1, time: 1000, sum: String(claim.sum), leaves: claim.leaves },
  });
  const answer = `{"tree":${tree},"proof":${proof},"anchor":null,"is_anchored":false}`;
  const { leaf, siblings } = must(readEvidence(Buffer.from(answer)).proofOf(wallet), 'its leaf');
  expect(leaf.units).toBe(100n);
  expect(Buffer.from(climbTree(leaf, siblings).root).toString('hex')).toBe(claim.root);
  const none = proofText(must(maker.prove(`0x${'9'.repeat(40)}`), 'there is a tree'));
  expect(none).toEqual({ fileHash, tree, proof: 'null' });
});
