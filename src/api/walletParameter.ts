// The parameter that names a wallet. Whether the text is an address, the login port says (NAT).

import type { TUnsafe } from 'typebox';
import { textParameter } from './parameterSchema.ts';

/** Longer texts are malformed before anybody asks whether they are addresses. */
const lengthMax = 4096;

/** `0x` and 40 hex digits; the row answers INVALID_ADDRESS for anything else. */
export function walletParameter(): TUnsafe<string> {
  const description = 'Wallet address: 0x and 40 hex digits; a checksum, if any, must be right.';
  return textParameter({ lengthMax, description });
}
