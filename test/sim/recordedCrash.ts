// The recordings that simulated days play: a whole day with its crash
// (test/fixtures/recordedDay.ts), and a short one, a quiet market that loses two fifths in ten
// minutes, as the same CSV of trades.

import { writeFileSync } from 'node:fs';
import { createPrng } from '../../src/std/prng.ts';
import { recordedDay } from '../fixtures/recordedDay.ts';

/** AVAX of the recorded day: the index from its spot trades, and the prints of a perpetual. */
export function recordedDayArgs(): string[] {
  const { AVAXUSDT, prints } = recordedDay();
  return ['--index', AVAXUSDT, '--prints', prints];
}

/** 10 October 2025, 00:00 UTC. */
const start = 1_760_054_400_000;
const quietMinutes = 8;
const fallMinutes = 10;
const laterMinutes = 4;

export const crashMinutes = quietMinutes + fallMinutes + laterMinutes;

/** Writes two trades a second around 100 USDT, then down to 60, and a little up again. */
export function writeRecordedCrash(path: string): void {
  const prng = createPrng(7);
  const rows = ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount'];
  for (let i = 0; i < crashMinutes * 120; i += 1) {
    const minute = i / 120;
    const { level, noise } = marketAt(minute);
    const price = level * (1 + (prng.unit() - 0.5) * 2 * noise);
    const at = (start + i * 500 + 1) * 1000;
    rows.push(`nowhere,CRASH-USD,${at},${at},${i},buy,${price.toFixed(4)},1`);
  }
  writeFileSync(path, `${rows.join('\n')}\n`);
}

function marketAt(minute: number): { readonly level: number; readonly noise: number } {
  if (minute < quietMinutes) return { level: 100, noise: 0.0005 };
  const fallen = Math.min(1, (minute - quietMinutes) / fallMinutes);
  const risen = Math.max(0, minute - quietMinutes - fallMinutes) / laterMinutes;
  return { level: 100 - 40 * fallen + 5 * risen, noise: fallen < 1 ? 0.005 : 0.002 };
}
