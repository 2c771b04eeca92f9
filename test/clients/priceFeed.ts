// The flags that give a server its index prices: the trades of the recorded day.

import { recordedDay } from '../fixtures/recordedDay.ts';

/** Ten seconds of the recording in one: for an hour it stays in the calm before the crash. */
const speed = 10;

/** Flags of `evermark start`. */
export function feedFlags(): string[] {
  const { BTCUSDT, ETHUSDT, AVAXUSDT } = recordedDay();
  const files = Object.entries({ BTCUSDT, ETHUSDT, AVAXUSDT }).map(
    ([symbol, path]) => `${symbol}=${path}`,
  );
  return ['--feed', `replay:${files.join(',')}`, '--feed-speed', String(speed)];
}
