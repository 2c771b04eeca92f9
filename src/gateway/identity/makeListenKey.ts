// The text of a listen key where several processes serve: it proves to each of them for which
// account it was made and when. So a key is good at every process at once, before they have heard
// of it. Nothing of it can be read without the secret of logins.

import { hkdfSync } from 'node:crypto';
import { seal, unseal } from '../../secrets/seal.ts';
import type { RandomBytes } from '../../secrets/secretStore.ts';
import { assert } from '../../std/assert.ts';
import type { AccountId } from '../../units/units.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(alphabet.length);
const values = new Map([...alphabet].map((letter, value) => [letter, BigInt(value)]));
const length = 64;
const pattern = /^[0-9A-Za-z]{64}$/;
/** Account and time have six bytes each, and the rest is random: with its seal 47 bytes. */
const plainSize = 19;
const sealedSize = 47;
const context = 'listen key';

/** Different from every other use of the secret of logins. */
export function deriveListenKeyKey(jwtSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'evermark listen key', 32));
}

export type MakeListenKey = {
  readonly key: Buffer;
  readonly account: AccountId;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** 64 letters and digits. */
export function makeListenKey(
  { key, account, now }: MakeListenKey,
  randomBytes: RandomBytes,
): string {
  const plain = Buffer.concat([Buffer.alloc(12), randomBytes(plainSize - 12)]);
  plain.writeUIntBE(account, 0, 6);
  plain.writeUIntBE(now, 6, 6);
  const sealed = seal({ key, context, plain, randomBytes });
  assert(sealed.length === sealedSize, 'a listen key has one length');
  let rest = BigInt(`0x${sealed.toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = alphabet[Number(rest % base)]! + text;
    rest /= base;
  }
  return text;
}

export type ReadListenKey = { readonly account: AccountId; readonly madeAt: number };

/** undefined unless it was made with this key. Cost: about 30 µs. */
export function readListenKey(text: string, key: Buffer): ReadListenKey | undefined {
  if (!pattern.test(text)) return undefined;
  let value = 0n;
  for (const letter of text) value = value * base + values.get(letter)!;
  const hex = value.toString(16).padStart(2 * sealedSize, '0');
  if (hex.length > 2 * sealedSize) return undefined;
  const plain = unseal({ key, context, sealed: Buffer.from(hex, 'hex') });
  if (plain === undefined) return undefined;
  return { account: plain.readUIntBE(0, 6) as AccountId, madeAt: plain.readUIntBE(6, 6) };
}
