// The only place that reads the wall clock. Everything else is handed a `Clock`. What only measures
// how long something took asks the stopwatch.

export type Clock = {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
};

/** Milliseconds, with fractions, since some moment: for durations only, never for a time. */
export const stopwatchMs = (): number => performance.now();

/** As the stopwatch, but of one beginning in all threads of the process. */
export const processStopwatchMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

export const systemClock: Clock = { now: () => Date.now() };
