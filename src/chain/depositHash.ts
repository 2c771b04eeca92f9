// The chain of hashes over all deposits of a vault. Two readers with the same count and hash have
// read the same deposits, whatever their nodes have left out.

import { encodeAbiParameters, type Hex, keccak256, zeroHash } from 'viem';

/** A deposit; units of 1e-6. */
export type Deposit = { readonly account: Hex; readonly units: bigint };

/** The hash before the first deposit. */
export const noDeposits: Hex = zeroHash;

const layout = [
  { type: 'bytes32' },
  { type: 'uint64' },
  { type: 'address' },
  { type: 'uint64' },
] as const;

/** hash(hash before, index, account, units); the index of the first deposit is 1. */
export function depositHash(before: Hex, index: bigint, { account, units }: Deposit): Hex {
  return keccak256(encodeAbiParameters(layout, [before, index, account, units]));
}
