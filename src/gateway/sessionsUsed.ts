// When sessions were last used (AUTH-11). It is not part of the exchange's state: a restart forgets
// it.

import { type BoundedCache, cacheGet, cacheSet, createBoundedCache } from '../std/boundedCache.ts';
import type { OrderId, Time } from '../units/units.ts';

/** Sessions with a time; at the bound the least recently used is dropped. */
const usedMax = 50_000;

export type SessionsUsed = {
  readonly note: (session: OrderId, now: Time) => void;
  readonly of: (session: OrderId) => Time | undefined;
};

export function createSessionsUsed(max = usedMax): SessionsUsed {
  const times: BoundedCache<Time> = createBoundedCache(max);
  return {
    note: (session, now) => {
      if (session !== 0) cacheSet(times, String(session), now);
    },
    of: (session) => cacheGet(times, String(session)),
  };
}
