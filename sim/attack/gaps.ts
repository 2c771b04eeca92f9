// Moves of a price from one second to the next, as they were recorded, or drawn when there is no
// recording.

import type { Prng } from '../../src/std/prng.ts';
import { readRecordedTrades } from '../recordedTrades.ts';

/** Parts of the price, signed; never empty. */
export type Gaps = readonly number[];

/** Smaller moves than these are everyday. */
const smallest = 0.003;
const largest = 0.3;

/** Every move of at least 0.3 % between the last prices of two seconds that follow each other. */
export async function readGaps(file: string, say: (line: string) => void): Promise<Gaps> {
  const trades = await readRecordedTrades(file, { fromMinute: 0, limitMinutes: 10_080 }, say);
  const gaps: number[] = [];
  let second = Number.NaN;
  let last = 0;
  let before = 0;
  for (const { at, price } of trades) {
    const present = Math.floor(at / 1_000_000);
    if (present !== second) {
      before = present === second + 1 ? last : 0;
      second = present;
    }
    const move = before === 0 ? 0 : Number(price) / before - 1;
    if (Math.abs(move) >= smallest && Math.abs(move) <= largest) gaps.push(move);
    last = Number(price);
  }
  if (gaps.length === 0) throw new Error(`${file} has no move of 0.3 % within a second`);
  return gaps.sort((a, b) => a - b);
}

/** Both signs, from 0.3 % to 10 %, small ones more often. */
export function drawnGaps(): Gaps {
  const gaps: number[] = [];
  for (let at = 0; at < 100; at += 1) {
    const size = smallest * (0.1 / smallest) ** ((at / 100) ** 2);
    gaps.push(-size, size);
  }
  return gaps.sort((a, b) => a - b);
}

export const drawGap = (prng: Prng, gaps: Gaps): number => gaps[prng.below(gaps.length)]!;
