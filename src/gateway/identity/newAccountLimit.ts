// How many accounts one client may make by logins in a day (AUTH-5a). Logins of wallets that have
// an account already do not count.

import { assert } from '../../std/assert.ts';
import { limitKeyOf } from './limitKey.ts';

const dayMs = 86_400_000;

/** New accounts of one client in a UTC day. */
export const newAccountsPerClientMax = 200;
/** Clients with a count of their own. */
const clientsMax = 200_000;

export type NewAccountLimit = {
  /** Whether one more is admitted, and counts it if so. `now` in milliseconds. */
  readonly admit: (client: string, now: number) => boolean;
};

/**
 * A full memory is emptied: a limit of addresses cannot stop a client with so many addresses, but
 * the engine's own bound does.
 */
export function createNewAccountLimit(
  perClientMax = newAccountsPerClientMax,
  countsMax = clientsMax,
): NewAccountLimit {
  assert(perClientMax > 0 && countsMax > 0, 'a limit of new accounts admits something');
  const counts = new Map<string, number>();
  let day = -1;
  return {
    admit: (client, now) => {
      const today = Math.floor(now / dayMs);
      // After a clock was set back, the later day stays.
      if (today > day) {
        day = today;
        counts.clear();
      }
      const key = limitKeyOf(client);
      const made = counts.get(key) ?? 0;
      if (made >= perClientMax) return false;
      if (made === 0 && counts.size >= countsMax) counts.clear();
      counts.set(key, made + 1);
      return true;
    },
  };
}
