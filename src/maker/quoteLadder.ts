// Which quotes the house market maker wants in the book of one market, and which orders it takes:
// pure functions of index, inventory, the best prices of others and parameters. reconcileQuotes.ts
// changes the book accordingly.

import { assert } from '../std/assert.ts';
import { mulDivCeil, mulDivFloor } from '../units/mulDiv.ts';
import type { Grain } from '../units/notional.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks } from '../units/units.ts';

/** The highest price that the exchange accepts, in ticks. */
const ticksMax = 1_000_000_000;

export type QuoteSide = 'BUY' | 'SELL';

export type Quote = { readonly side: QuoteSide; readonly ticks: Ticks; readonly lots: Lots };

export type LadderParameters = {
  /** Quotes on each side. */
  readonly levels: number;
  /** Distance of the best quote from the reservation price, a fraction of it; above 0. */
  readonly halfSpread: Rate;
  /** Distance of each further quote from the previous one, a fraction of the reservation price. */
  readonly step: Rate;
  /** By how much each further step is wider than the previous one. */
  readonly widening: Rate;
  /** Notional of one quote. */
  readonly size: Money;
  /** Notional of what it takes in one round, at most. */
  readonly takeMax: Money;
  /** Notional of the largest position, long or short. */
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
  /** The quotes of others; the maker wants no quote that would meet them. */
  readonly others?: BestOfOthers | undefined;
};

/** The best prices of others; 0 where none is better than the maker's own. */
export type BestOfOthers = { readonly bid: Ticks; readonly ask: Ticks };

/**
 * The quotes: bids from the best down, then asks from the best up. Even if one side filled whole,
 * the position would stay within its bound. Beyond the bound only the side that reduces the
 * position quotes.
 *
 * reservation = index − index × skew × inventory / inventoryMax
 */
export function quoteLadder(input: LadderInput): readonly Quote[] {
  const { inventory, others } = input;
  const { reservation, inventoryMax } = fairOf(input);
  if (inventoryMax === 0) return [];
  const ask = others === undefined || others.ask === 0 ? reservation : others.ask;
  return [
    ...sideOf('BUY', { reservation, room: inventoryMax - inventory, beyond: ask }, input),
    ...sideOf(
      'SELL',
      { reservation, room: inventoryMax + inventory, beyond: others?.bid ?? 0 },
      input,
    ),
  ];
}

/**
 * What the maker takes: the orders of others beyond its fair price, up to its own best quote and
 * within the bound of the inventory. `standing` are its own quotes, which may fill as well.
 */
export function takeOf(input: LadderInput, standing: readonly Quote[]): Quote | undefined {
  const { grain, inventory, notionalMin, others, parameters } = input;
  if (others === undefined) return undefined;
  const { reservation, inventoryMax } = fairOf(input);
  const { halfSpread, takeMax } = parameters;
  const asks = mulDivCeil(reservation, rateOne + halfSpread, rateOne) as Ticks;
  const bids = mulDivFloor(reservation, rateOne - halfSpread, rateOne) as Ticks;
  const taken = (side: QuoteSide, ticks: Ticks, room: number): Quote | undefined => {
    const open = standing.reduce((sum, quote) => sum + (quote.side === side ? quote.lots : 0), 0);
    const lots = Math.min(lotsFor(takeMax, ticks, grain), room - open) as Lots;
    return lots > 0 && lots * ticks * grain >= notionalMin ? { side, ticks, lots } : undefined;
  };
  if (others.bid >= asks) return taken('SELL', asks, inventoryMax + inventory);
  if (others.ask > 0 && others.ask <= bids) return taken('BUY', bids, inventoryMax - inventory);
  return undefined;
}

/** The price around which the maker quotes, and the most lots that it may hold. */
function fairOf(input: LadderInput): { reservation: Ticks; inventoryMax: number } {
  const { index, inventory, grain, parameters } = input;
  assert(index > 0 && index <= ticksMax, 'a ladder stands around an index');
  assert(parameters.halfSpread > 0 && parameters.step >= 0, 'a ladder has a spread');
  assert(parameters.skew >= 0 && parameters.skew < rateOne, 'a skew keeps the price above 0');
  const inventoryMax = lotsFor(parameters.inventoryMax, index, grain);
  if (inventoryMax === 0) return { reservation: index, inventoryMax };
  const held = Math.min(Math.max(inventory, -inventoryMax), inventoryMax);
  const shift = mulDivFloor(mulDivFloor(index, parameters.skew, rateOne), held, inventoryMax);
  return { reservation: Math.max(1, index - shift) as Ticks, inventoryMax };
}

type Side = {
  readonly reservation: Ticks;
  /** Lots. */
  readonly room: number;
  /** The ticks beyond which each quote lies. */
  readonly beyond: number;
};

/** One side of the ladder. */
function sideOf(side: QuoteSide, { reservation, room, beyond }: Side, input: LadderInput): Quote[] {
  const { grain, notionalMin, parameters } = input;
  const quotes: Quote[] = [];
  let left = room;
  let before = side === 'BUY' ? Math.min(reservation, beyond) : Math.max(reservation, beyond);
  for (let level = 0; level < parameters.levels; level += 1) {
    const distance =
      parameters.halfSpread +
      level * parameters.step +
      ((level * (level - 1)) / 2) * parameters.widening;
    if (side === 'BUY' && distance >= rateOne) break;
    // Bids round down and asks up, and each is further out than the previous one, so quotes never
    // cross.
    const ticks =
      side === 'BUY'
        ? Math.min(mulDivFloor(reservation, rateOne - distance, rateOne), before - 1)
        : Math.max(mulDivCeil(reservation, rateOne + distance, rateOne), before + 1);
    if (ticks < 1 || ticks > ticksMax) break;
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
