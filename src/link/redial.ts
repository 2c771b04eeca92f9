// How long to wait before the next attempt to reach a peer: at first hardly at all, because it has
// just started or a cable was moved, and then longer and longer.

const firstPauseMs = 50;
const lastPauseMs = 2000;
/** A link that has lived so long was a good one. */
const goodAfterMs = 5000;

export type Redial = { pauseMs: number };

export const createRedial = (): Redial => ({ pauseMs: firstPauseMs });

/** The pause after an attempt whose link lived for this time; zero when there was none. */
export function pauseAfter(redial: Redial, livedMs: number): number {
  if (livedMs >= goodAfterMs) redial.pauseMs = firstPauseMs;
  const { pauseMs } = redial;
  redial.pauseMs = Math.min(2 * pauseMs, lastPauseMs);
  return pauseMs;
}
