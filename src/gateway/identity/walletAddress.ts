// The form of a wallet's address (NAT): input in any case, output in lower case. If there is a
// checksum, it must be right.

import { checksumAddress } from '../../std/checksumAddress.ts';

const pattern = /^0x[0-9a-fA-F]{40}$/;

/**
 * The address in lower case. Undefined (`invalidAddress`) unless it is `0x` and 40 hex digits; a
 * mix of upper and lower case is a checksum (ERC-55) and must be the address's.
 */
export function parseWalletAddress(text: string): string | undefined {
  if (!pattern.test(text)) return undefined;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  const address = `0x${lower}` as const;
  const mixed = digits !== lower && digits !== digits.toUpperCase();
  if (mixed && checksumAddress(address) !== text) return undefined;
  return address;
}
