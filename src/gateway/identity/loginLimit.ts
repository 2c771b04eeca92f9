// How often signatures are recovered for one caller: the limit before the recovery thread. It uses
// fixed windows of a minute, so that all counts of a window are forgotten at once.

import { assert } from '../../std/assert.ts';
import { countInMinute } from '../rateLimits.ts';
import { type Counter, createCounter, shareLimit, type Tallies } from '../tallies.ts';

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

/** `tallies`: of a process that shares its limits with others. */
export function createLoginLimit(
  limits: LoginLimits = loginLimitsDefault,
  tallies?: Tallies,
): LoginLimit {
  const { perPairMax, perClientMax, countsMax } = limits;
  assert(perPairMax > 0 && perClientMax > 0 && countsMax > 1, 'login limits admit something');
  const counts = new Map<string, Counter>();
  let window = 0;
  const turnTo = (current: number): void => {
    // The clock of another process may be in the next minute already.
    if (current === window || current === window - windowMs) return;
    window = current;
    counts.clear();
  };
  const limit = { word: 'login', lengthMs: windowMs, ceiling: perPairMax };
  const kind = shareLimit(tallies, limit, (name, begun) => {
    if (begun > window) turnTo(begun);
    if (begun !== window) return undefined;
    return counts.get(name) ?? (counts.size < countsMax ? make(name) : undefined);
  });
  const make = (name: string): Counter => {
    const counter = createCounter(kind, name);
    counts.set(name, counter);
    return counter;
  };
  return {
    admit: (client, wallet, now) => {
      turnTo(now - (now % windowMs));
      const pair = `${client} ${wallet}`;
      const [ofPair, ofClient] = [counts.get(pair), counts.get(client)];
      if ((ofPair?.used ?? 0) >= perPairMax || (ofClient?.used ?? 0) >= perClientMax) return false;
      const isKnown = ofPair !== undefined && ofClient !== undefined;
      if (!isKnown && counts.size + 2 > countsMax) return false;
      countInMinute(ofPair ?? make(pair), 1, now);
      countInMinute(ofClient ?? make(client), 1, now);
      return true;
    },
  };
}
