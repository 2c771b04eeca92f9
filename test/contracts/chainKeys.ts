// The keys of an exchange beside a local chain: everybody knows them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { LocalChain } from '../../contracts/openLocalChain.ts';

export const gasKey = keccak256(toHex('gas'));
export const gasAddress = privateKeyToAccount(gasKey).address;
/** Those of all signers that a vault may have, in no order. */
export const signerKeys = Array.from({ length: 8 }, (_, at) => keccak256(toHex(`signer ${at}`)));

/** The gas account can pay for its transactions. */
export async function giveCoins(chain: LocalChain): Promise<void> {
  await chain.ask('anvil_setBalance', gasAddress, '0xde0b6b3a7640000');
}

/** A file that `evermark` takes as a key or a secret; gives its path. */
export function writeKey(directory: string, name: string, text: string): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return path;
}

/** The flags of `evermark start` with the gas account and all signers, whose keys it writes. */
export function keyFlags(directory: string): readonly string[] {
  const signers = signerKeys.map((key, at) => writeKey(directory, `signer-${at}`, key));
  return ['--gas-key', writeKey(directory, 'gas', gasKey), '--signer-keys', signers.join(',')];
}
