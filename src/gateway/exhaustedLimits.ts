// What a worker knows of limits (AUTH-10): how much of a limit a client has left in this minute, as
// the serving thread reported it. A worker counts nothing itself, so that it refuses only what the
// serving thread would refuse, with the same answer.

import { minuteOf } from './rateLimits.ts';

/** Limits of addresses, as the ceilings of rateLimits.ts name them. */
export const addressLimits = ['publicWeight', 'gate', 'nativeAddress'] as const;
export type AddressLimit = (typeof addressLimits)[number];

/** A limit of which a client has too little left for a request that it sent. */
export type ExhaustedLimit = {
  readonly limit: AddressLimit;
  readonly limitKey: string;
  /** When the minute began. */
  readonly minute: number;
  /** What the client has used, and what it can use at most until the minute ends. */
  readonly used: number;
  readonly left: number;
};

/** A request of a client, and its weight in a limit. */
export type WeighedRequest = {
  readonly limit: AddressLimit;
  readonly limitKey: string;
  /** Called only if something is known of the client. */
  readonly weigh: () => number;
};

export type ExhaustedLimits = {
  readonly note: (exhausted: ExhaustedLimit) => void;
  /** Whether nothing is known of any client in this minute. */
  readonly isEmpty: (now: number) => boolean;
  /** What the client has used, if it has too little left for the request; otherwise undefined. */
  readonly usedUp: (request: WeighedRequest, now: number) => number | undefined;
};

/** Clients that are remembered in one minute; the serving thread refuses the others. */
const clientsMax = 50_000;

export function createExhaustedLimits(): ExhaustedLimits {
  let minute = 0;
  const exhausted = new Map<string, Pick<ExhaustedLimit, 'used' | 'left'>>();
  const nameOf = (limit: AddressLimit, limitKey: string): string => `${limit} ${limitKey}`;
  const isEmpty = (now: number): boolean => exhausted.size === 0 || minute !== minuteOf(now);
  return {
    isEmpty,
    note: ({ limit, limitKey, minute: noted, used, left }) => {
      if (noted < minute) return;
      if (noted > minute) exhausted.clear();
      minute = noted;
      const name = nameOf(limit, limitKey);
      const known = exhausted.get(name);
      if (known === undefined ? exhausted.size >= clientsMax : known.left < left) return;
      exhausted.set(name, { used, left });
    },
    usedUp: ({ limit, limitKey, weigh }, now) => {
      if (isEmpty(now)) return undefined;
      const known = exhausted.get(nameOf(limit, limitKey));
      return known === undefined || weigh() <= known.left ? undefined : known.used;
    },
  };
}
