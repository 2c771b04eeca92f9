// The root to which a wallet's leaf and the nodes beside its way lead (VLT-8), computed here: the
// exchange's word does not count. contracts/vault/MerkleSum.sol computes the same.

import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils';

/** Amounts are whole units of 1e-6 as texts; hashes are `0x` and 64 hex digits. */
export type ShownProof = {
  readonly account: string;
  readonly units: string;
  readonly withdrawn: string;
  readonly siblings: readonly {
    readonly hash: string;
    readonly sum: string;
    readonly on_left: boolean;
  }[];
};

/** `salt`: the hash of the batch at which the tree was made. Throws for what is no hash. */
export function climbProof(
  salt: string,
  { account, units, withdrawn, siblings }: ShownProof,
): { readonly root: string; readonly sum: string } {
  const leaf = [bytesOf(account), amountOf(units), amountOf(withdrawn), bytesOf(salt)];
  let hash = sha256(concatBytes(Uint8Array.of(0), ...leaf));
  let sum = BigInt(units);
  for (const sibling of siblings) {
    const own = [hash, amountOf(String(sum))] as const;
    const beside = [bytesOf(sibling.hash), amountOf(sibling.sum)] as const;
    const nodes = sibling.on_left ? [...beside, ...own] : [...own, ...beside];
    hash = sha256(concatBytes(Uint8Array.of(1), ...nodes));
    sum += BigInt(sibling.sum);
  }
  return { root: `0x${bytesToHex(hash)}`, sum: String(sum) };
}

const bytesOf = (text: string): Uint8Array => hexToBytes(text.slice(2));
const amountOf = (units: string): Uint8Array =>
  hexToBytes(BigInt(units).toString(16).padStart(16, '0'));
