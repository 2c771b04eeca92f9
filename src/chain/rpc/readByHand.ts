// What is read of a vault by hand: as many nodes must agree as for sending (sendByHand.ts).

import { type Hex, keccak256 } from 'viem';
import { quorum, reachedByQuorum, textOf } from '../service/askQuorum.ts';
import type { Observation, VaultNode } from '../vaultNode.ts';
import { createRpcNode } from './createRpcNode.ts';

export type ReadPlace = { readonly url: string; readonly seen: Observation };

/** Reads in the newest block that two nodes have. Rejects when too few give the same answer. */
export async function readByHand<Answer>(
  urls: readonly string[],
  vault: Hex,
  read: (node: VaultNode, block: Hex, place: ReadPlace) => Promise<Answer>,
): Promise<Answer> {
  const nodes = urls.map((url) => ({ url, node: createRpcNode({ url, vault }) }));
  const heads = await Promise.allSettled(nodes.map(({ node }) => node.heads()));
  const numbers = valuesOf(heads).map(({ latest }) => latest);
  const number = reachedByQuorum(numbers) ?? numbers[0];
  if (number === undefined) throw failureOf(heads) ?? new Error('no node was named');
  const settled = await Promise.allSettled(
    nodes.map(async ({ url, node }) => {
      const { codeHash } = await node.identify();
      if (codeHash === keccak256('0x')) throw new Error(`there is no contract at ${vault}`);
      const seen = await node.observe(number);
      return read(node, seen.hash, { url, seen });
    }),
  );
  const answers = valuesOf(settled);
  const texts = answers.map(textOf);
  const needed = Math.min(quorum, urls.length);
  const agreed = texts.findIndex(
    (text) => texts.filter((other) => other === text).length >= needed,
  );
  if (agreed >= 0) return answers[agreed]!;
  if (answers.length === 0 && urls.length === 1) throw failureOf(settled);
  throw new Error(`the nodes do not agree on the vault: ${saidBy(nodes, settled)}`);
}

const saidMax = 200;

/** What each node has said. */
const saidBy = (
  nodes: readonly { readonly node: VaultNode }[],
  settled: readonly PromiseSettledResult<unknown>[],
): string =>
  settled
    .map((each, at) => {
      const said = each.status === 'fulfilled' ? textOf(each.value) : each.reason.message;
      return `${nodes[at]!.node.name}: ${said.slice(0, saidMax)}`;
    })
    .join('; ');

const valuesOf = <T>(settled: readonly PromiseSettledResult<T>[]): T[] =>
  settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));

const failureOf = (settled: readonly PromiseSettledResult<unknown>[]): unknown =>
  settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))[0];
