// What a node says of the keeper's reports: the count in the vault's storage, and the events.

import { decodeEventLog, encodeEventTopics, type Hex, keccak256, toHex } from 'viem';
import type { BlockWindow, Report } from '../report/report.ts';
import type { VaultNode } from '../vaultNode.ts';
import type { Rpc, RpcCall } from './createRpc.ts';
import { vaultAbi as abi } from './vaultAbi.ts';

/** The contract's constant: a test compares both. */
export const keeperRole = keccak256(toHex('KEEPER_ROLE'));

type Reading = { readonly functionName: string; readonly args: readonly unknown[] };

/** Calls of the vault's functions in one block, as the node decodes them. */
export type ReadVault = (
  block: Hex | 'latest',
  calls: readonly Reading[],
) => Promise<readonly unknown[]>;

export function createReportReads(
  rpc: Rpc,
  vault: Hex,
  read: ReadVault,
): Pick<VaultNode, 'keeper' | 'report'> {
  return {
    keeper: async (block, account) => {
      const [reportCount, isKeeper] = await read(block, [
        { functionName: 'reportCount', args: [] },
        { functionName: 'hasRole', args: [keeperRole, account] },
      ]);
      return { reportCount: reportCount as bigint, isKeeper: isKeeper as boolean };
    },
    report: async (sequence, window) => {
      const [found] = await readReports(rpc, vault, window, sequence);
      return found ?? null;
    },
  };
}

const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`;

/**
 * Throws when the node does not have all blocks of the window: those that it does not have would
 * look like blocks without reports.
 */
export async function readReports(
  rpc: Rpc,
  vault: Hex,
  { from, to }: BlockWindow,
  sequence?: bigint,
): Promise<readonly Report[]> {
  const args = sequence === undefined ? {} : { sequence };
  const topics = encodeEventTopics({ abi, eventName: 'Reported', args });
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
      const { args: found } = decodeEventLog({ abi, topics: own, data, eventName: 'Reported' });
      return found;
    })
    .filter((found) => sequence === undefined || found.sequence === sequence);
}

type RpcLog = { readonly address: Hex; readonly topics: [Hex, ...Hex[]]; readonly data: Hex };
