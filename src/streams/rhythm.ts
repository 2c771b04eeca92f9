// What streams do from time to time: a book's update, a ticker. Whoever owns the process calls
// `beat` often; each thing happens when its time has come and it has something to say.

export type Rhythm = {
  readonly everyMs: number;
  /** Does it; false when there was nothing to say, and the next change need not wait. */
  readonly run: () => boolean;
  /** When it was last done. */
  ranAt: number;
};

/** Adds a rhythm that is due at once, unless it ran just now; gives back how it ends. */
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
    if (now - rhythm.ranAt >= rhythm.everyMs && rhythm.run()) rhythm.ranAt = now;
  }
}
