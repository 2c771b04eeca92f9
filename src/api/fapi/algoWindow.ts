// The period that queries of triggers look back on: at most seven days (spec).

import type { Refusal } from '../refusal.ts';

/** Seven days. */
export const algoWindowMs = 604_800_000;

/** Both bounds are sent and lie more than seven days apart: -1100. */
export function windowTooWide(sent: {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}): Refusal | undefined {
  const { startTime, endTime } = sent;
  if (startTime === undefined || endTime === undefined) return undefined;
  if (endTime - startTime <= algoWindowMs) return undefined;
  return { reason: 'parameterIllegal', name: 'endTime' };
}
