// Checks a login before anything is written (AUTH-5). A good one becomes the engine's login
// command, which remembers the nonce and rejects one that was used before.

import type { Time } from '../../units/units.ts';
import { limitKeyOf } from './limitKey.ts';
import type { LoginLimit } from './loginLimit.ts';
import { readLoginNonce } from './loginNonce.ts';
import type { LoginPlaces } from './loginPlaces.ts';
import type { SignatureRecovery } from './startSignatureRecovery.ts';
import { parseWalletAddress } from './walletAddress.ts';
import { isSignatureCanonical, isWalletSignature } from './walletSignature.ts';

/** How far the signed time may be from ours, either way. */
export const loginWindowMs = 300_000;

export type LoginRequest = {
  readonly address: string;
  readonly nonce: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly signature: string;
};

export type LoginContext = {
  readonly chainId: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly nonceKey: Buffer;
  /** The caller's network address, as `clientAddress` gives it. */
  readonly client: string;
  readonly limit: LoginLimit;
  readonly places: Pick<LoginPlaces, 'whyFull'>;
  readonly recovery: SignatureRecovery;
};

export type LoginRefusal =
  /** 400 INVALID_ADDRESS. */
  | 'invalidAddress'
  /** 400 SIGNATURE_FORMAT_INVALID: not `0x` and 65 bytes in hex. */
  | 'signatureFormatInvalid'
  /** 404 USER_NOT_FOUND: no valid nonce for the address. */
  | 'userNotFound'
  /** 401 TIMESTAMP_EXPIRED. */
  | 'timestampExpired'
  /** 401 SIGNATURE_INVALID. */
  | 'signatureInvalid'
  /** 429 TOO_MANY_REQUESTS: this caller's limit, or this wallet's. */
  | 'tooManyRequests'
  /** 429 TOO_MANY_REQUESTS: the recovery queue is full, or the places of nonces are (AUTH-5b). */
  | 'overloaded';

export type LoginDecision =
  | {
      readonly ok: true;
      /** In lower case. */
      readonly address: string;
      readonly nonce: string;
      /** When the nonce expires: how long the engine must remember it. */
      readonly nonceExpiresAt: Time;
    }
  | { readonly ok: false; readonly reason: LoginRefusal };

/** Checks in the order of `LoginRefusal`'s first five; the limits come before the last of them. */
export async function checkLogin(
  request: LoginRequest,
  context: LoginContext,
): Promise<LoginDecision> {
  const { chainId, now, nonceKey, client, limit, places, recovery } = context;
  const { nonce, timestamp, signature } = request;
  const address = parseWalletAddress(request.address);
  if (address === undefined) return refuse('invalidAddress');
  if (!isWalletSignature(signature)) return refuse('signatureFormatInvalid');
  const expiresAt = readLoginNonce(nonce, { key: nonceKey, address, chainId, now });
  if (expiresAt === undefined) return refuse('userNotFound');
  if (!isTimely(timestamp, now)) return refuse('timestampExpired');
  if (!isSignatureCanonical(signature)) return refuse('signatureInvalid');
  if (!limit.admit(limitKeyOf(client), address, now)) return refuse('tooManyRequests');
  const full = places.whyFull(address, now);
  if (full !== undefined) return refuse(full);
  const recovered = await recovery.recover({ chainId, address, nonce, timestamp }, signature);
  if (recovered.kind === 'overloaded') return refuse('overloaded');
  if (recovered.kind === 'unrecoverable' || recovered.address !== address) {
    return refuse('signatureInvalid');
  }
  return { ok: true, address, nonce, nonceExpiresAt: (expiresAt * 1000) as Time };
}

/** Whole seconds within the window; a fraction cannot have been signed. */
function isTimely(timestamp: number, now: number): boolean {
  return Number.isSafeInteger(timestamp) && Math.abs(now - timestamp * 1000) <= loginWindowMs;
}

function refuse(reason: LoginRefusal): LoginDecision {
  return { ok: false, reason };
}
