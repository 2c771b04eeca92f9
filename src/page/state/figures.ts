// Figures that the page computes itself between messages of the exchange: the profit of a position
// at the newest mark. Exact: whole steps and 1e-6 USDT.

import type { Position } from './account.ts';
import { scaledOf, stepsOf } from './grid.ts';
import type { Market } from './market.ts';

/** Of an entry price, which has more decimals than the tick. */
const entryDecimals = 12;

export type PositionFigures = {
  /** Whole lots, signed. */
  readonly lots: bigint;
  /** 1e-6 USDT, rounded down. */
  readonly profit: bigint;
  /** Hundredths of a percent of the collateral; undefined without collateral. */
  readonly returnBps: bigint | undefined;
  /** 1e-6 USDT at the mark. */
  readonly notional: bigint;
};

/** profit = lots × (mark − entry); return = profit / collateral. */
export function positionFigures(position: Position, market: Market, mark: string): PositionFigures {
  const lots = stepsOf(position.position_amt, market.lot);
  const unit = 10n ** BigInt(entryDecimals);
  const entry = scaledOf(position.entry_price, entryDecimals);
  const tickUnit = (BigInt(market.tick.step) * unit) / 10n ** BigInt(market.tick.decimals);
  const difference = scaledOf(mark, entryDecimals) - entry;
  const scaled = difference * lots * market.grain;
  const quotient = scaled / tickUnit;
  const profit = scaled < 0n && scaled % tickUnit !== 0n ? quotient - 1n : quotient;
  const collateral = scaledOf(position.collateral, 6);
  const size = lots < 0n ? -lots : lots;
  return {
    lots,
    profit,
    returnBps: collateral > 0n ? (profit * 10_000n) / collateral : undefined,
    notional: stepsOf(mark, market.tick) * size * market.grain,
  };
}
