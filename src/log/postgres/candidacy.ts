// When a process may take over the lease of the log: what it has seen of the lease, and since when.
// It decides and does nothing; openPostgresLog.ts asks the database.
//
// No clock of the database takes part. A candidate waits until it has seen the same renewal for the
// whole length of the lease by its own stopwatch. The holder counts from before it sent that
// renewal, so the holder's time always ends first, even when the clock of the database jumps.

/** How long a renewal holds. */
export const leaseMs = 1500;
/** How often the holder renews. */
export const renewEveryMs = 400;
/** How often a candidate looks. */
export const pollEveryMs = 100;
/** A process whose clock differs by more from the database's may not become the holder. */
export const clockOffMaxMs = 500;

/** The row of the lease. */
export type Lease = {
  /** Grows by one with each takeover. */
  readonly epoch: number;
  /** The start of a process, never used again. */
  readonly holder: string;
  /**
   * The number that the holder gave to its last renewal. It is never given twice, not even when the
   * database has lost the renewal before.
   */
  readonly renewal: number;
  /** Whether the holder has given the lease back. */
  readonly released: boolean;
};

/** What one look at the database showed, and how long it took by the clocks on both sides. */
export type Look = {
  readonly lease: Lease;
  /** The database's clock, and this machine's before the question and after the answer. */
  readonly databaseMs: number;
  readonly askedMs: number;
  readonly answeredMs: number;
};

export type Candidacy = {
  /** The renewal that was seen last, and when it was seen first and last, by the stopwatch. */
  sight: { readonly lease: Lease; readonly since: number; readonly seenAt: number } | undefined;
};

export type Decision = 'held' | 'clockOff' | 'wait' | 'takeOver';

/**
 * Without an answer for so long a candidate counts anew: when a database is back after an outage,
 * its holder has the time to renew.
 */
const unseenMaxMs = leaseMs / 2;

/**
 * Decides after a look; `nowMs` is the stopwatch, and `undefined` says that the database did not
 * answer.
 */
export function decide(
  candidacy: Candidacy,
  look: Look | undefined,
  { holder, nowMs }: { readonly holder: string; readonly nowMs: number },
): Decision {
  if (look === undefined) return 'wait';
  const { lease } = look;
  if (lease.holder === holder) return lease.released ? 'wait' : 'held';
  const { sight } = candidacy;
  const goesOn =
    sight !== undefined && isSame(sight.lease, lease) && nowMs - sight.seenAt <= unseenMaxMs;
  const since = goesOn ? sight.since : nowMs;
  candidacy.sight = { lease, since, seenAt: nowMs };
  if (clockOffMs(look) > clockOffMaxMs) return 'clockOff';
  if (lease.released) return 'takeOver';
  return nowMs - since >= leaseMs ? 'takeOver' : 'wait';
}

function isSame(a: Lease, b: Lease): boolean {
  return a.epoch === b.epoch && a.holder === b.holder && a.renewal === b.renewal;
}

/** By how much the two clocks differ at least, whenever the database read its own. */
export function clockOffMs({ databaseMs, askedMs, answeredMs }: Omit<Look, 'lease'>): number {
  return Math.max(0, askedMs - databaseMs, databaseMs - answeredMs);
}
