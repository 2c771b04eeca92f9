// The form of a wallet's signature and the recovery of its signer (AUTH-5). Recovery takes over a
// millisecond of pure computation: the trading thread asks `startSignatureRecovery` instead.

import { hashTypedData, recoverAddress } from 'viem/utils';
import { type LoginMessage, loginTypedData } from './loginMessage.ts';

const pattern = /^0x[0-9a-fA-F]{130}$/;
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const sMax = curveOrder / 2n;

/** Whether the text has the form of a signature: `0x` and 65 bytes in hex. */
export function isWalletSignature(text: string): boolean {
  return pattern.test(text);
}

/**
 * Whether a signature of the right form can be valid: r and s in range, s in the lower half (each
 * signature has a second form with another s, and only one form counts), and v 27 or 28, or 0 or 1
 * as hardware wallets write it. Cost: 1 µs.
 */
export function isSignatureCanonical(signature: string): boolean {
  const r = BigInt(`0x${signature.slice(2, 66)}`);
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number.parseInt(signature.slice(130), 16);
  if (r === 0n || r >= curveOrder || s === 0n || s > sMax) return false;
  return v === 0 || v === 1 || v === 27 || v === 28;
}

/**
 * The address, in lower case, whose key signed the login message; undefined when no key can have.
 * Cost: 1.3 ms.
 */
export async function recoverLoginSigner(
  message: LoginMessage,
  signature: string,
): Promise<string | undefined> {
  if (!isWalletSignature(signature) || !isSignatureCanonical(signature)) return undefined;
  const { domain, types, primaryType, message: login } = loginTypedData(message);
  const hash = hashTypedData({
    domain: { ...domain, chainId: BigInt(domain.chainId) },
    types,
    primaryType,
    message: { ...login, timestamp: BigInt(login.timestamp) },
  });
  try {
    const address = await recoverAddress({ hash, signature: signature as `0x${string}` });
    return address.toLowerCase();
  } catch {
    // r is not the abscissa of a point: the form is canonical, but no key made this signature.
    return undefined;
  }
}
