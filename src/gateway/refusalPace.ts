// How fast a client or an account over a limit is refused (CON-6). A refusal costs as much as an
// answer from memory, so that one which goes on at full speed would use most of a core.

import type { AccountId } from '../units/units.ts';

/** Between two refusals of one client. */
export const slotMs = 5;
/** The longest wait, also when many connections wait for a slot. */
const waitMaxMs = 1000;
/** Clients and accounts that are remembered. If there are more, the oldest go on without a wait. */
const clientsMax = 20_000;

/** Answers and upgrades that a limit of the client's address refused. */
export const addressRefusals = new WeakSet<object>();
/** Answers that a limit of an account or of its key refused, with the account. */
export const accountRefusals = new WeakMap<object, AccountId>();

export type RefusalPace = {
  /** For how many milliseconds a new connection of the client is not read. */
  readonly waitOf: (limitKey: string, now: number) => number;
  /**
   * Counts a refusal of a client, by its limit key, or of an account. Gives for how many
   * milliseconds the refused connection is not read.
   */
  readonly note: (refused: string | AccountId, now: number) => number;
};

export function createRefusalPace(): RefusalPace {
  /** When the next slot of a client or an account begins; oldest refusals first. */
  const next = new Map<string | AccountId, number>();
  return {
    waitOf: (limitKey, now) => Math.max(0, (next.get(limitKey) ?? now) - now),
    note: (refused, now) => {
      const slot = Math.max(now, next.get(refused) ?? now);
      const wait = Math.min(waitMaxMs, slot + slotMs - now);
      next.delete(refused);
      next.set(refused, now + wait);
      forgetOldest(next, now);
      return wait;
    },
  };
}

/** Removes slots that have passed, from the front, and one more at the bound. */
function forgetOldest(next: Map<string | AccountId, number>, now: number): void {
  for (const [refused, slot] of next) {
    if (slot > now && next.size <= clientsMax) return;
    next.delete(refused);
  }
}
