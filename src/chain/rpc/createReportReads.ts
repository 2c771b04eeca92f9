// What a node says of the keeper's reports: the count in the vault's storage, and the events.

import { type Hex, keccak256, toHex } from 'viem';
import type { Report } from '../report/report.ts';
import type { VaultNode } from '../vaultNode.ts';
import type { Rpc } from './createRpc.ts';
import { readEvents } from './readEvents.ts';

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
      const asked = { eventName: 'Reported', args: { sequence } } as const;
      const found = await readEvents<Report>(rpc, vault, window, asked);
      return found.find((each) => each.sequence === sequence) ?? null;
    },
  };
}
