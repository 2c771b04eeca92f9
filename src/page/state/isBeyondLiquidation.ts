// Whether a stop comes too late: the liquidation price lies before it.

import { stepsOf } from './grid.ts';
import type { Market } from './market.ts';

export type Liquidated = {
  /** As the wire has it; "0" when no price liquidates the position. */
  readonly liquidation: string;
  readonly isLong: boolean;
  readonly market: Market;
};

/** A stop at the liquidation price is beyond it: liquidations come before triggers (FUND-3). */
export function isBeyondLiquidation(
  stopTicks: bigint,
  { liquidation, isLong, market }: Liquidated,
): boolean {
  const ticks = stepsOf(liquidation, market.tick);
  if (ticks <= 0n) return false;
  return isLong ? stopTicks <= ticks : stopTicks >= ticks;
}
