// Login nonces (AUTH-5). They are issued without writing anything, because a nonce proves itself.
// The engine ensures that each is used only once.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../secrets/secretStore.ts';
import { assert } from '../../std/assert.ts';

export const loginNonceLifeSeconds = 300;

const randomSize = 16;
const expirySize = 6;
const macSize = 32;
// 54 bytes are exactly 72 characters: each nonce has one spelling.
const pattern = /^[A-Za-z0-9_-]{72}$/;

/** The key of nonces, different from every other use of the JWT secret. */
export function deriveNonceKey(jwtSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'evermark login nonce', 32));
}

export type NonceHolder = {
  readonly key: Buffer;
  /** In lower case. */
  readonly address: string;
  readonly chainId: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** `expiresAt` in whole seconds since the epoch. */
export type LoginNonce = { readonly nonce: string; readonly expiresAt: number };

export function makeLoginNonce(holder: NonceHolder, randomBytes: RandomBytes): LoginNonce {
  const expiresAt = Math.floor(holder.now / 1000) + loginNonceLifeSeconds;
  const head = Buffer.alloc(randomSize + expirySize);
  randomBytes(randomSize).copy(head);
  head.writeUIntBE(expiresAt, randomSize, expirySize);
  const nonce = Buffer.concat([head, macOf(head, holder)]).toString('base64url');
  return { nonce, expiresAt };
}

/**
 * When the nonce expires, in seconds since the epoch; undefined (`userNotFound`) unless it was made
 * with this key for this address on this chain and has not expired.
 */
export function readLoginNonce(nonce: string, holder: NonceHolder): number | undefined {
  if (!pattern.test(nonce)) return undefined;
  const bytes = Buffer.from(nonce, 'base64url');
  const head = bytes.subarray(0, randomSize + expirySize);
  const mac = bytes.subarray(randomSize + expirySize);
  if (!timingSafeEqual(mac, macOf(head, holder))) return undefined;
  const expiresAt = head.readUIntBE(randomSize, expirySize);
  return holder.now < expiresAt * 1000 ? expiresAt : undefined;
}

/** HMAC over random, address, chain id and expiry; every part but the last has a fixed length. */
function macOf(head: Buffer, { key, address, chainId }: NonceHolder): Buffer {
  assert(address.length === 42, 'an address has 42 characters');
  const mac = createHmac('sha256', key);
  mac.update(head.subarray(0, randomSize)).update(address, 'latin1');
  mac.update(head.subarray(randomSize)).update(String(chainId), 'latin1');
  const digest = mac.digest();
  assert(digest.length === macSize, 'HMAC-SHA256 has 32 bytes');
  return digest;
}
