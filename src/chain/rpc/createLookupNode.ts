// A node's logs of the vault and the vault's terms, for what is shown. A log that is not one of the
// vault, or lies outside the range that was asked for, makes the whole answer bad.

import { decodeEventLog, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { BlockRange, KnownBlock, LookupNode, VaultPlaceOf } from '../lookupNode.ts';
import { createRpc } from './createRpc.ts';
import { vaultAbi as abi, placeAbi, placeTopics } from './vaultAbi.ts';

const limits = { timeoutMs: 3000, bytesMax: 4_000_000 };
const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`;

const termNames = [
  'minimumDeposit',
  'instantMax',
  'bucketCapacity',
  'bucketLevel',
  'queueDelay',
] as const;

type Terms = Readonly<Record<(typeof termNames)[number], bigint>>;

export function createLookupNode({ url, vault }: { url: string; vault: Hex }): LookupNode {
  const rpc = createRpc({ url, ...limits });
  return {
    places: async ({ number, hash }, range) => {
      const { first, last } = range;
      const filter = { address: vault, fromBlock: hexOf(first), toBlock: hexOf(last) };
      const [block, logs] = await rpc([
        { method: 'eth_getBlockByNumber', params: [hexOf(number), false] },
        { method: 'eth_getLogs', params: [{ ...filter, topics: [placeTopics] }] },
      ]);
      // A node that is late has no logs of blocks that it does not have, and no error.
      if ((block as KnownBlock).hash !== hash) throw new Error('the node has another block');
      return (logs as Log[]).map((log) => placeOf(log, vault, range));
    },
    terms: async ({ number, hash }) => {
      const at = { blockHash: hash, requireCanonical: true };
      const answers = await rpc(
        termNames.map((functionName) => ({
          method: 'eth_call',
          params: [{ to: vault, data: encodeFunctionData({ abi, functionName }) }, at],
        })),
      );
      const found = termNames.map((functionName, index) => [
        functionName,
        decodeFunctionResult({ abi, functionName, data: answers[index] as Hex }),
      ]);
      const { queueDelay, ...amounts } = Object.fromEntries(found) as Terms;
      return { block: Number(number), ...amounts, queueDelay: Number(queueDelay) };
    },
  };
}

type Log = {
  readonly address: Hex;
  readonly topics: [Hex, ...Hex[]];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly transactionHash: Hex;
};

const kinds = { Paid: 'paid', Failed: 'failed', Queued: 'queued', Cancelled: 'cancelled' } as const;

function placeOf(log: Log, vault: Hex, { first, last }: BlockRange): VaultPlaceOf {
  const { topics, data } = log;
  const number = BigInt(log.blockNumber);
  const isAsked = log.address.toLowerCase() === vault && number >= first && number <= last;
  const isHash = /^0x[0-9a-f]{64}$/.test(log.transactionHash);
  if (!isAsked || !isHash) throw new Error('the node gave a log that was not asked for');
  const place = { transaction: log.transactionHash, block: Number(number) };
  const { eventName, args } = decodeEventLog({ abi: placeAbi, topics, data });
  if (eventName === 'Deposited') return { kind: 'deposit', index: Number(args.index), ...place };
  const readyAt = eventName === 'Queued' ? Number(args.readyAt) : null;
  return { kind: 'withdrawal', id: args.id, event: kinds[eventName], readyAt, ...place };
}
