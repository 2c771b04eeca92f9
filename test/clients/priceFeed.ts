// The flags that give a server its index prices: the trades of the recorded day.

import { recordedDay } from '../fixtures/recordedDay.ts';

/** Two minutes of the recording in a second: it stays in the calm before the crash. */
const speed = 120;

/** Flags of `evermark start`. */
export function feedFlags(): string[] {
  const { BTCUSDT, ETHUSDT, AVAXUSDT } = recordedDay();
  const files = Object.entries({ BTCUSDT, ETHUSDT, AVAXUSDT }).map(
    ([symbol, path]) => `${symbol}=${path}`,
  );
  return ['--feed', `replay:${files.join(',')}`, '--feed-speed', String(speed)];
}
