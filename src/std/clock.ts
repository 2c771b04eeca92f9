// The only place that reads the wall clock. Everything else is handed a `Clock`. What only measures
// how long something took asks the stopwatch.

export type Clock = {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
};

/** Milliseconds, with fractions, since some moment: for durations only, never for a time. */
export const stopwatchMs = (): number => performance.now();

export const systemClock: Clock = { now: () => Date.now() };
