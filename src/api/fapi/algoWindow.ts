// The time that queries of triggers look back on: at most seven days in all (spec).

import type { Refusal } from '../refusal.ts';

/** Seven days. */
export const algoWindowMs = 604_800_000;

/** Both bounds and more than seven days between them: -1100. */
export function windowTooWide(sent: {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}): Refusal | undefined {
  const { startTime, endTime } = sent;
  if (startTime === undefined || endTime === undefined) return undefined;
  if (endTime - startTime <= algoWindowMs) return undefined;
  return { reason: 'parameterIllegal', name: 'endTime' };
}
