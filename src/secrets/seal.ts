// Authenticated encryption of small values: AES-256-GCM with a random nonce, bound to a context
// text. So a sealed value that is moved to another row or column does not open. This file knows no
// rows.

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { assert } from '../std/assert.ts';
import type { RandomBytes } from './secretStore.ts';

const algorithm = 'aes-256-gcm';
const nonceSize = 12;
const tagSize = 16;
export const keySize = 32;

export type Seal = {
  readonly key: Buffer;
  /** The place of the value; only the same text opens it again. */
  readonly context: string;
  readonly plain: Buffer;
  readonly randomBytes: RandomBytes;
};

/** Nonce, tag and ciphertext in one buffer. */
export function seal({ key, context, plain, randomBytes }: Seal): Buffer {
  assert(key.length === keySize, 'a sealing key has 32 bytes');
  const nonce = randomBytes(nonceSize);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagSize });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

export type Unseal = { readonly key: Buffer; readonly context: string; readonly sealed: Buffer };

/** The sealed value; undefined when the key, the context or a single bit differs. */
export function unseal({ key, context, sealed }: Unseal): Buffer | undefined {
  assert(key.length === keySize, 'a sealing key has 32 bytes');
  if (sealed.length < nonceSize + tagSize) return undefined;
  const nonce = sealed.subarray(0, nonceSize);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagSize });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(sealed.subarray(nonceSize, nonceSize + tagSize));
  try {
    const body = decipher.update(sealed.subarray(nonceSize + tagSize));
    return Buffer.concat([body, decipher.final()]);
  } catch {
    return undefined;
  }
}
