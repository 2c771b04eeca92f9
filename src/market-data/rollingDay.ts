// The trades of one market in the last 24 hours (NAT-2c), exact to the millisecond: an entry holds
// all trades of one millisecond. When a market has more entries than there is room for, the
// existing ones are joined into entries of five seconds. A joined entry leaves the window as a
// whole, with its last trade.

import { dayEntriesMax } from '../engine/limits.ts';
import {
  createNumberRing,
  dropOldest,
  type NumberRing,
  pushNumbers,
  rowOf,
} from '../std/numberRing.ts';
import { addWide, subtractWide, wideSumAt } from '../std/wideSum.ts';
import type { Lots, Money, Ticks, Time } from '../units/units.ts';
import { createExtremes, type Extremes, extremeOf, forgetBefore, offerEntry } from './extremes.ts';

export const dayMs = 86_400_000;
/** The length of a joined entry: a day has 17,281 of them. */
const joinedMs = 5000;

/** Columns of an entry: its last trade's time, its first trade's price and number, its trades. */
const time = 0;
const open = 1;
const high = 2;
const low = 3;
const lots = 4;
const quote = 5;
const firstId = 6;
const count = 7;
const width = 8;
/** No sum of an entry exceeds this; a trade that would exceed it begins another entry. */
const entrySumMax = 2 ** 52;

export type RollingDay = {
  entries: NumberRing;
  /** The number of dropped entries: entries are numbered in the order in which they came. */
  dropped: number;
  /** Lots and money of all entries, each a wide sum. */
  readonly sums: Float64Array;
  /** Trades of all entries. */
  trades: number;
  highs: Extremes;
  lows: Extremes;
  readonly entriesMax: number;
};

export function createRollingDay(entriesMax: number = dayEntriesMax): RollingDay {
  return {
    entries: createNumberRing(width, entriesMax),
    dropped: 0,
    sums: new Float64Array(4),
    trades: 0,
    highs: createExtremes(),
    lows: createExtremes(),
    entriesMax,
  };
}

export type DayTrade = {
  readonly id: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly quote: Money;
};

/** Times never run backwards. */
export function addDayTrade(day: RollingDay, trade: DayTrade, now: Time): void {
  forgetDayBefore(day, now);
  const at = entryFor(day, trade, now);
  const { values } = day.entries;
  values[at + high] = Math.max(values[at + high]!, trade.ticks);
  values[at + low] = Math.min(values[at + low]!, trade.ticks);
  values[at + lots]! += trade.lots;
  values[at + quote]! += trade.quote;
  values[at + count]! += 1;
  addWide(day.sums, 0, trade.lots);
  addWide(day.sums, 2, trade.quote);
  day.trades += 1;
  const number = day.dropped + day.entries.size - 1;
  offerEntry(day.highs, number, trade.ticks);
  offerEntry(day.lows, number, -trade.ticks);
}

/** The newest entry if it has room for the trade, else a new one. */
function entryFor(day: RollingDay, trade: DayTrade, now: Time): number {
  const { values, newest } = day.entries;
  if (
    newest >= 0 &&
    values[newest + time] === now &&
    values[newest + lots]! + trade.lots <= entrySumMax &&
    values[newest + quote]! + trade.quote <= entrySumMax
  ) {
    return newest;
  }
  if (day.entries.size === day.entriesMax) joinEntries(day);
  if (day.entries.size === day.entriesMax) forgetOldest(day);
  const at = pushNumbers(day.entries);
  const { values: held } = day.entries;
  held[at + time] = now;
  held[at + open] = trade.ticks;
  held[at + high] = trade.ticks;
  held[at + low] = trade.ticks;
  held[at + firstId] = trade.id;
  return at;
}

/** Drops what is not in the 24 hours that end now. */
function forgetDayBefore(day: RollingDay, now: Time): void {
  const { entries } = day;
  while (entries.size > 0 && entries.values[rowOf(entries, 0) + time]! <= now - dayMs) {
    forgetOldest(day);
  }
}

function forgetOldest(day: RollingDay): void {
  const { entries, sums } = day;
  const at = rowOf(entries, 0);
  subtractWide(sums, 0, entries.values[at + lots]!);
  subtractWide(sums, 2, entries.values[at + quote]!);
  day.trades -= entries.values[at + count]!;
  dropOldest(entries);
  day.dropped += 1;
  forgetBefore(day.highs, day.dropped);
  forgetBefore(day.lows, day.dropped);
}

/** Cost: 1 ms for 50,000 entries, at most once in as many entries as it frees. */
function joinEntries(day: RollingDay): void {
  const joined = createNumberRing(width, day.entriesMax);
  const { entries } = day;
  for (let index = 0; index < entries.size; index += 1) {
    joinEntry(joined, entries.values, rowOf(entries, index));
  }
  restoreDay(day, joined);
}

function joinEntry(joined: NumberRing, values: Float64Array, from: number): void {
  const { newest: to, values: held } = joined;
  const slot = Math.floor(values[from + time]! / joinedMs);
  if (
    to < 0 ||
    Math.floor(held[to + time]! / joinedMs) !== slot ||
    held[to + lots]! + values[from + lots]! > entrySumMax ||
    held[to + quote]! + values[from + quote]! > entrySumMax
  ) {
    const at = pushNumbers(joined);
    joined.values.set(values.subarray(from, from + width), at);
    return;
  }
  held[to + time] = values[from + time]!;
  held[to + high] = Math.max(held[to + high]!, values[from + high]!);
  held[to + low] = Math.min(held[to + low]!, values[from + low]!);
  held[to + lots]! += values[from + lots]!;
  held[to + quote]! += values[from + quote]!;
  held[to + count]! += values[from + count]!;
}

/** Restores the day from these entries, and computes everything derived from them again. */
export function restoreDay(day: RollingDay, entries: NumberRing): void {
  day.entries = entries;
  day.dropped = 0;
  day.sums.fill(0);
  day.trades = 0;
  day.highs = createExtremes();
  day.lows = createExtremes();
  const { values } = entries;
  for (let index = 0; index < entries.size; index += 1) {
    const at = rowOf(entries, index);
    addWide(day.sums, 0, values[at + lots]!);
    addWide(day.sums, 2, values[at + quote]!);
    day.trades += values[at + count]!;
    offerEntry(day.highs, index, values[at + high]!);
    offerEntry(day.lows, index, -values[at + low]!);
  }
}

export type DayFigures = {
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  /** Lots and money. */
  readonly volume: bigint;
  readonly quoteVolume: bigint;
  readonly firstId: number;
  /** Trades. */
  readonly count: number;
};

/**
 * Figures of the trades in the 24 hours that end now, that end included; undefined without trades.
 */
export function dayFiguresOf(day: RollingDay, now: Time): DayFigures | undefined {
  forgetDayBefore(day, now);
  const { entries, sums } = day;
  if (entries.size === 0) return undefined;
  const at = rowOf(entries, 0);
  return {
    open: entries.values[at + open]! as Ticks,
    high: extremeOf(day.highs) as Ticks,
    low: -extremeOf(day.lows) as Ticks,
    volume: wideSumAt(sums, 0),
    quoteVolume: wideSumAt(sums, 2),
    firstId: entries.values[at + firstId]!,
    count: day.trades,
  };
}
