// A running hash of two 32-bit lanes for comparing states and event streams. It finds differences
// by accident, not by malice: chains that must resist forgery use SHA-256.

export type Hash = { high: number; low: number };

export function createHash64(): Hash {
  return { high: 0x2f0b4c47 | 0, low: 0x811c9dc5 | 0 };
}

/** Mixes a safe integer into the hash. */
export function hashNumber(hash: Hash, value: number): void {
  const low = value | 0;
  const high = Math.floor(value / 4294967296) | 0;
  let a = Math.imul(hash.low ^ low, 0x85ebca6b);
  a ^= a >>> 15;
  let b = Math.imul(hash.high ^ high ^ a, 0xc2b2ae35);
  b ^= b >>> 13;
  hash.low = (Math.imul(a, 0x9e3779b1) + b) | 0;
  hash.high = (b + ((hash.low << 7) | (hash.low >>> 25))) | 0;
}

/** Mixes a string, its length first, so that neighbours cannot trade characters. */
export function hashText(hash: Hash, text: string): void {
  hashNumber(hash, text.length);
  for (let i = 0; i < text.length; i += 1) hashNumber(hash, text.charCodeAt(i));
}

/** Mixes bytes, their length first. */
export function hashBytes(hash: Hash, bytes: Uint8Array): void {
  hashNumber(hash, bytes.length);
  for (let i = 0; i < bytes.length; i += 1) hashNumber(hash, bytes[i]!);
}

/** Sixteen hex digits. */
export function hashHex(hash: Hash): string {
  const lane = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
  return lane(hash.high) + lane(hash.low);
}
