// Compares the standing quotes with the wanted quotes: which orders to cancel, to amend, to place.
// It is pure and sends no request.

import type { Lots, Ticks } from '../units/units.ts';
import type { Quote, QuoteSide } from './quoteLadder.ts';

/** An order of the maker as the exchange shows it. */
export type StandingQuote = {
  readonly orderId: string;
  readonly side: QuoteSide;
  readonly ticks: Ticks;
  /** The unfilled rest. */
  readonly lots: Lots;
  readonly filled: Lots;
};

export type Amendment = {
  readonly orderId: string;
  readonly side: QuoteSide;
  readonly ticks: Ticks;
  /** The new total with the filled part, because the modify operation expects it. */
  readonly lots: Lots;
};

/** To be carried out in this order; then no step can cross another of the maker's quotes. */
export type QuotePlan = {
  readonly cancels: readonly StandingQuote[];
  readonly amends: readonly Amendment[];
  readonly places: readonly Quote[];
};

/**
 * The plan. A standing quote stays, with its priority, when it is at most `tolerance` ticks from a
 * wanted one and has from half to all of its lots. The tolerance depends on the rank of the wanted
 * quote from the best of its side. An order is amended only in place or away from the other side: a
 * modified GTX order is GTC and would take the orders that it meets. So a quote that moves towards
 * the market is cancelled and placed anew.
 */
export function reconcileQuotes(
  wanted: readonly Quote[],
  standing: readonly StandingQuote[],
  tolerance: number | ((rank: number) => number),
): QuotePlan {
  const toleranceAt = typeof tolerance === 'number' ? () => tolerance : tolerance;
  const cancels: StandingQuote[] = [];
  const amends: Amendment[] = [];
  const places: Quote[] = [];
  for (const side of ['BUY', 'SELL'] as const) {
    const missing: Quote[] = [];
    const rest = new Set(standing.filter((order) => order.side === side));
    for (const [rank, quote] of bestFirst(wanted.filter((one) => one.side === side)).entries()) {
      const kept = nearest(rest, quote, (order) => stays(order, quote, toleranceAt(rank)));
      if (kept === undefined) missing.push(quote);
      else rest.delete(kept);
    }
    // The best wanted price chooses first, because the fewest orders may move away to it.
    for (const quote of missing) {
      const amended = nearest(rest, quote, (order) => movesAway(order, quote));
      if (amended === undefined) {
        places.push(quote);
        continue;
      }
      rest.delete(amended);
      const lots = (amended.filled + quote.lots) as Lots;
      amends.push({ orderId: amended.orderId, side, ticks: quote.ticks, lots });
    }
    cancels.push(...rest);
  }
  return { cancels, amends, places };
}

const bestFirst = (quotes: readonly Quote[]): Quote[] =>
  quotes.toSorted((a, b) => (a.side === 'BUY' ? b.ticks - a.ticks : a.ticks - b.ticks));

function stays(order: StandingQuote, quote: Quote, tolerance: number): boolean {
  if (Math.abs(order.ticks - quote.ticks) > tolerance) return false;
  return order.lots <= quote.lots && order.lots * 2 >= quote.lots;
}

const movesAway = (order: StandingQuote, quote: Quote): boolean =>
  order.side === 'BUY' ? quote.ticks <= order.ticks : quote.ticks >= order.ticks;

function nearest(
  orders: ReadonlySet<StandingQuote>,
  quote: Quote,
  suits: (order: StandingQuote) => boolean,
): StandingQuote | undefined {
  let found: StandingQuote | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const order of orders) {
    const away = Math.abs(order.ticks - quote.ticks);
    if (away >= distance || !suits(order)) continue;
    found = order;
    distance = away;
  }
  return found;
}
