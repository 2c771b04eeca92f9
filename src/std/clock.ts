// The only place that reads the wall clock. Everything else is handed a `Clock`.

export type Clock = {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
};

export const systemClock: Clock = { now: () => Date.now() };
