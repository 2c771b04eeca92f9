// The form of a wallet's signature (AUTH-5). recoverLoginSigner.ts finds who made it.

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
