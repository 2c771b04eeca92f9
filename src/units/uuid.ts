// Identifiers on the wire (ID-1): UUIDs of version 7, made of the time and the number that the
// engine gave. Their order as text is the order of creation, and the number can be read back.

import { assert } from '../std/assert.ts';
import type { Time } from './units.ts';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const lowBits = 2 ** 41;

/** Whether the text has the form of a UUID of any version. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}

/**
 * The UUID of number `sequence` at `time`. Layout: 48 bits of milliseconds, version 7, the upper
 * 12 of the number's 53 bits, variant 2, its lower 41 bits, 21 bits of zero.
 */
export function formatUuid(time: Time, sequence: number): string {
  assert(sequence >= 0 && Number.isSafeInteger(sequence), 'a sequence number is a safe integer');
  const milliseconds = time.toString(16).padStart(12, '0');
  const high = Math.floor(sequence / lowBits);
  const low = sequence % lowBits;
  // Variant bits 10, then 41 bits of the number, then 21 zero bits: 64 bits in two halves.
  const upper = 0x80000000 + Math.floor(low / 2 ** 11);
  const lower = (low % 2 ** 11) * 2 ** 21;
  const upperText = upper.toString(16);
  const lowerText = lower.toString(16).padStart(8, '0');
  const head = `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}`;
  const middle = `7${high.toString(16).padStart(3, '0')}-${upperText.slice(0, 4)}`;
  return `${head}-${middle}-${upperText.slice(4)}${lowerText}`;
}

/**
 * The number and time in a UUID of this exchange; undefined for a UUID that it cannot have made.
 */
export function parseUuid(text: string): { time: Time; sequence: number } | undefined {
  if (!isUuid(text)) return undefined;
  const digits = text.replaceAll('-', '').toLowerCase();
  const time = Number.parseInt(digits.slice(0, 12), 16) as Time;
  const high = Number.parseInt(digits.slice(13, 16), 16);
  const upper = Number.parseInt(digits.slice(16, 24), 16) - 0x80000000;
  const lower = Number.parseInt(digits.slice(24), 16);
  if (digits[12] !== '7' || upper < 0 || upper >= 2 ** 30 || lower % 2 ** 21 !== 0)
    return undefined;
  return { time, sequence: high * lowBits + upper * 2 ** 11 + lower / 2 ** 21 };
}
