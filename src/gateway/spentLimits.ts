// What a worker knows of limits (AUTH-10): how much of one a client has left in this minute, as the
// thread that counts has found. It counts nothing itself, so that it refuses only what would be
// refused there, with the same answer.

import { minuteOf } from './rateLimits.ts';

/** Limits of addresses, as the ceilings of rateLimits.ts name them. */
export const addressLimits = ['publicWeight', 'gate', 'nativeAddress'] as const;
export type AddressLimit = (typeof addressLimits)[number];

/** A limit of which what a client has left did not suffice for a request. */
export type SpentLimit = {
  readonly limit: AddressLimit;
  readonly limitKey: string;
  /** When the minute began. */
  readonly minute: number;
  /** What was used, and what can be used at most until the minute ends. */
  readonly used: number;
  readonly left: number;
};

/** A request of a client that weighs so much in a limit. */
export type WeighedRequest = {
  readonly limit: AddressLimit;
  readonly limitKey: string;
  /** Asked only when something is known of the client. */
  readonly weigh: () => number;
};

export type SpentLimits = {
  readonly note: (spent: SpentLimit) => void;
  /** Whether nothing is known of any client in this minute: then there is nothing to ask. */
  readonly isEmpty: (now: number) => boolean;
  /** What its client has used, when what is left does not suffice; undefined: it may. */
  readonly usedUp: (request: WeighedRequest, now: number) => number | undefined;
};

/** Clients that are remembered in one minute; the serving thread refuses those beyond. */
const clientsMax = 50_000;

export function createSpentLimits(): SpentLimits {
  let minute = 0;
  const spent = new Map<string, Pick<SpentLimit, 'used' | 'left'>>();
  const nameOf = (limit: AddressLimit, limitKey: string): string => `${limit} ${limitKey}`;
  const isEmpty = (now: number): boolean => spent.size === 0 || minute !== minuteOf(now);
  return {
    isEmpty,
    note: ({ limit, limitKey, minute: noted, used, left }) => {
      if (noted < minute) return;
      if (noted > minute) spent.clear();
      minute = noted;
      const name = nameOf(limit, limitKey);
      const known = spent.get(name);
      if (known === undefined ? spent.size >= clientsMax : known.left < left) return;
      spent.set(name, { used, left });
    },
    usedUp: ({ limit, limitKey, weigh }, now) => {
      if (isEmpty(now)) return undefined;
      const known = spent.get(nameOf(limit, limitKey));
      return known === undefined || weigh() <= known.left ? undefined : known.used;
    },
  };
}
