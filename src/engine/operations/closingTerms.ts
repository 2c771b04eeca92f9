// At which price, and how many lots, the exchange closes outside of the book: what the insurance
// fund takes over, and what is deleveraged (LIQ-3, LIQ-4).

import type { Lots, Rate, Ticks } from '../../units/units.ts';
import { bankruptcyTicks, waitingPart } from '../clearing/bankruptcy.ts';
import { lotsToFree } from '../clearing/maintenance.ts';
import { marginStatusOf, type Subject, statusToSpend } from '../clearing/marginStatus.ts';
import type { Exchange } from '../exchange.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { markBound } from '../pricing/markBound.ts';

/** A part of a position that is liquidated. */
export type Remainder = {
  readonly subject: Subject;
  readonly position: Position;
  /** What the book left of it. */
  readonly lots: Lots;
};

export type ClosingTerms = {
  readonly ticks: Ticks;
  readonly lots: Lots;
  /** Whether the lots are fewer than the book left, because they restore Σ maintenance. */
  readonly restores: boolean;
};

/**
 * Without equity: everything at the bankruptcy price. With equity E > 0: at the bankruptcy price,
 * or at most two thirds of the market's maintenance rate from the mark,
 *   mark × (1 ∓ 2 / 3 × maintenance rate), rounded towards the mark.
 * Where the second is nearer to the mark, which needs a surcharge, only
 *   lots = (Σ maintenance − E) / ((own rate − 2 / 3 × maintenance rate) × mark), rounded up
 * are closed: then the account stands at its maintenance margin again.
 */
export function closingTerms(
  exchange: Exchange,
  { subject, position, lots }: Remainder,
): ClosingTerms {
  const market = exchange.markets[position.market]!;
  const side = (position.lots > 0 ? -1 : 1) as Side;
  const present = marginStatusOf(exchange, subject);
  const toSpend = statusToSpend(exchange, subject, present);
  const ticks = bankruptcyTicks(exchange, subject, position, toSpend);
  const cost = waitingRate(market.terms.maintenanceMarginRate);
  const fair = markBound(market.prices.mark, side, cost);
  if (present.equity <= 0 || side * (ticks - fair) <= 0) return { ticks, lots, restores: false };
  const amount = 10n * BigInt(present.maintenance - present.equity);
  const restoring = lotsToFree(market, position, { amount, tenths: 10, cost });
  if (restoring >= lots) return { ticks: fair, lots, restores: false };
  return { ticks: fair, lots: restoring, restores: true };
}

/** Two thirds of a rate, rounded up: what an account of this rate has when it no longer waits. */
const waitingRate = (rate: Rate): Rate =>
  Math.ceil((rate * waitingPart.parts) / waitingPart.of) as Rate;
