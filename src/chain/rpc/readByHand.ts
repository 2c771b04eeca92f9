// What an operator reads of a vault: as many nodes must agree as for sending (sendByHand.ts).

import type { Hex } from 'viem';
import { quorum, textOf } from '../service/askQuorum.ts';
import type { VaultNode } from '../vaultNode.ts';
import { createRpcNode } from './createRpcNode.ts';

/** Reads in the newest block of each node. Rejects when too few give the same answer. */
export async function readByHand<Answer>(
  urls: readonly string[],
  vault: Hex,
  read: (node: VaultNode, block: Hex) => Promise<Answer>,
): Promise<Answer> {
  const asked = urls.map(async (url) => {
    const node = createRpcNode({ url, vault });
    const { hash } = await node.observe((await node.heads()).latest);
    return read(node, hash);
  });
  const settled = await Promise.allSettled(asked);
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const texts = answers.map(textOf);
  const needed = Math.min(quorum, urls.length);
  const agreed = texts.findIndex(
    (text) => texts.filter((other) => other === text).length >= needed,
  );
  if (agreed >= 0) return answers[agreed]!;
  const [failure] = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  throw failure ?? new Error('the nodes do not agree on the vault');
}
