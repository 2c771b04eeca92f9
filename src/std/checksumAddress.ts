// The checksum of an Ethereum address (ERC-55): a letter is upper case where the hash of the
// address has a digit of 8 or more. viem can do the same, but a start would wait until it is
// loaded.

import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex } from '@noble/hashes/utils';

/** Takes `0x` and 40 hex digits in lower case; gives the same address with its checksum. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2);
  const hash = bytesToHex(keccak_256(digits));
  const upper = (digit: string, at: number): string =>
    hash[at]! >= '8' ? digit.toUpperCase() : digit;
  return `0x${Array.from(digits, upper).join('')}`;
}

/**
 * An address with letters of both cases has a checksum in them (ERC-55). Throws when it does not
 * match: then a digit is mistyped.
 */
export function checkSpelling(address: string): void {
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (isOneCase || checksumAddress(address.toLowerCase()) === address) return;
  throw new Error(`the checksum of ${address} is wrong, so a digit of it is mistyped`);
}
