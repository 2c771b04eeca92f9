// The flags that give a server its index prices: the recorded trades of 10 October 2025 where the
// folder with them is there, else the simulated feed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../shared/data');
const recordings = {
  BTCUSDT: 'gemini_trades_2025-10-10_BTCUSD.csv.gz',
  ETHUSDT: 'gemini_trades_2025-10-10_ETHUSD.csv.gz',
  AVAXUSDT: 'coinbase_trades_2025-10-10_AVAX-USD.csv.gz',
} as const;

/** Two minutes of the recording in a second: it stays in the calm before the crash. */
const speed = 120;

/** Whether prices are replayed. */
export const recorded = Object.values(recordings).every((file) => existsSync(join(folder, file)));

/** Flags of `evermark start`. */
export function feedFlags(): string[] {
  if (!recorded) return ['--feed', 'sim'];
  const files = Object.entries(recordings).map(
    ([symbol, file]) => `${symbol}=${join(folder, file)}`,
  );
  return ['--feed', `replay:${files.join(',')}`, '--feed-speed', String(speed)];
}
