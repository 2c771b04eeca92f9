// An order as it stands in the ticket: the texts that were typed, and what they mean. It decides
// nothing that the exchange decides; it only refuses what could not be sent.

import { type Grid, gridOf } from '../state/grid.ts';
import type { Market } from '../state/market.ts';
import type { OrderWish, Side, TimeInForce } from '../state/placeOrder.ts';
import { readTyped, type Typed } from '../state/readTyped.ts';

/** In the order in which the ticket shows them. */
export const orderTypes = ['LIMIT', 'MARKET'] as const;
export type OrderType = (typeof orderTypes)[number];

export type Draft = {
  readonly type: OrderType;
  readonly price: string;
  readonly size: string;
  /** In what the size was typed. */
  readonly unit: 'base' | 'quote';
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
};

export const emptyDraft: Draft = {
  type: 'LIMIT',
  price: '',
  size: '',
  unit: 'base',
  timeInForce: 'GTC',
  reduceOnly: false,
};

/** What the typed texts mean at a price in ticks that counts for a market order. */
export type Reading = {
  readonly price: Typed;
  readonly size: Typed;
  /** Undefined while they cannot be known. */
  readonly ticks: bigint | undefined;
  readonly lots: bigint | undefined;
  /** 1e-6 USDT. */
  readonly value: bigint | undefined;
};

/** USDT are typed to the cent. */
export const quoteGrid: Grid = gridOf('0.01');
const quoteToMoney = 10_000n;

/** `marketTicks`: at which a market order is valued; undefined while there is no price. */
export function readDraft(draft: Draft, market: Market, marketTicks: bigint | undefined): Reading {
  const price = readTyped(draft.price, market.tick);
  const size = readTyped(draft.size, draft.unit === 'base' ? market.lot : quoteGrid);
  const typedTicks = price.kind === 'steps' ? price.steps : undefined;
  const ticks = draft.type === 'LIMIT' ? typedTicks : marketTicks;
  const lots = lotsOf(size, draft.unit, { ticks, market });
  const value = ticks === undefined || lots === undefined ? undefined : ticks * lots * market.grain;
  return { price, size, ticks, lots, value };
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

export type DraftProblem =
  | { readonly field: 'price' | 'size'; readonly kind: Exclude<Typed['kind'], 'steps'> }
  | { readonly field: 'size'; readonly kind: 'belowMinimum' | 'aboveMaximum' };

/** The first thing that keeps the order from being sent. */
export function problemOf(
  draft: Draft,
  { price, size, lots, value }: Reading,
  market: Market,
): DraftProblem | undefined {
  if (draft.type === 'LIMIT' && price.kind !== 'steps') return { field: 'price', kind: price.kind };
  if (size.kind !== 'steps') return { field: 'size', kind: size.kind };
  if (lots === undefined || lots === 0n) return { field: 'size', kind: 'belowMinimum' };
  // What reduces may be smaller; the exchange judges it.
  if (draft.reduceOnly || value === undefined) return undefined;
  if (value < market.orderMin) return { field: 'size', kind: 'belowMinimum' };
  if (value > market.orderMax) return { field: 'size', kind: 'aboveMaximum' };
  return undefined;
}

/** The order to send; undefined while `problemOf` finds something. */
export function wishOf(
  draft: Draft,
  reading: Reading,
  { market, side }: { readonly market: Market; readonly side: Side },
): OrderWish | undefined {
  const { lots, ticks } = reading;
  if (lots === undefined || problemOf(draft, reading, market) !== undefined) return undefined;
  const { type, timeInForce, reduceOnly } = draft;
  if (type === 'MARKET') return { market, side, type, lots, reduceOnly };
  return ticks === undefined
    ? undefined
    : { market, side, type, lots, ticks, timeInForce, reduceOnly };
}

/** margin = value / leverage, rounded up. */
export const marginOf = (value: bigint, leverage: number): bigint =>
  (value + BigInt(leverage) - 1n) / BigInt(leverage);

/** What an order freezes beyond its margin while it rests (MAR-1): a factor of 1.005. */
const freezeThousandths = 1005n;

/** The most lots that the available money can open at this price, rounded down. */
export function lotsFor(
  available: bigint,
  { ticks, leverage, market }: { ticks: bigint; leverage: number; market: Market },
): bigint {
  if (ticks <= 0n || available <= 0n) return 0n;
  const value = (available * BigInt(leverage) * 1000n) / freezeThousandths;
  return value / (ticks * market.grain);
}
