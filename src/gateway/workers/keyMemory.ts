// The secrets with which a worker checks signatures: those of keys that had a good signature and
// are still in use. A worker does not know whether a key still exists; the serving thread checks
// every request.

import { assert } from '../../std/assert.ts';
import type { HmacKey } from '../identity/hmacSignature.ts';

const minuteMs = 60_000;

export type KeyMemory = {
  /** undefined: not known, or not used for two minutes. */
  readonly keyOf: (apiKey: string, now: number) => HmacKey | undefined;
  readonly learn: (apiKey: string, key: HmacKey, now: number) => void;
};

/**
 * Keeps the keys that were used in this minute and in the one before, at most `sizeMax` of each.
 */
export function createKeyMemory(sizeMax: number): KeyMemory {
  assert(sizeMax > 0, 'a memory holds at least one key');
  let minute = 0;
  let current = new Map<string, HmacKey>();
  let previous = new Map<string, HmacKey>();
  const turn = (now: number): void => {
    const begun = Math.floor(now / minuteMs);
    if (begun <= minute) return;
    previous = begun === minute + 1 ? current : new Map();
    current = new Map();
    minute = begun;
  };
  const learn: KeyMemory['learn'] = (apiKey, key, now) => {
    turn(now);
    if (current.size < sizeMax) current.set(apiKey, key);
  };
  return {
    keyOf: (apiKey, now) => {
      turn(now);
      const found = current.get(apiKey);
      if (found !== undefined) return found;
      const before = previous.get(apiKey);
      if (before !== undefined) learn(apiKey, before, now);
      return before;
    },
    learn,
  };
}
