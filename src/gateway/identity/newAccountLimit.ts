// How many accounts one client may make by logins in a day (AUTH-5a). Logins of wallets that have
// an account already do not count.

import { assert } from '../../std/assert.ts';
import { usedIn } from '../rateLimits.ts';
import { type Counter, createCounter, noteUse, shareLimit, type Tallies } from '../tallies.ts';
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
  tallies?: Tallies,
): NewAccountLimit {
  assert(perClientMax > 0 && countsMax > 0, 'a limit of new accounts admits something');
  const counts = new Map<string, Counter>();
  let day = 0;
  const counterOf = (key: string, today: number): Counter => {
    // After a clock was set back, the later day stays.
    if (today > day) {
      day = today;
      counts.clear();
    }
    const known = counts.get(key);
    if (known !== undefined) return known;
    if (counts.size >= countsMax) counts.clear();
    const counter = createCounter(kind, key);
    counts.set(key, counter);
    return counter;
  };
  const limit = { word: 'newAccounts', lengthMs: dayMs, ceiling: perClientMax };
  const kind = shareLimit(tallies, limit, counterOf);
  return {
    admit: (client, now) => {
      const counter = counterOf(limitKeyOf(client), now - (now % dayMs));
      if (usedIn(counter, dayMs, now) >= perClientMax) return false;
      counter.used += 1;
      noteUse(counter);
      return true;
    },
  };
}
