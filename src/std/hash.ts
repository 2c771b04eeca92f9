// A running hash of two 32-bit lanes, to compare states and streams of events. It detects
// accidental differences, not forgery: chains that must resist forgery use SHA-256.

export type Hash = { high: number; low: number };

export function createHash64(): Hash {
  return { high: 0x2f0b4c47 | 0, low: 0x811c9dc5 | 0 };
}

/** Mixes a safe integer. From one state, two different integers never give the same next state. */
export function hashNumber(hash: Hash, value: number): void {
  const low = value | 0;
  hashPair(hash, low, low === value ? low >> 31 : Math.floor(value / 4294967296) | 0);
}

/**
 * Mixes 64 bits, given as two 32-bit integers. Each step is a bijection of the state for a given
 * pair, and of the pair for a given state.
 */
export function hashPair(hash: Hash, low: number, high: number): void {
  // Two multiplications run side by side, then each lane mixes in the other: half the latency of
  // two in sequence. This chain of steps is the cost of hashing an event.
  const a = Math.imul(hash.low ^ low, 0x85ebca6b);
  const b = Math.imul(hash.high ^ high, 0xc2b2ae35) ^ (a >>> 15);
  hash.low = (a + ((b << 13) | (b >>> 19))) | 0;
  hash.high = b;
}

/**
 * Mixes a string, its length first, so that characters cannot move between neighbours unnoticed.
 */
export function hashText(hash: Hash, text: string): void {
  const units = text.length;
  let i = 0;
  hashPair(hash, units, 0x7e);
  for (; i + 4 <= units; i += 4) {
    hashPair(
      hash,
      text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16),
      text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16),
    );
  }
  for (; i < units; i += 1) hashPair(hash, text.charCodeAt(i), 0);
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
