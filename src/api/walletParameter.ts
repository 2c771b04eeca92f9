// The parameter that names a wallet. The login port decides whether the text is an address (NAT).

import type { TUnsafe } from 'typebox';
import { textParameter } from './parameterSchema.ts';

/** Longer texts are malformed; they are not checked as addresses. */
const lengthMax = 4096;

/** `0x` and 40 hex digits. The row answers INVALID_ADDRESS for anything else. */
export function walletParameter(): TUnsafe<string> {
  const description = 'Wallet address: 0x and 40 hex digits; a checksum, if any, must be right.';
  return textParameter({ lengthMax, description });
}
