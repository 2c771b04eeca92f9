// What an API key is made of: two values of 256 random bits, as the wire shows them.

import type { RandomBytes } from '../../vault/vault.ts';

export type KeyMaterial = { readonly apiKey: string; readonly secretKey: string };

/** A new API key and its secret, 64 lower-case hex digits each. */
export function makeKeyMaterial(randomBytes: RandomBytes): KeyMaterial {
  return { apiKey: randomBytes(32).toString('hex'), secretKey: randomBytes(32).toString('hex') };
}
