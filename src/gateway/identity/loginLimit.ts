// How often signatures are recovered for one caller: the limit before the recovery thread. It uses
// fixed windows of a minute, so that all counts of a window are forgotten at once.

import { assert } from '../../std/assert.ts';

const windowMs = 60_000;

export type LoginLimits = {
  /** Per client address and wallet. */
  readonly perPairMax: number;
  /** Per client address, over all wallets. */
  readonly perClientMax: number;
  /** Counts held in one window; beyond it new callers are refused, not remembered. */
  readonly countsMax: number;
};

/** 600 recoveries are 0.8 s of the recovery thread in a minute. */
export const loginLimitsDefault: LoginLimits = {
  perPairMax: 10,
  perClientMax: 600,
  countsMax: 200_000,
};

export type LoginLimit = {
  /** Whether one more attempt is admitted, and counts it if so. `now` in milliseconds. */
  readonly admit: (client: string, wallet: string, now: number) => boolean;
};

export function createLoginLimit(limits: LoginLimits = loginLimitsDefault): LoginLimit {
  const { perPairMax, perClientMax, countsMax } = limits;
  assert(perPairMax > 0 && perClientMax > 0 && countsMax > 1, 'login limits admit something');
  const counts = new Map<string, number>();
  let window = -1;
  return {
    admit: (client, wallet, now) => {
      const current = Math.floor(now / windowMs);
      if (current !== window) {
        window = current;
        counts.clear();
      }
      const pair = `${client} ${wallet}`;
      const ofPair = counts.get(pair) ?? 0;
      const ofClient = counts.get(client) ?? 0;
      if (ofPair >= perPairMax || ofClient >= perClientMax) return false;
      if ((ofPair === 0 || ofClient === 0) && counts.size + 2 > countsMax) return false;
      counts.set(pair, ofPair + 1);
      counts.set(client, ofClient + 1);
      return true;
    },
  };
}
