// What the demo's crowd does next in one market: a pure function of the market's view and of
// chance. Its members hold positions of both sides and trade small sizes at random. When a
// visitor's position makes the open interest unequal, they take the other side, so that funding
// stays near 0 (FUND-1).

import { assert } from '../std/assert.ts';
import type { Prng } from '../std/prng.ts';
import { mulDivCeil, mulDivFloor } from '../units/mulDiv.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks } from '../units/units.ts';
import type { MakerMarket } from './makerRecords.ts';
import type { Quote, QuoteSide } from './quoteLadder.ts';

export type CrowdParameters = {
  /**
   * Notional of the position around which a member trades: even members are long, odd ones short.
   */
  readonly base: Money;
  /** Notional of one trade with which two members build their positions. */
  readonly openMax: Money;
  /** Notional of one trade against an imbalance of the open interest. */
  readonly counterMax: Money;
  /** The allowed imbalance, as a part of the open interest. */
  readonly leanMax: Rate;
  /**
   * Notional of the smallest random trade, and the difference between the largest and the smallest.
   */
  readonly sizeMin: Money;
  readonly sizeMore: Money;
  /** The largest distance from the index at which it takes, and at which it rests. */
  readonly reach: Rate;
  readonly inside: Rate;
};

export type CrowdView = {
  readonly market: MakerMarket;
  readonly index: Ticks;
  /** Open interest of the two sides, without house accounts. */
  readonly longs: Lots;
  readonly shorts: Lots;
  /** The signed position of each member. */
  readonly positions: readonly Lots[];
  readonly parameters: CrowdParameters;
};

export type CrowdAct =
  /** Takes the resting orders up to the quote's price. */
  | { readonly kind: 'take'; readonly member: number; readonly quote: Quote }
  /** Rests for a while. */
  | { readonly kind: 'rest'; readonly member: number; readonly quote: Quote }
  /** Rests, and another member takes it at once. */
  | {
      readonly kind: 'pair';
      readonly member: number;
      readonly quote: Quote;
      readonly taker: number;
    };

const takesOfTen = 8;

/** The next act; undefined when the market would accept none. */
export function crowdAct(view: CrowdView, prng: Prng): CrowdAct | undefined {
  const { market, index, positions, parameters } = view;
  assert(index > 0 && positions.length >= 2, 'a crowd has a price and two sides');
  const act = pairOf(view) ?? counterOf(view) ?? randomOf(view, prng);
  if (act === undefined) return undefined;
  const { lots, ticks } = act.quote;
  const least = Math.max(market.notionalMin, parameters.sizeMin);
  return lots > 0 && lots * ticks * market.grain >= least ? act : undefined;
}

const lotsFor = (notional: number, { index, market }: CrowdView): Lots =>
  Math.floor(notional / (index * market.grain)) as Lots;

/** How far a member is above its own level: below the level it buys, above it it sells. */
function strayOf(view: CrowdView, member: number): number {
  const base = lotsFor(view.parameters.base, view);
  return view.positions[member]! - (member % 2 === 0 ? base : -base);
}

/** The member that has the most room for a trade of this side. */
function readiest(view: CrowdView, side: QuoteSide): number {
  const sign = side === 'BUY' ? 1 : -1;
  let found = 0;
  for (let member = 1; member < view.positions.length; member += 1) {
    if (strayOf(view, member) * sign < strayOf(view, found) * sign) found = member;
  }
  return found;
}

/** While two members need positions of opposite sides, they trade with each other. */
function pairOf(view: CrowdView): CrowdAct | undefined {
  const { index, parameters } = view;
  const [member, taker] = [readiest(view, 'BUY'), readiest(view, 'SELL')];
  const shortfall = Math.min(-strayOf(view, member), strayOf(view, taker));
  const size = lotsFor(parameters.openMax, view);
  if (shortfall < size) return undefined;
  return { kind: 'pair', member, taker, quote: { side: 'BUY', ticks: index, lots: size } };
}

/**
 * Trades against the side that pays. When open interest is unequal, the house holds the difference.
 */
function counterOf(view: CrowdView): CrowdAct | undefined {
  const { longs, shorts, parameters } = view;
  const lean = longs - shorts;
  if (Math.abs(lean) <= mulDivFloor(longs + shorts, parameters.leanMax, rateOne)) return undefined;
  const side = lean > 0 ? 'SELL' : 'BUY';
  const lots = Math.min(Math.abs(lean), lotsFor(parameters.counterMax, view)) as Lots;
  const ticks = priceAt(view, side, parameters.reach);
  return { kind: 'take', member: readiest(view, side), quote: { side, ticks, lots } };
}

/** Many small sizes and few large ones: the fifth power of a uniform random number. */
function randomOf(view: CrowdView, prng: Prng): CrowdAct {
  const { positions, parameters } = view;
  const side = prng.below(2) === 0 ? 'BUY' : 'SELL';
  const kind = prng.below(10) < takesOfTen ? 'take' : 'rest';
  const chance = prng.unit();
  const notional = parameters.sizeMin * 1.5 + parameters.sizeMore * chance ** 5;
  // A member that is away from its level by half of that level only trades back.
  const bound = lotsFor(parameters.base, view) / 2;
  const drawn = prng.below(positions.length);
  const further = strayOf(view, drawn) * (side === 'BUY' ? 1 : -1) > bound;
  const member = further ? readiest(view, side) : drawn;
  const away = 1 + Math.floor(prng.unit() * parameters.inside);
  const ticks = priceAt(view, side, kind === 'take' ? parameters.reach : -away);
  const lots = Math.max(1, lotsFor(notional, view)) as Lots;
  return { kind, member, quote: { side, ticks, lots } };
}

/**
 * A price at a part of the index: above the index for a buyer, below for a seller. A negative part
 * reverses this.
 */
function priceAt({ index }: CrowdView, side: QuoteSide, away: number): Ticks {
  const ticks =
    side === 'BUY'
      ? mulDivFloor(index, rateOne + away, rateOne)
      : mulDivCeil(index, rateOne - away, rateOne);
  return Math.max(1, ticks) as Ticks;
}
