// The only place that reads the wall clock. All other code receives a `Clock`. Code that only
// measures durations uses the stopwatch.

export type Clock = {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
};

/** Milliseconds with fractions since an arbitrary moment: only for durations, never for a time. */
export const stopwatchMs = (): number => performance.now();

/** Milliseconds of the processor that this thread has used. Cost: a call of the system. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Milliseconds by which the machine's monotonic clock is ahead of this thread's stopwatch. The
 * value never changes. With it the stopwatches of two threads can be compared.
 */
export function stopwatchLagMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6 - stopwatchMs();
}

export const systemClock: Clock = { now: () => Date.now() };
