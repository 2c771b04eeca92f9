// The publisher's rhythm (design: index ticks) and its rounding (UNIT-1), under virtual time.

import { describe, expect, test } from 'vitest';
import type { IndexTick } from '../../src/engine/command.ts';
import { ticksMax } from '../../src/engine/limits.ts';
import type { Grid } from '../../src/engine/marketTerms.ts';
import type { FeedPrice, IndexFeed } from '../../src/feeds/indexFeed.ts';
import { createIndexPublisher } from '../../src/feeds/indexPublisher.ts';
import { createManualFeed } from '../../src/feeds/manualFeed.ts';
import { indexTicksMax, roundToTicks } from '../../src/feeds/roundToTicks.ts';
import type { MarketId } from '../../src/units/units.ts';
import { createVirtualTime } from '../fixtures/virtualTime.ts';

const markets = new Map([
  ['BTCUSDT', { symbol: 'BTCUSDT', id: 0 as MarketId, tick: { decimals: 1, step: 1 } }],
  ['ETHUSDT', { symbol: 'ETHUSDT', id: 1 as MarketId, tick: { decimals: 2, step: 1 } }],
]);

/** A publisher over one feed whose prices the test writes, or the feeds given. */
function publisherOf(given?: readonly IndexFeed[]) {
  const time = createVirtualTime();
  const prices = new Map<string, string>();
  const feed: IndexFeed = {
    source: 'sim',
    poll: (now) =>
      Array.from(
        prices,
        ([symbol, price]): FeedPrice => ({
          symbol,
          source: 'sim',
          price,
          observedAt: now,
        }),
      ),
    close: async () => {},
  };
  const commands: { readonly at: number; readonly tick: IndexTick }[] = [];
  const reports: string[] = [];
  const start = time.clock.now();
  const queue = { full: false };
  const publisher = createIndexPublisher({
    feeds: given ?? [feed],
    marketOf: (symbol) => markets.get(symbol),
    submit: (tick) => {
      if (queue.full) return false;
      commands.push({ at: time.clock.now() - start, tick });
      return true;
    },
    clock: time.clock,
    scheduler: time.scheduler,
    report: (message) => reports.push(message),
  });
  return { time, prices, commands, reports, publisher, queue };
}

describe('rhythm', () => {
  test('one command per 250 ms contains every changed price', () => {
    const { time, prices, commands, publisher } = publisherOf();
    prices.set('BTCUSDT', '115000.0').set('ETHUSDT', '4200.00');
    publisher.start();
    for (let i = 1; i <= 8; i += 1) {
      time.advance(100);
      prices.set('BTCUSDT', `11500${i}.0`).set('ETHUSDT', `420${i}.00`);
    }
    time.advance(100);
    expect(commands.map(({ at }) => at)).toEqual([0, 250, 500, 750]);
    expect(commands.map(({ tick }) => tick.prices.length)).toEqual([2, 2, 2, 2]);
    expect(commands[1]!.tick.prices.map(({ ticks }) => ticks)).toEqual([1_150_020, 420_200]);
  });

  test('an unchanged price is repeated once a second, each on its own schedule', () => {
    const { time, prices, commands, publisher } = publisherOf();
    prices.set('BTCUSDT', '115000');
    publisher.start();
    time.advance(500);
    prices.set('ETHUSDT', '4200');
    time.advance(3000);
    const times = (market: number) =>
      commands.filter(({ tick }) => tick.prices.some((price) => price.market === market));
    expect(times(0).map(({ at }) => at)).toEqual([0, 1000, 2000, 3000]);
    expect(times(1).map(({ at }) => at)).toEqual([750, 1750, 2750]);
  });

  test('a change below half a tick is no change', () => {
    const { time, prices, commands, publisher } = publisherOf();
    prices.set('BTCUSDT', '115000.04');
    publisher.start();
    time.advance(250);
    prices.set('BTCUSDT', '115000.049');
    time.advance(250);
    expect(commands).toHaveLength(1);
    prices.set('BTCUSDT', '115000.051');
    time.advance(250);
    expect(commands).toHaveLength(2);
  });

  test('observedAt rises strictly, even when the clock is set back', () => {
    const { time, prices, commands, publisher } = publisherOf();
    prices.set('BTCUSDT', '115000');
    publisher.start();
    for (let i = 0; i < 40; i += 1) {
      prices.set('BTCUSDT', `${115000 + i}`);
      if (i === 20) time.shiftClock(-600_000);
      time.advance(250);
    }
    const observed = commands.flatMap(({ tick }) => tick.prices.map((price) => price.observedAt));
    expect(observed.length).toBeGreaterThan(35);
    for (let i = 1; i < observed.length; i += 1) {
      expect(observed[i]).toBeGreaterThan(observed[i - 1]!);
    }
  });

  test('a price that a full queue refused is sent with the next tick', () => {
    const { time, prices, commands, publisher, queue } = publisherOf();
    queue.full = true;
    prices.set('BTCUSDT', '115000');
    publisher.start();
    expect(commands).toHaveLength(0);
    queue.full = false;
    time.advance(250);
    expect(commands.map(({ at }) => at)).toEqual([250]);
  });

  test('a price that its source no longer gives, or gives with its old time, is not sent', () => {
    const stale: IndexFeed = {
      source: 'sim',
      poll: () => [{ symbol: 'BTCUSDT', source: 'sim', price: '115000', observedAt: 7 }],
      close: async () => {},
    };
    const { time, commands, publisher } = publisherOf([stale]);
    publisher.start();
    time.advance(5000);
    expect(commands).toHaveLength(1);
  });

  test('an unlisted symbol and an inexpressible price are reported once and left out', () => {
    const { time, prices, commands, reports, publisher } = publisherOf();
    prices.set('DOGEUSDT', '1').set('BTCUSDT', '0.01').set('ETHUSDT', '4200');
    publisher.start();
    time.advance(2000);
    expect(reports).toHaveLength(2);
    expect(commands.flatMap(({ tick }) => tick.prices).every(({ market }) => market === 1)).toBe(
      true,
    );
  });

  test('stop ends the rhythm and closes the feeds', async () => {
    const { time, prices, commands, publisher } = publisherOf();
    prices.set('BTCUSDT', '115000');
    publisher.start();
    await publisher.stop();
    time.advance(5000);
    expect(commands).toHaveLength(1);
    expect(time.waiting()).toBe(0);
  });
});

describe('manual feed (PRC-2)', () => {
  test('repeats the price every second until it is replaced or withdrawn', () => {
    const feed = createManualFeed();
    const { time, commands, publisher } = publisherOf([feed]);
    publisher.start();
    time.advance(1000);
    expect(commands).toHaveLength(0);
    expect(feed.set('BTCUSDT', '115000.5')).toBe(true);
    publisher.tickNow();
    time.advance(3000);
    expect(feed.set('BTCUSDT', '90000')).toBe(true);
    time.advance(1000);
    expect(feed.set('BTCUSDT', null)).toBe(true);
    time.advance(10_000);
    const prices = commands.map(({ tick }) => tick.prices[0]!.ticks);
    expect(prices).toEqual([1_150_005, 1_150_005, 1_150_005, 1_150_005, 900_000]);
    expect(commands.map(({ at }) => at)).toEqual([1000, 2000, 3000, 4000, 4250]);
    expect(commands[0]!.tick.prices[0]!.source).toBe('manual');
  });

  test('refuses anything but a price above 0 and keeps the current one', () => {
    const feed = createManualFeed();
    feed.set('BTCUSDT', '115000');
    for (const text of ['', '0', '0.00', '-1', 'NaN', '1e400', 'Infinity', '１', ' 1', '1,5']) {
      expect(feed.set('BTCUSDT', text), text).toBe(false);
    }
    expect(feed.poll(1).map(({ price }) => price)).toEqual(['115000']);
  });
});

describe('whole ticks, half to even (UNIT-1)', () => {
  const tenth: Grid = { decimals: 1, step: 1 };
  const half: Grid = { decimals: 1, step: 5 };
  const five: Grid = { decimals: 0, step: 5 };
  test.each([
    ['115000.05', tenth, 1_150_000],
    ['115000.15', tenth, 1_150_002],
    ['115000.0500001', tenth, 1_150_001],
    ['115000.25', half, 230_000],
    ['115000.75', half, 230_002],
    ['1.15e5', tenth, 1_150_000],
    ['2.5', five, undefined],
    ['2.50001', five, 1],
    ['7.5', five, 2],
    ['0', tenth, undefined],
    ['0.05', tenth, undefined],
    ['-1', tenth, undefined],
    ['100000000', tenth, 1_000_000_000],
    ['100000000.1', tenth, undefined],
    ['price', tenth, undefined],
  ])('%s on %o', (text, grid, ticks) => {
    expect(roundToTicks(text, grid)).toBe(ticks);
  });

  test('the bound is that of the engine', () => {
    expect(indexTicksMax).toBe(ticksMax);
  });
});
