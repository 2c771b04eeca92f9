// Withdrawals as the contract knows them, for who pays or cancels by hand.

import type { Hex } from 'viem';

/** What the contract says of these withdrawals, by their ids. */
export async function statesOf(urls: readonly string[], vault: Hex, ids: readonly string[]) {
  const { readByHand } = await import('../chain/rpc/readByHand.ts');
  const found = await readByHand(urls, vault, (node, block) =>
    node.payments(block, ids.map(bytesOfId)),
  ).catch(() => undefined);
  if (found === undefined) return 'the nodes do not say what became of them';
  return Object.fromEntries(ids.map((id, at) => [id, found[at]?.state ?? 'unknown']));
}

export const bytesOfId = (id: string): Hex => `0x${id.replaceAll('-', '')}`;

export const isUuid = (id: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);
