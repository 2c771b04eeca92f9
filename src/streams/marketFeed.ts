// Passes events to those who follow a market: the prices of a book that changed, and the trades of
// one command.

import type { Event, OrderModified, Traded } from '../engine/event.ts';
import { buy, type Side, sell } from '../engine/orderTypes.ts';
import { type Exchange, orderById } from '../engine/views/exchange.ts';
import type { MarketId, OrderId, Ticks } from '../units/units.ts';

/** Prices of a book where something may have changed since the follower last read it. */
export type BookChanges = { readonly bids: Set<Ticks>; readonly asks: Set<Ticks> };

export type TradeFollower = (trades: readonly Traded[]) => void;

export type MarketFeed = {
  readonly books: Map<MarketId, Set<BookChanges>>;
  readonly trades: Map<MarketId, Set<TradeFollower>>;
};

export function createMarketFeed(): MarketFeed {
  return { books: new Map(), trades: new Map() };
}

/** Follows a book from now on; `end` stops it. */
export function followBook(
  feed: MarketFeed,
  market: MarketId,
): { readonly changes: BookChanges; readonly end: () => void } {
  const changes = { bids: new Set<Ticks>(), asks: new Set<Ticks>() };
  return { changes, end: follow(feed.books, market, changes) };
}

/** Calls with the trades of every command that made some; gives the function that ends it. */
export function followTrades(
  feed: MarketFeed,
  market: MarketId,
  follower: TradeFollower,
): () => void {
  return follow(feed.trades, market, follower);
}

function follow<Follower>(
  byMarket: Map<MarketId, Set<Follower>>,
  market: MarketId,
  follower: Follower,
): () => void {
  const followers = byMarket.get(market) ?? new Set();
  byMarket.set(market, followers.add(follower));
  return () => {
    followers.delete(follower);
    if (followers.size === 0) byMarket.delete(market);
  };
}

export function isUnchanged({ bids, asks }: BookChanges): boolean {
  return bids.size === 0 && asks.size === 0;
}

/** Takes the events of one step. The exchange is in the state after the step. */
export function feedMarkets(feed: MarketFeed, exchange: Exchange, events: readonly Event[]): void {
  if (feed.books.size > 0) markBooks(feed, exchange, events);
  if (feed.trades.size > 0) tellTrades(feed, events);
}

function tellTrades({ trades }: MarketFeed, events: readonly Event[]): void {
  const byMarket = new Map<MarketId, Traded[]>();
  for (const event of events) {
    if (event.kind !== 'traded' || !trades.has(event.market)) continue;
    const before = byMarket.get(event.market);
    if (before === undefined) byMarket.set(event.market, [event]);
    else before.push(event);
  }
  for (const [market, reported] of byMarket) {
    for (const follower of trades.get(market) ?? []) follower(reported);
  }
}

function markBooks({ books }: MarketFeed, exchange: Exchange, events: readonly Event[]): void {
  // An order that was placed and ended within one step was never visible in the book.
  const placed = new Set<OrderId>();
  const mark = (market: MarketId, side: Side, ticks: Ticks): void => {
    for (const { bids, asks } of books.get(market) ?? []) (side === buy ? bids : asks).add(ticks);
  };
  for (const event of events) {
    switch (event.kind) {
      case 'orderPlaced':
        placed.add(event.id);
        if (orderById(exchange, event.id) !== undefined)
          mark(event.market, event.side, event.ticks);
        break;
      case 'orderModified':
        markModified(event, exchange, mark);
        break;
      case 'orderCut': {
        const order = orderById(exchange, event.id);
        if (order !== undefined) mark(order.market, order.side, order.ticks);
        break;
      }
      case 'orderEnded': {
        const { id, market, side, ticks } = event.order;
        if (!placed.has(id)) mark(market, side, ticks);
        break;
      }
      case 'traded':
        mark(event.market, -event.takerSide as Side, event.ticks);
        break;
      default:
        break;
    }
  }
}

function markModified(
  { id, market, ticksBefore, ticks }: OrderModified,
  exchange: Exchange,
  mark: (market: MarketId, side: Side, ticks: Ticks) => void,
): void {
  // An order that has ended since does not say its side here: both are looked at.
  const order = orderById(exchange, id);
  for (const side of order === undefined ? ([buy, sell] as const) : [order.side]) {
    mark(market, side, ticksBefore);
    mark(market, side, ticks);
  }
}
