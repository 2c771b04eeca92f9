// Signs as a guest wallet. It is loaded when a guest signs in and no sooner: the curve takes 15 kB.

import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex } from '@noble/hashes/utils';
import type { GuestKey } from './openGuest.ts';
import type { TypedData } from './signIn.ts';
import { typedDataHash } from './typedDataHash.ts';

const addressBytes = 20;
/** What Ethereum adds to the parity of the point. */
const parityBase = 27;

/** The last 20 bytes of the hash of the public key; in lower case. */
export function addressOf(key: GuestKey): string {
  const publicKey = secp256k1.getPublicKey(key.slice(2), false);
  // The first byte only says that the point is written whole.
  return `0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(-addressBytes))}`;
}

/** r, s and v as hex with `0x`. */
export function signTypedData(key: GuestKey, typedData: TypedData): string {
  const signature = secp256k1.sign(typedDataHash(typedData), key.slice(2));
  const parity = parityBase + signature.recovery;
  return `0x${signature.toCompactHex()}${parity.toString(16)}`;
}
