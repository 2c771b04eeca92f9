// What the texts of a draft mean, and what keeps it from being sent. It decides nothing that the
// exchange decides; it only refuses what could not be sent.

import { type Grid, gridOf } from '../../client/grid.ts';
import type { Market } from '../state/market.ts';
import { readTyped, type Typed } from '../state/readTyped.ts';
import { type Draft, type DraftParts, partsOf } from './draft.ts';

/** Where a problem is shown. */
export type DraftField =
  | 'trigger'
  | 'callback'
  | 'activation'
  | 'price'
  | 'size'
  | 'slippage'
  | 'goodTill'
  | 'takeProfit'
  | 'takeProfitPrice'
  | 'stopLoss'
  | 'stopLossPrice';

type TypedField = Exclude<DraftField, 'goodTill'>;

export type DraftReading = {
  readonly parts: DraftParts;
  readonly typed: Readonly<Record<TypedField, Typed>>;
  /** Milliseconds; undefined while there is no date. */
  readonly goodTill: number | undefined;
  /** At which the order is valued; undefined while it cannot be known, like what follows. */
  readonly ticks: bigint | undefined;
  readonly lots: bigint | undefined;
  /** 1e-6 USDT. */
  readonly value: bigint | undefined;
};

/** USDT are typed to the cent. */
export const quoteGrid: Grid = gridOf('0.01');
const quoteToMoney = 10_000n;
/** Percentages are typed in hundredths. */
export const percentGrid: Grid = gridOf('0.01');

export type ReadingFacts = {
  readonly market: Market;
  /** At which a market order is valued; undefined while there is no price. */
  readonly marketTicks: bigint | undefined;
  /** Whether dates are typed in UTC. */
  readonly inUtc: boolean;
};

export const gridOfField = (field: TypedField, { unit, legsAs }: Draft, market: Market): Grid => {
  switch (field) {
    case 'size':
      return unit === 'base' ? market.lot : quoteGrid;
    case 'callback':
    case 'slippage':
      return percentGrid;
    case 'takeProfit':
    case 'stopLoss':
      return legsAs === 'price' ? market.tick : percentGrid;
    default:
      return market.tick;
  }
};

export const stepsOfTyped = (typed: Typed): bigint | undefined =>
  typed.kind === 'steps' ? typed.steps : undefined;

export function readDraft(draft: Draft, facts: ReadingFacts): DraftReading {
  const { market, marketTicks, inUtc } = facts;
  const read = (field: TypedField): Typed =>
    readTyped(draft[field], gridOfField(field, draft, market));
  const parts = partsOf(draft);
  const typed = {
    trigger: read('trigger'),
    callback: read('callback'),
    activation: read('activation'),
    price: read('price'),
    size: read('size'),
    slippage: read('slippage'),
    takeProfit: read('takeProfit'),
    takeProfitPrice: read('takeProfitPrice'),
    stopLoss: read('stopLoss'),
    stopLossPrice: read('stopLossPrice'),
  };
  // A limit type counts at its price, a stop at its trigger price (TRG-1).
  const counted = parts.price ? typed.price : parts.trigger ? typed.trigger : undefined;
  const ticks = counted === undefined ? marketTicks : stepsOfTyped(counted);
  const lots = lotsOf(typed.size, draft.unit, { ticks, market });
  const value = ticks === undefined || lots === undefined ? undefined : ticks * lots * market.grain;
  const goodTill = parts.goodTill ? readDate(draft.goodTill, inUtc) : undefined;
  return { parts, typed, goodTill, ticks, lots, value };
}

/** USDT become whole lots, rounded down. */
function lotsOf(
  size: Typed,
  unit: Draft['unit'],
  { ticks, market }: { readonly ticks: bigint | undefined; readonly market: Market },
): bigint | undefined {
  if (size.kind !== 'steps') return undefined;
  if (unit === 'base') return size.steps;
  return ticks === undefined ? undefined : (size.steps * quoteToMoney) / (ticks * market.grain);
}

/** The field of the browser gives yyyy-mm-ddThh:mm without a zone. */
function readDate(text: string, inUtc: boolean): number | undefined {
  const time = Date.parse(inUtc ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}

export type ProblemKind =
  | Exclude<Typed['kind'], 'steps'>
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'outOfRange'
  /** The market has no price at which USDT could become a quantity. */
  | 'noPrice'
  /** The same for percentages of a leg. */
  | 'noLegPrice'
  /** A protection was asked for, and neither of its prices was typed. */
  | 'legsEmpty';

export type DraftProblems = ReadonlyMap<DraftField, ProblemKind>;

/** Of a trailing stop, in hundredths of a percent (TRG-4). */
const callbackBounds = { least: 10n, most: 1000n } as const;
const slippageMost = 10_000n;
/** Of a leg: its price is above zero for either side. */
const legMost = 9_999n;
const second = 1000;
/** How far ahead a good-till-date is (TRG-5). */
const dateBounds = { least: 600 * second, most: 90 * 86_400 * second } as const;

/** Everything that keeps the draft from being sent. `now`: the exchange's time. */
export function problemsOf(
  draft: Draft,
  reading: DraftReading,
  { market, now }: { readonly market: Market; readonly now: number },
): DraftProblems {
  const { parts, typed, goodTill } = reading;
  const found = new Map<DraftField, ProblemKind>();
  const check = (field: TypedField, isNeeded: boolean): void => {
    const { kind } = typed[field];
    if (kind !== 'steps' && (isNeeded || kind !== 'empty')) found.set(field, kind);
  };
  const bound = (field: TypedField, { least = 1n, most }: { least?: bigint; most: bigint }) => {
    const steps = stepsOfTyped(typed[field]);
    if (steps !== undefined && (steps < least || steps > most)) found.set(field, 'outOfRange');
  };
  if (parts.trigger) check('trigger', true);
  if (parts.price) check('price', true);
  if (parts.trails) {
    check('callback', true);
    check('activation', false);
    bound('callback', callbackBounds);
  }
  if (parts.slippage) {
    check('slippage', false);
    bound('slippage', { most: slippageMost });
  }
  if (parts.goodTill) {
    const ahead = (goodTill ?? now) - now;
    if (goodTill === undefined) found.set('goodTill', 'empty');
    else if (ahead < dateBounds.least || ahead > dateBounds.most) {
      found.set('goodTill', 'outOfRange');
    }
  }
  if (parts.legs) {
    for (const leg of ['takeProfit', 'stopLoss'] as const) {
      const limit = `${leg}Price` as const;
      check(leg, parts.legPrices && typed[limit].kind !== 'empty');
      if (parts.legPrices) check(limit, false);
      else {
        bound(leg, { most: legMost });
        const lacksPrice = reading.ticks === undefined && !parts.price && !parts.trigger;
        if (lacksPrice && typed[leg].kind === 'steps') found.set(leg, 'noLegPrice');
      }
    }
    const isEmpty = typed.takeProfit.kind === 'empty' && typed.stopLoss.kind === 'empty';
    if (isEmpty && !found.has('stopLoss')) found.set('takeProfit', 'legsEmpty');
  }
  if (!parts.closesAll) {
    const problem = sizeProblem(draft, reading, market);
    if (problem !== undefined) found.set('size', problem);
  }
  return found;
}

function sizeProblem(
  { reduceOnly }: Draft,
  { typed, lots, value, parts }: DraftReading,
  market: Market,
): ProblemKind | undefined {
  if (typed.size.kind !== 'steps') return typed.size.kind;
  if (lots === 0n) return 'belowMinimum';
  // Without a typed price USDT are no quantity; that is the problem of its field.
  if (lots === undefined) return parts.price || parts.trigger ? undefined : 'noPrice';
  // What reduces may be smaller; the exchange judges it.
  if (reduceOnly || value === undefined) return undefined;
  if (value < market.orderMin) return 'belowMinimum';
  return value > market.orderMax ? 'aboveMaximum' : undefined;
}
