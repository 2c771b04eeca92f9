// How often the faucet of a testnet gives in a UTC day, besides once to each wallet (NAT-8): to one
// client, and in all. The counts begin anew at a start.

import { assert } from '../../std/assert.ts';
import { limitKeyOf } from './limitKey.ts';

export const faucetDayMs = 86_400_000;

/** Claims of one client in a UTC day. */
export const faucetPerClientMax = 5;
/** Claims of all clients in a UTC day. Each keeps an account and its reference for ever. */
export const faucetPerDayMax = 1000;

export type FaucetLimit = {
  /** Whether one more is admitted, and counts it if so. `now` in milliseconds. */
  readonly admit: (client: string, now: number) => boolean;
  /** Takes back a claim that was admitted and gave nothing. */
  readonly giveBack: (client: string) => void;
};

export function createFaucetLimit(
  perClientMax = faucetPerClientMax,
  perDayMax = faucetPerDayMax,
): FaucetLimit {
  assert(perClientMax > 0 && perDayMax > 0, 'a faucet gives something');
  const counts = new Map<string, number>();
  let day = -1;
  let all = 0;
  return {
    admit: (client, now) => {
      const today = Math.floor(now / faucetDayMs);
      // After a clock was set back, the later day stays.
      if (today > day) {
        day = today;
        all = 0;
        counts.clear();
      }
      const key = limitKeyOf(client);
      const claimed = counts.get(key) ?? 0;
      if (claimed >= perClientMax || all >= perDayMax) return false;
      counts.set(key, claimed + 1);
      all += 1;
      return true;
    },
    giveBack: (client) => {
      const key = limitKeyOf(client);
      const claimed = counts.get(key) ?? 0;
      if (claimed === 0) return;
      counts.set(key, claimed - 1);
      all -= 1;
    },
  };
}
