// What streams do at intervals: a book's update, a ticker. The owner of the process calls `beat`
// often. Each rhythm runs when its time has come and it has something to send.

export type Rhythm = {
  readonly everyMs: number;
  /** Runs it; false when there was nothing to send, and the next change need not wait. */
  readonly run: () => boolean;
  /** When it last ran. */
  ranAt: number;
};

/** Adds a rhythm that is due at once, unless it ran just now; gives the function that ends it. */
export function addRhythm(
  rhythms: Set<Rhythm>,
  { everyMs, run }: Pick<Rhythm, 'everyMs' | 'run'>,
  ranAt = Number.NEGATIVE_INFINITY,
): () => void {
  const rhythm = { everyMs, run, ranAt };
  rhythms.add(rhythm);
  return () => rhythms.delete(rhythm);
}

export function beat(rhythms: ReadonlySet<Rhythm>, now: number): void {
  for (const rhythm of rhythms) {
    const past = now - rhythm.ranAt;
    // After a clock was set back, the next run is now.
    if ((past < 0 || past >= rhythm.everyMs) && rhythm.run()) rhythm.ranAt = now;
  }
}
