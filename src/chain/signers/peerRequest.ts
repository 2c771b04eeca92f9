// What a chain service and a signer of another operator say to each other: one JSON object over
// HTTP, and beside it a MAC with the secret that both have. The MAC proves who asks. The answer
// needs none: a signature proves itself, and a refusal pays nothing.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Hex } from 'viem';
import type { Anchor, Payment, ToSign, VaultPlace } from '../vaultTypes.ts';
import { NotSigned } from './signer.ts';

export const macHeader = 'evermark-mac';
export const signPath = '/sign';

/** A batch of 300 payments has some 50,000 bytes. */
export const requestBytesMax = 128 * 1024;

export type PeerRequest = VaultPlace & {
  /** Whose signature is wanted. */
  readonly signer: Hex;
  /** Milliseconds since the Unix epoch: when it was asked. */
  readonly time: number;
  /** 32 hex digits that no other request has. */
  readonly nonce: string;
  readonly asked: ToSign;
};

const format = 1;

/** HMAC-SHA256(secret, 'evermark signer 1\n' + body), in hex. */
export const macOf = (secret: Buffer, body: string | Buffer): string =>
  createHmac('sha256', secret).update(`evermark signer ${format}\n`).update(body).digest('hex');

export function isMacOf(secret: Buffer, body: Buffer, given: unknown): boolean {
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(macOf(secret, body)));
}

export function encodePeerRequest(request: PeerRequest): string {
  const { chainId, vault, signer, time, nonce, asked } = request;
  const { action } = asked;
  return JSON.stringify({
    ...{ format, action, chain_id: chainId, vault, signer, time, nonce },
    ...(asked.action === 'anchor'
      ? { anchor: writeAnchor(asked.anchor) }
      : { payments: asked.payments.map(writePayment) }),
  });
}

/** Throws `NotSigned`. */
export function decodePeerRequest(body: string): PeerRequest {
  const { action, ...found } = readObject(body);
  if (found.format !== format) throw malformed('its format is not 1');
  const { chain_id: chainId, time } = found;
  if (!Number.isSafeInteger(chainId)) throw malformed('"chain_id"');
  if (!Number.isSafeInteger(time)) throw malformed('"time"');
  const vault = readHex(found.vault, 20, 'vault');
  const signer = readHex(found.signer, 20, 'signer');
  const { nonce } = found;
  if (typeof nonce !== 'string' || !/^[0-9a-f]{32}$/.test(nonce)) throw malformed('"nonce"');
  const place = { chainId: chainId as number, vault };
  const asked = readAsked(action, found);
  return { ...place, signer, time: time as number, nonce, asked };
}

function readAsked(action: unknown, found: Readonly<Record<string, unknown>>): ToSign {
  if (action === 'anchor') return { action, anchor: readAnchor(found.anchor) };
  if (action !== 'pay') {
    throw new NotSigned('actionUnknown', 'this signer signs payments and anchors');
  }
  if (!Array.isArray(found.payments)) throw malformed('"payments"');
  return { action, payments: found.payments.map(readPayment) };
}

const writeAnchor = (anchor: Anchor): object =>
  Object.fromEntries(
    Object.entries(anchor).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  );

function readAnchor(given: unknown): Anchor {
  if (typeof given !== 'object' || given === null) throw malformed('an anchor');
  const found = given as Readonly<Record<keyof Anchor, unknown>>;
  const count = (name: keyof Anchor): bigint => readUint64(found[name], name);
  const hash = (name: keyof Anchor): Hex => readHex(found[name], 32, name);
  return {
    ...{ epoch: count('epoch'), root: hash('root'), sum: count('sum') },
    ...{ deficit: count('deficit'), leaves: count('leaves'), depositCount: count('depositCount') },
    ...{ withdrawn: count('withdrawn'), logPosition: count('logPosition') },
    ...{ logHash: hash('logHash'), treeHash: hash('treeHash') },
  };
}

/** A payment as JSON: amounts are decimal texts. */
export const writePayment = ({ id, to, units, deadline }: Payment) => ({
  ...{ id, to, units: units.toString(), deadline: deadline.toString() },
});

/** Throws `NotSigned`. */
export function readPayment(found: unknown): Payment {
  if (typeof found !== 'object' || found === null) throw malformed('a payment');
  const { id, to, units, deadline } = found as Readonly<Record<string, unknown>>;
  return {
    id: readHex(id, 16, 'id'),
    to: readHex(to, 20, 'to'),
    units: readUint64(units, 'units'),
    deadline: readUint64(deadline, 'deadline'),
  };
}

function readObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(body);
    if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  } catch {
    // As any other text that is no object.
  }
  throw malformed('it is no JSON object');
}

function readHex(found: unknown, bytes: number, name: string): Hex {
  if (typeof found === 'string' && new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`).test(found)) {
    return found as Hex;
  }
  throw malformed(`"${name}"`);
}

function readUint64(found: unknown, name: string): bigint {
  const value = typeof found === 'string' && /^\d{1,20}$/.test(found) ? BigInt(found) : -1n;
  if (value >= 0n && value < 1n << 64n) return value;
  throw malformed(`"${name}"`);
}

const malformed = (what: string): NotSigned =>
  new NotSigned('malformed', `the request cannot be read: ${what}`);
