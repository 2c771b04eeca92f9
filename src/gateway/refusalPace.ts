// How fast a client over a limit is refused (CON-6). A refusal costs as much as an answer from
// memory, so that a client which goes on at full speed would use most of a core.

/** Between two refusals of one client. */
export const slotMs = 5;
/** The longest wait, also when many connections wait for a slot. */
const waitMaxMs = 1000;
/** Clients that are remembered. If there are more, the oldest go on without a wait. */
const clientsMax = 20_000;

/** Answers and upgrades that a limit of the client's address refused. */
export const addressRefusals = new WeakSet<object>();

export type RefusalPace = {
  /** For how many milliseconds a new connection of the client is not read. */
  readonly waitOf: (limitKey: string, now: number) => number;
  /**
   * Counts a refusal of a client, by its limit key. Gives for how many milliseconds the refused
   * connection is not read.
   */
  readonly note: (limitKey: string, now: number) => number;
};

export function createRefusalPace(): RefusalPace {
  /** When the next slot of a client begins; oldest refusals first. */
  const next = new Map<string, number>();
  return {
    waitOf: (limitKey, now) => Math.max(0, (next.get(limitKey) ?? now) - now),
    note: (limitKey, now) => {
      const slot = Math.max(now, next.get(limitKey) ?? now);
      const wait = Math.min(waitMaxMs, slot + slotMs - now);
      next.delete(limitKey);
      next.set(limitKey, now + wait);
      forgetOldest(next, now);
      return wait;
    },
  };
}

/** Removes slots that have passed, from the front, and one more at the bound. */
function forgetOldest(next: Map<string, number>, now: number): void {
  for (const [limitKey, slot] of next) {
    if (slot > now && next.size <= clientsMax) return;
    next.delete(limitKey);
  }
}
