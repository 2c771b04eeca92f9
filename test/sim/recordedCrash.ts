// The recordings that simulated days play: those of 10 October 2025 where they are at hand, and one
// that never was, a quiet market that loses two fifths in ten minutes, as the same CSV of trades.

import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createPrng } from '../../src/std/prng.ts';

const recorded = resolve(import.meta.dirname, '../../../shared/data');

const spot = join(recorded, 'coinbase_trades_2025-10-10_AVAX-USD.csv.gz');
const perpetual = join(recorded, 'binance-delivery_trades_2025-10-10_AVAXUSD_PERP.csv.gz');

/** AVAX of 10 October 2025: the index from its spot trades, and the prints of a perpetual. */
export const realCrash = {
  isThere: existsSync(spot) && existsSync(perpetual),
  args: ['--index', spot, '--prints', perpetual],
} as const;

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
