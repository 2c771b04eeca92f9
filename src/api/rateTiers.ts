// The ceilings of the three tiers of API keys (spec, Limits). The gateway counts.

import type { RateTier } from '../engine/marginModes.ts';

export type Ceilings = {
  /** Request weight per minute. */
  readonly weight: number;
  readonly orders10s: number;
  readonly orders1m: number;
};

export const tierCeilings: Readonly<Record<RateTier, Ceilings>> = {
  standard: { weight: 1200, orders10s: 50, orders1m: 200 },
  'ext-mm': { weight: 2400, orders10s: 100, orders1m: 600 },
  house: { weight: 6000, orders10s: 200, orders1m: 1200 },
};
