// The only place that reads the wall clock. Everything else is handed a `Clock`. What only measures
// how long something took asks the stopwatch.

export type Clock = {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
};

/** Milliseconds, with fractions, since some moment: for durations only, never for a time. */
export const stopwatchMs = (): number => performance.now();

/**
 * Milliseconds by which the machine's monotonic clock is ahead of this thread's stopwatch, for ever
 * the same: with it the stopwatches of two threads can be compared.
 */
export function stopwatchLagMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6 - stopwatchMs();
}

export const systemClock: Clock = { now: () => Date.now() };
