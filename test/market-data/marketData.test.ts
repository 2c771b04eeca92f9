// Goal: all public figures of markets follow from the events (NAT-2a … NAT-2e). Method: random
// trades and prices over months, with gaps of every length and times at the edges of minutes, days
// and months, against a naive recomputation from all of them; then the same of a copy out of a
// snapshot, which continues with the original.

import { describe, expect, test } from 'vitest';
import { engine } from '../../src/engine/engine.ts';
import type { Event } from '../../src/engine/event.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { candlesMax, dayEntriesMax, periodBucketsMax } from '../../src/engine/limits.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import { candlesIn } from '../../src/market-data/candles.ts';
import { decodeViews, encodeViews } from '../../src/market-data/encodeViews.ts';
import type { CandleKind, MarketData } from '../../src/market-data/marketData.ts';
import { openInterestOver, takerVolumesIn } from '../../src/market-data/periodFigures.ts';
import { aggregatesIn, tradesIn } from '../../src/market-data/recentTrades.ts';
import { dayFiguresOf } from '../../src/market-data/rollingDay.ts';
import { createViews, type Views, viewEvent } from '../../src/market-data/views.ts';
import { Fault } from '../../src/std/assert.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { type Interval, intervals, periods, servedFrom } from '../../src/units/interval.ts';
import { mulDivHalfEven } from '../../src/units/mulDiv.ts';
import type { Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import {
  inWindow,
  type NaiveTick,
  type NaiveTrade,
  naiveAggregates,
  naiveCandles,
  naiveDay,
  naiveEnd,
  naiveInterest,
  naiveTrade,
  naiveVolumes,
  samplesOf,
} from './naiveMarketData.ts';

const grain = 7;
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** One market, and everything that happened in it. */
class Storm {
  readonly trades: NaiveTrade[] = [];
  readonly ticks: NaiveTick[] = [];
  readonly happened: (NaiveTrade | NaiveTick)[] = [];
  readonly views: Views[] = [createViews()];
  time = Date.UTC(2024, 0, 31, 23, 58);
  readonly prng: Prng;

  constructor(seed: number) {
    this.prng = createPrng(seed);
    this.show({ kind: 'marketListed', market: 0 } as Event, {});
  }

  show(event: Event, market: object): void {
    const exchange = { time: this.time, markets: [{ grain, ...market }] } as unknown as Exchange;
    for (const views of this.views) viewEvent(views, exchange, event);
  }

  trade(changes: Partial<NaiveTrade> = {}): void {
    const { prng, trades, time } = this;
    const last = trades.at(-1);
    const trade: NaiveTrade = {
      // A takeover or deleveraging takes a number sometimes (ID-1).
      id: (last?.id ?? 0) + 1 + Math.max(0, prng.below(10) - 7),
      ticks: Math.max(1, (last?.ticks ?? 50_000) + prng.below(201) - 100),
      lots: 1 + prng.below(1000),
      quote: 0,
      time,
      side: prng.below(2) === 0 ? 1 : -1,
      order: trades.length + 1,
      ...changes,
    };
    const { id: tradeId, ticks, lots, side: takerSide, order } = trade;
    this.trades.push({ ...trade, quote: ticks * lots * grain });
    this.happened.push(this.trades.at(-1)!);
    const taken = { taker: { order }, maker: {} };
    this.show(
      { kind: 'traded', market: 0, tradeId, ticks, lots, takerSide, ...taken } as Event,
      {},
    );
  }

  /** One order that takes several makers, some of them at one price. */
  sweep(): void {
    const order = 1_000_000 + this.trades.length;
    const side: Side = this.prng.below(2) === 0 ? 1 : -1;
    let ticks = this.trades.at(-1)?.ticks ?? 50_000;
    for (let i = this.prng.below(5); i >= 0; i -= 1) {
      this.trade({ order, side, ticks });
      if (this.prng.below(2) === 0) ticks += side;
    }
  }

  tick(): void {
    const { prng, time } = this;
    const index = 40_000 + prng.below(20_000);
    const mark = index + prng.below(101) - 50;
    const [long, short] = [prng.below(1e9), prng.below(1e9)];
    this.ticks.push({ mark, index, interest: (long + short) * mark * grain, time });
    this.happened.push(this.ticks.at(-1)!);
    this.show({ kind: 'priced', market: 0, index, mark } as Event, {
      figures: { longLots: long, shortLots: short },
      prices: { mark },
    });
  }

  /** Moves the time: mostly a little, sometimes to an edge or far beyond. */
  wait(): void {
    const { prng } = this;
    const draw = prng.below(1000);
    const edges = [minute, minute, 5 * minute, 5 * minute, hour, day];
    if (draw < 300) return;
    if (draw < 700) this.time += prng.below(3000);
    else if (draw < 880) this.time += prng.below(10 * minute);
    else if (draw < 990) {
      const edge = edges[prng.below(edges.length)]!;
      this.time = this.time - (this.time % edge) + edge - prng.below(2);
    } else if (draw < 998) this.time += prng.below(2 * day);
    else this.time = naiveEnd('1M', this.time) - prng.below(2);
  }

  run(steps: number): void {
    for (let i = 0; i < steps; i += 1) {
      this.wait();
      const draw = this.prng.below(10);
      if (draw < 5) this.trade();
      else if (draw < 7) this.sweep();
      else this.tick();
    }
  }

  /** A window somewhere around what there is. */
  window() {
    const { prng, time } = this;
    const far = [minute, hour, day, 100 * day][prng.below(4)]!;
    const one = time - prng.below(Math.min(far, 2 ** 31)) * (far > 2 ** 31 ? 4 : 1);
    const other = time - prng.below(Math.min(far, 2 ** 31));
    const [startTime, endTime] = [one, other].sort((a, b) => a - b);
    const kind = prng.below(4);
    return {
      ...(kind % 2 === 1 ? { startTime: startTime! } : {}),
      ...(kind >= 2 ? { endTime: endTime! } : {}),
      limit: 1 + prng.below(1500),
    };
  }
}

function candlesOfAll(storm: Storm, interval: Interval, kind: CandleKind) {
  const { trades, ticks, time: now } = storm;
  const samples =
    kind === 'trade'
      ? samplesOf.trades(trades)
      : samplesOf.prices(ticks, ({ mark, index }) =>
          kind === 'premium'
            ? mulDivHalfEven(mark - index, 100_000_000, index)
            : kind === 'mark'
              ? mark
              : index,
        );
  return naiveCandles(samples, { interval, max: candlesMax[servedFrom(interval)], now });
}

/** All of them must show the same, which is computed once. */
function expectAll(storm: Storm, shown: readonly MarketData[]): void {
  const now = storm.time as Time;
  for (const interval of intervals) {
    for (const kind of ['trade', 'mark', 'index', 'premium'] as const) {
      const all = candlesOfAll(storm, interval, kind);
      const windows = [{ limit: 1500 }, { startTime: 0, limit: 1500 }, storm.window()];
      for (const window of windows) {
        const due = inWindow(all, ({ openTime }) => openTime, window);
        for (const { candles } of shown) {
          expectSame(candlesIn(candles[kind], interval, window, now), due);
        }
      }
    }
  }
  for (const data of shown) {
    expectSame(dayFiguresOf(data.day, now), naiveDay(storm.trades, now));
    expectTrades(storm, data);
    expectPeriods(storm, data);
  }
}

function expectTrades(storm: Storm, { recent }: MarketData): void {
  const trades = storm.trades.map(naiveTrade).slice(-1000);
  const aggregates = naiveAggregates(storm.trades).slice(-1000);
  const fromId = Math.max(0, storm.trades.length - storm.prng.below(1200));
  for (const window of [
    { limit: 1000 },
    { limit: 3 },
    { limit: 20, fromId },
    storm.window(),
    { ...storm.window(), fromId: fromId >> 1 },
  ]) {
    const asked = [
      ({ time }: { time: number }) => time,
      window,
      ({ id }: { id: number }) => id,
    ] as const;
    expectSame(tradesIn(recent, window), inWindow(trades, ...asked));
    expectSame(aggregatesIn(recent, window), inWindow(aggregates, ...asked));
  }
}

function expectPeriods(storm: Storm, { periods: figures }: MarketData): void {
  const { happened, time: now } = storm;
  for (const period of periods) {
    const max = periodBucketsMax;
    const interest = naiveInterest(happened, { period, max });
    for (const limit of [1, 30, 500]) {
      expectSame(openInterestOver(figures, period, limit), interest.slice(-limit));
    }
    const volumes = naiveVolumes(happened, { period, max, now });
    for (const window of [{ limit: 500 }, storm.window()]) {
      expectSame(
        takerVolumesIn(figures, period, window, now as Time),
        inWindow(volumes, ({ time }) => time, window),
      );
    }
  }
}

const sectionsOf = (views: Views): Buffer[] => {
  const sections: Buffer[] = [];
  encodeViews(views, engine, (section) => sections.push(section));
  return sections;
};

const copyOf = (views: Views): Views => decodeViews(sectionsOf(views).values(), engine);

describe('NAT-2a NAT-2b NAT-2c NAT-2d NAT-2e the views show exactly what happened', () => {
  test.each([1, 3])('seed %i, also in a copy that continues from a snapshot', (seed) => {
    const storm = new Storm(seed);
    expectAll(storm, storm.views[0]!.markets);
    for (const steps of [1, 60, 240]) {
      storm.run(steps);
      storm.views[1] = copyOf(storm.views[0]!);
      storm.run(7);
      // The copy comes before any query, because a query must change nothing.
      expectAll(
        storm,
        storm.views.toReversed().map(({ markets }) => markets[0]!),
      );
    }
    expect(storm.views.map(copyOf)[0]!.markets).toEqual(copyOf(storm.views[1]!).markets);
  });
});

test('missing or damaged sections of market data are refused', () => {
  const storm = new Storm(2);
  storm.run(4000);
  const sections = sectionsOf(storm.views[0]!);
  expect(Math.max(...sections.map(({ length }) => length))).toBeLessThan(300_000);
  const own = sections.flatMap((section, index) => (section.readUInt32LE(4) >= 47 ? [index] : []));
  expect(own.length).toBeGreaterThan(2);
  for (const index of own) {
    expect(() => decodeViews(sections.toSpliced(index, 1).values(), engine)).toThrow(Fault);
    const damaged = Buffer.from(sections[index]!);
    damaged[damaged.length >> 1]! ^= 4;
    expect(() => decodeViews(sections.with(index, damaged).values(), engine)).toThrow(Fault);
  }
});

test('NAT-2a tables at their bound drop the oldest bucket', () => {
  const storm = new Storm(9);
  for (let i = 0; i < 2000; i += 1) {
    storm.time += 2 * minute;
    storm.trade();
    storm.tick();
  }
  const data = storm.views[0]!.markets[0]!;
  expectAll(storm, [data]);
  const now = storm.time as Time;
  const all = candlesIn(data.candles.trade, '1m', { startTime: 0, limit: 5000 }, now);
  // Every second minute has a trade.
  expect(all).toHaveLength(2 * candlesMax['1m'] - 1);
  expect(openInterestOver(data.periods, '5m', 800)).toHaveLength(periodBucketsMax);
});

describe('NAT-2c the last 24 hours', () => {
  test('drop a trade in the millisecond in which it is 24 hours old', () => {
    const storm = new Storm(5);
    const { day: shown } = storm.views[0]!.markets[0]!;
    storm.trade({ ticks: 900 });
    const first = storm.time;
    storm.time += 1;
    storm.trade({ ticks: 100 });
    storm.trade({ ticks: 200 });
    const at = (time: number) => dayFiguresOf(shown, time as Time);
    expect(at(first + day - 1)).toMatchObject({ open: 900, high: 900, low: 100, firstId: 1 });
    expect(at(first + day)).toMatchObject({ open: 100, high: 200, low: 100, firstId: 2 });
    expect(at(first + day + 1)).toBeUndefined();
  });

  test('count more than 2^53 units of volume exactly', () => {
    const storm = new Storm(6);
    const { day: shown } = storm.views[0]!.markets[0]!;
    const huge = { ticks: 1_000_000_000, lots: 1_000_000 };
    for (let i = 0; i < 5; i += 1) storm.trade(huge);
    const one = 1_000_000_000n * 1_000_000n * 7n;
    expect(dayFiguresOf(shown, storm.time as Time)).toMatchObject({ quoteVolume: 5n * one });
    storm.time += day;
    storm.trade({ ticks: 1, lots: 1 });
    expect(dayFiguresOf(shown, storm.time as Time)).toMatchObject({ quoteVolume: 7n, volume: 1n });
  });

  test('of a market with too many entries move in steps of five seconds', () => {
    const storm = new Storm(7);
    const { day: shown } = storm.views[0]!.markets[0]!;
    for (let i = 0; i < dayEntriesMax + 20_000; i += 1) {
      storm.time += 1 + storm.prng.below(20);
      storm.trade();
    }
    expect(shown.entries.size).toBeLessThan(dayEntriesMax);
    const total = naiveDay(storm.trades, storm.time);
    expectSame(dayFiguresOf(shown, storm.time as Time), total);
    const [begin] = storm.trades;
    // A joined entry goes with its last trade: what is shown is exact for a time at most 5 s ago.
    for (let later = day; later < day + 60_000; later += 777) {
      const now = begin!.time + later;
      const figures = dayFiguresOf(shown, now as Time);
      const first = storm.trades.findIndex(({ id }) => id === figures!.firstId);
      expect(storm.trades[first]!.time).toBeGreaterThan(now - day - 5000);
      expectSame(figures, naiveDay(storm.trades.slice(first), storm.time));
    }
  });
});
