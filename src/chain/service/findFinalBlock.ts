// The final block that a quorum of nodes agrees on, and what the vault's storage says there.

import { type ChainRule, finalNumber } from '../finalNumber.ts';
import type { Observation, VaultNode } from '../vaultNode.ts';
import { askEach, askQuorum, reachedByQuorum } from './askQuorum.ts';

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
): Promise<FinalBlock | undefined> {
  const heads = await askEach(nodes, (node) => node.heads());
  const finals = heads.map((each) => each && finalNumber(rule, each));
  const number = reachedByQuorum(finals.filter((final) => final !== undefined));
  const latest = reachedByQuorum(heads.flatMap((each) => each?.latest ?? []));
  if (number === undefined || latest === undefined) return undefined;
  const voters = nodes.filter((_, at) => (finals[at] ?? -1n) >= number);
  const block = await askQuorum(voters, (node) => node.observe(number));
  return block?.number === number ? { block, latest } : undefined;
}
