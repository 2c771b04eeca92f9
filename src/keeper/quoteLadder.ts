// What the house market maker wants in the book of one market: a pure function of index, inventory
// and parameters. How the book is brought there stands in reconcileQuotes.ts.

import { assert } from '../std/assert.ts';
import { mulDivCeil, mulDivFloor } from '../units/mulDiv.ts';
import type { Grain } from '../units/notional.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks } from '../units/units.ts';
import { indexTicksMax } from './roundToTicks.ts';

export type QuoteSide = 'BUY' | 'SELL';

export type Quote = { readonly side: QuoteSide; readonly ticks: Ticks; readonly lots: Lots };

export type LadderParameters = {
  /** Quotes on each side. */
  readonly levels: number;
  /** Distance of the best quote from the reservation price, a fraction of it; above 0. */
  readonly halfSpread: Rate;
  /** Distance of each further quote from the one before, a fraction of the reservation price. */
  readonly step: Rate;
  /** Notional of one quote. */
  readonly size: Money;
  /** Notional of the largest position, either way. */
  readonly inventoryMax: Money;
  /** How far a full inventory moves the reservation price against itself, a fraction. */
  readonly skew: Rate;
};

export type LadderInput = {
  readonly index: Ticks;
  /** The signed position. */
  readonly inventory: Lots;
  readonly grain: Grain;
  /** The market's smallest notional of an order. */
  readonly notionalMin: Money;
  readonly parameters: LadderParameters;
};

/**
 * The quotes, bids from the best down, then asks from the best up. Were one side filled whole, the
 * position would still lie within its bound; beyond the bound only the side that reduces it quotes.
 *
 * reservation = index − index × skew × inventory / inventoryMax
 */
export function quoteLadder(input: LadderInput): readonly Quote[] {
  const { index, inventory, grain, parameters } = input;
  assert(index > 0 && index <= indexTicksMax, 'a ladder stands around an index');
  assert(parameters.halfSpread > 0 && parameters.step >= 0, 'a ladder has a spread');
  assert(parameters.skew >= 0 && parameters.skew < rateOne, 'a skew keeps the price above 0');
  const inventoryMax = lotsFor(parameters.inventoryMax, index, grain);
  if (inventoryMax === 0) return [];
  const held = Math.min(Math.max(inventory, -inventoryMax), inventoryMax);
  const shift = mulDivFloor(mulDivFloor(index, parameters.skew, rateOne), held, inventoryMax);
  const reservation = Math.max(1, index - shift) as Ticks;
  return [
    ...sideOf('BUY', reservation, inventoryMax - inventory, input),
    ...sideOf('SELL', reservation, inventoryMax + inventory, input),
  ];
}

/** One side within `room` lots. */
function sideOf(side: QuoteSide, reservation: Ticks, room: number, input: LadderInput): Quote[] {
  const { grain, notionalMin, parameters } = input;
  const quotes: Quote[] = [];
  let left = room;
  let before: number = reservation;
  for (let level = 0; level < parameters.levels; level += 1) {
    const distance = parameters.halfSpread + level * parameters.step;
    if (side === 'BUY' && distance >= rateOne) break;
    // Bids round down and asks up, and each lies beyond the one before: nothing ever crosses.
    const ticks =
      side === 'BUY'
        ? Math.min(mulDivFloor(reservation, rateOne - distance, rateOne), before - 1)
        : Math.max(mulDivCeil(reservation, rateOne + distance, rateOne), before + 1);
    if (ticks < 1 || ticks > indexTicksMax) break;
    before = ticks;
    const lots = Math.min(lotsFor(parameters.size, ticks as Ticks, grain), left);
    if (lots <= 0 || lots * ticks * grain < notionalMin) break;
    left -= lots;
    quotes.push({ side, ticks: ticks as Ticks, lots: lots as Lots });
  }
  return quotes;
}

/** The lots whose notional at `ticks` is at most `notional`. */
const lotsFor = (notional: Money, ticks: Ticks, grain: Grain): number =>
  Math.floor(notional / (ticks * grain));
