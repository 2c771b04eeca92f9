// What a worker knows of limits (AUTH-10): which clients the thread that counts has found to have
// nothing left in this minute. It counts nothing itself, so that it refuses only what would be
// refused there, with the same answer.

import { minuteOf } from './rateLimits.ts';

/** Limits of addresses, as the ceilings of rateLimits.ts name them. */
export const addressLimits = ['publicWeight', 'gate', 'nativeAddress'] as const;
export type AddressLimit = (typeof addressLimits)[number];

/** A limit of which a client has nothing left until its minute ends. */
export type SpentLimit = {
  readonly limit: AddressLimit;
  readonly limitKey: string;
  /** When the minute began. */
  readonly minute: number;
  /** What was used: all there is. */
  readonly used: number;
};

export type SpentLimits = {
  readonly note: (spent: SpentLimit) => void;
  /** What a client has used, when nothing is left of the limit in this minute. */
  readonly usedUp: (limit: AddressLimit, limitKey: () => string, now: number) => number | undefined;
};

/** Clients that are remembered in one minute; the serving thread refuses those beyond. */
const clientsMax = 50_000;

export function createSpentLimits(): SpentLimits {
  let minute = 0;
  const spent = new Map<string, number>();
  const nameOf = (limit: AddressLimit, limitKey: string): string => `${limit} ${limitKey}`;
  return {
    note: ({ limit, limitKey, minute: noted, used }) => {
      if (noted < minute) return;
      if (noted > minute) spent.clear();
      minute = noted;
      if (spent.size < clientsMax) spent.set(nameOf(limit, limitKey), used);
    },
    usedUp: (limit, limitKey, now) => {
      if (spent.size === 0 || minute !== minuteOf(now)) return undefined;
      return spent.get(nameOf(limit, limitKey()));
    },
  };
}
