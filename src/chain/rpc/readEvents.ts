// Events of a vault in a stretch of blocks, as one node has them.

import { decodeEventLog, encodeEventTopics, type Hex } from 'viem';
import type { BlockWindow } from '../report/report.ts';
import type { Rpc, RpcCall } from './createRpc.ts';
import { vaultAbi as abi } from './vaultAbi.ts';

/** Those whose numbers have no gap: the vault's storage counts them. */
export type CountedEvent = 'Reported' | 'Anchored';

const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`;

/** Their arguments, in order. Rejects when the node does not have all of the blocks. */
export async function readEvents<Event>(
  rpc: Rpc,
  vault: Hex,
  { from, to }: BlockWindow,
  asked: { readonly eventName: CountedEvent; readonly args?: Readonly<Record<string, bigint>> },
): Promise<readonly Event[]> {
  const topics = encodeEventTopics({ abi, ...asked } as never);
  const filter = { address: vault, topics, fromBlock: hexOf(from), toBlock: hexOf(to) };
  const calls: RpcCall[] = [
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getLogs', params: [filter] },
  ];
  const [head, logs] = await rpc(calls);
  if (BigInt(head as Hex) < to) throw new Error(`the node has no block ${to} yet`);
  return (logs as readonly RpcLog[])
    .filter(({ address }) => address.toLowerCase() === vault)
    .map(({ topics: own, data }) => {
      const { args } = decodeEventLog({ abi, topics: own, data, eventName: asked.eventName });
      return args as Event;
    });
}

type RpcLog = { readonly address: Hex; readonly topics: [Hex, ...Hex[]]; readonly data: Hex };
