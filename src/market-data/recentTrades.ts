// The last trades of one market, and their last aggregates: an aggregate is what one order took at
// one price, without interruption (NAT-2d).

import { recentTradesMax } from '../engine/limits.ts';
import type { Side } from '../engine/orderTypes.ts';
import {
  createNumberRing,
  firstFrom,
  type NumberRing,
  pushNumbers,
  rowOf,
} from '../std/numberRing.ts';
import type { Lots, OrderId, Ticks, Time } from '../units/units.ts';

/** Columns of both; an aggregate has more. */
const id = 0;
const ticks = 1;
const lots = 2;
const time = 3;
const side = 4;
const tradeWidth = 5;
const firstId = 5;
const lastId = 6;
const taker = 7;
const aggregateWidth = 8;

export type RecentTrades = {
  readonly trades: NumberRing;
  /** Numbered from 1, without gaps. */
  readonly aggregates: NumberRing;
};

export function createRecentTrades(max: number = recentTradesMax): RecentTrades {
  return {
    trades: createNumberRing(tradeWidth, max),
    aggregates: createNumberRing(aggregateWidth, max),
  };
}

export type Trade = {
  /**
   * A number of its market, greater than those before. Numbers in between may belong to other
   * events (ID-1).
   */
  readonly id: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly time: Time;
  readonly takerSide: Side;
};

/** Consecutive trades of one order at one price and one time. */
export type AggregateTrade = Trade & { readonly firstId: number; readonly lastId: number };

export function rememberTrade(recent: RecentTrades, trade: Trade, order: OrderId): void {
  const { trades, aggregates } = recent;
  writeTrade(trades, trade, trade.id);
  const { values, newest } = aggregates;
  const last = newest < 0 ? 0 : values[newest + id]!;
  if (
    newest >= 0 &&
    values[newest + taker] === order &&
    values[newest + ticks] === trade.ticks &&
    values[newest + time] === trade.time
  ) {
    values[newest + lots]! += trade.lots;
    values[newest + lastId] = trade.id;
    return;
  }
  const at = writeTrade(aggregates, trade, last + 1);
  const { values: held } = aggregates;
  held[at + firstId] = trade.id;
  held[at + lastId] = trade.id;
  held[at + taker] = order;
}

function writeTrade(ring: NumberRing, trade: Trade, number: number): number {
  const at = pushNumbers(ring);
  const { values } = ring;
  values[at + id] = number;
  values[at + ticks] = trade.ticks;
  values[at + lots] = trade.lots;
  values[at + time] = trade.time;
  values[at + side] = trade.takerSide;
  return at;
}

/** Which trades are requested; without `fromId` and `startTime` the last ones. */
export type TradeWindow = {
  /** This one and the ones after it. */
  readonly fromId?: number | undefined;
  /** Both included. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit: number;
};

/** Ascending. */
export function tradesIn({ trades }: RecentTrades, window: TradeWindow): Trade[] {
  return rowsIn(trades, window).map((at) => tradeAt(trades, at));
}

/** Ascending; `fromId` is an aggregate's. */
export function aggregatesIn({ aggregates }: RecentTrades, window: TradeWindow): AggregateTrade[] {
  const { values } = aggregates;
  return rowsIn(aggregates, window).map((at) => ({
    ...tradeAt(aggregates, at),
    firstId: values[at + firstId]!,
    lastId: values[at + lastId]!,
  }));
}

/** Whether `tradesIn` gives all trades that the window ever had. */
export function holdsTrades({ trades }: RecentTrades, window: TradeWindow): boolean {
  return holdsAll(trades, window);
}

/** The same of aggregates. */
export function holdsAggregates({ aggregates }: RecentTrades, window: TradeWindow): boolean {
  return holdsAll(aggregates, window);
}

function holdsAll(ring: NumberRing, window: TradeWindow): boolean {
  if (ring.size < ring.max) return true;
  const { fromId, startTime, limit } = window;
  if (fromId === undefined && startTime === undefined) return rowsIn(ring, window).length === limit;
  const oldest = rowOf(ring, 0);
  // At the time of the oldest trade there may have been others.
  return (
    (fromId ?? 0) >= ring.values[oldest + id]! || (startTime ?? 0) > ring.values[oldest + time]!
  );
}

/** The number of the last trade, 0 before the first. */
export function lastTradeId({ trades }: RecentTrades): number {
  return trades.newest < 0 ? 0 : trades.values[trades.newest + id]!;
}

/** The quantity of the last trade, 0 before the first. */
export function lastTradeLots({ trades }: RecentTrades): Lots {
  return (trades.newest < 0 ? 0 : trades.values[trades.newest + lots]!) as Lots;
}

function rowsIn(ring: NumberRing, { fromId, startTime, endTime, limit }: TradeWindow): number[] {
  const first = Math.max(firstFrom(ring, id, fromId ?? 0), firstFrom(ring, time, startTime ?? 0));
  const end = endTime === undefined ? ring.size : firstFrom(ring, time, endTime + 1);
  const forward = fromId !== undefined || startTime !== undefined;
  const from = forward ? first : Math.max(first, end - limit);
  const found: number[] = [];
  for (let index = from; index < Math.min(end, from + limit); index += 1) {
    found.push(rowOf(ring, index));
  }
  return found;
}

function tradeAt({ values }: NumberRing, at: number): Trade {
  return {
    id: values[at + id]!,
    ticks: values[at + ticks]! as Ticks,
    lots: values[at + lots]! as Lots,
    time: values[at + time]! as Time,
    takerSide: values[at + side]! as Side,
  };
}
