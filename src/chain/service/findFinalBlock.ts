// The final block that a quorum of nodes agrees on, and what the vault's storage says there.

import { type ChainRule, finalNumber } from '../finalNumber.ts';
import type { Heads, Observation, VaultNode } from '../vaultNode.ts';
import { askQuorum, reachedByQuorum } from './askQuorum.ts';
import { behindBlocksMax, headsText, type NodeBook } from './createNodeBook.ts';

export type FinalBlock = {
  readonly block: Observation;
  /** The newest block that a quorum of nodes has. */
  readonly latest: bigint;
};

/**
 * Undefined without a quorum. The number is the largest that is final for a quorum, and only those
 * nodes have a vote on the block: for the others it can still change.
 */
export async function findFinalBlock(
  rule: ChainRule,
  nodes: readonly VaultNode[],
  book: NodeBook,
): Promise<FinalBlock | undefined> {
  const heads = await Promise.all(nodes.map((node) => readHeads(node, book)));
  const finals = heads.map((each) => each && finalNumber(rule, each));
  const number = reachedByQuorum(finals.filter((final) => final !== undefined));
  const latest = reachedByQuorum(heads.flatMap((each) => each?.latest ?? []));
  if (number === undefined || latest === undefined) return undefined;
  for (const [at, node] of nodes.entries()) {
    const [seen, final] = [heads[at], finals[at]];
    if (seen === undefined || final === undefined) continue;
    const isBehind = latest - seen.latest > behindBlocksMax || number - final > behindBlocksMax;
    if (isBehind) book.note(node, 'behind', `${headsText(seen)}, and two others are further`);
    // One that is a few blocks late has no vote, and is right.
    else if (final < number) book.note(node, 'good', headsText(seen));
  }
  const voters = nodes.filter((_, at) => (finals[at] ?? -1n) >= number);
  const block = await askQuorum(
    voters,
    (node) => node.observe(number),
    book.seeing(`block ${number}`),
  );
  return block?.number === number ? { block, latest } : undefined;
}

async function readHeads(node: VaultNode, book: NodeBook): Promise<Heads | undefined> {
  try {
    const heads = await node.heads();
    book.note(node, 'unknown', headsText(heads));
    return heads;
  } catch (error) {
    book.note(node, 'away', `no answer about its newest block: ${(error as Error).message}`);
    return undefined;
  }
}
