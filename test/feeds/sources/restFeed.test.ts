// The polling feed under virtual time: its rhythm, what it drops and says once, when a source
// counts as live (PRC-2), and how it leaves a failing exchange alone.

import { describe, expect, test } from 'vitest';
import { createIndexPublisher } from '../../../src/feeds/indexPublisher.ts';
import { backoffMsMax } from '../../../src/feeds/sources/backoff.ts';
import { binance } from '../../../src/feeds/sources/binance.ts';
import { bybit } from '../../../src/feeds/sources/bybit.ts';
import { coinbase } from '../../../src/feeds/sources/coinbase.ts';
import type { RestExchange } from '../../../src/feeds/sources/restExchange.ts';
import { createRestFeed } from '../../../src/feeds/sources/restFeed.ts';
import { createPrng } from '../../../src/std/prng.ts';
import type { MarketId } from '../../../src/units/units.ts';
import { createVirtualTime } from '../../fixtures/virtualTime.ts';
import { answered, createFakeWeb, status } from './fakeWeb.ts';
import { readFixture } from './readFixture.ts';

const start = 1_760_000_000_000;

function listen(exchange: RestExchange, names: Record<string, string>) {
  const time = createVirtualTime(start);
  const web = createFakeWeb();
  const reports: string[] = [];
  const open = () =>
    createRestFeed({
      exchange,
      symbols: new Map(Object.entries(names)),
      fetchText: web.fetchText,
      clock: time.clock,
      scheduler: time.scheduler,
      prng: createPrng(7),
      report: (message) => reports.push(message),
    });
  return { time, web, reports, open };
}

const book = (symbol: string, price: string) => ({ symbol, bidPrice: price, askPrice: price });
const pair = { BTCUSDT: 'BTCUSDT' };

describe('rhythm', () => {
  test('one round a second for all pairs, one request at a time', async () => {
    const { time, web, open } = listen(binance, { BTCUSDT: 'BTCUSDT', ETHUSDT: 'ETHUSDT' });
    web.answerWith = () => answered(readFixture('binance'));
    const feed = open();
    await time.advanceSettling(10_500);
    expect(web.asked).toHaveLength(11);
    expect(new Set(web.asked)).toEqual(new Set([binance.url(['BTCUSDT', 'ETHUSDT'])]));
    expect(web.underWayMost()).toBe(1);
    expect(feed.poll(time.clock.now())).toEqual([
      { symbol: 'BTCUSDT', source: 'binance', price: '115020.015', observedAt: start + 10_000 },
      { symbol: 'ETHUSDT', source: 'binance', price: '4210.505', observedAt: start + 10_000 },
    ]);
    await feed.close();
  });

  test('an exchange with one request per pair is asked for one pair after the other', async () => {
    const { time, web, open } = listen(coinbase, { BTCUSDT: 'BTC-USDT', ETHUSDT: 'ETH-USDT' });
    web.answerWith = () => answered(readFixture('coinbase'));
    const feed = open();
    await time.advanceSettling(500);
    expect(web.asked).toEqual([coinbase.url(['BTC-USDT']), coinbase.url(['ETH-USDT'])]);
    expect(web.underWayMost()).toBe(1);
    expect(feed.poll(start + 500).map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    await feed.close();
  });

  test('a slow answer delays the next round, and no second request runs beside it', async () => {
    const { time, web, open } = listen(binance, pair);
    web.answerWith = () =>
      new Promise((resolve) => {
        time.scheduler.after(2500, () => resolve(answered([book('BTCUSDT', '5')])));
      });
    const feed = open();
    await time.advanceSettling(9900);
    expect(web.asked.length).toBe(4);
    expect(web.underWayMost()).toBe(1);
    await feed.close();
  });

  test('closing ends the current request and starts no other', async () => {
    const { time, web, reports, open } = listen(binance, pair);
    web.answerWith = () => new Promise(() => {});
    const feed = open();
    await time.advanceSettling(100);
    expect(web.underWay()).toBe(1);
    await feed.close();
    await time.advanceSettling(60_000);
    expect(web.asked).toHaveLength(1);
    expect(web.underWay()).toBe(0);
    expect(time.waiting()).toBe(0);
    expect(reports).toEqual([]);
  });
});

describe('PRC-2: a price is live while its source answers', () => {
  test('every answer confirms the price of a calm market', async () => {
    const { time, web, open } = listen(binance, pair);
    web.answerWith = () => answered([book('BTCUSDT', '5')]);
    const feed = open();
    let last = 0;
    for (let second = 0; second < 100; second += 1) {
      await time.advanceSettling(1000);
      const [price] = feed.poll(time.clock.now());
      expect(price!.price).toBe('5');
      expect(price!.observedAt).toBeGreaterThan(last);
      last = price!.observedAt;
    }
    await feed.close();
  });

  test('a silent source is left out after 3 s and comes back by itself', async () => {
    const { time, web, reports, open } = listen(binance, pair);
    web.answerWith = () => answered([book('BTCUSDT', '5')]);
    const feed = open();
    await time.advanceSettling(500);
    web.answerWith = () => ({ kind: 'failed', problem: 'it does not answer in time' });
    await time.advanceSettling(2500);
    expect(feed.poll(start + 3000)).toHaveLength(1);
    expect(feed.poll(start + 3001)).toEqual([]);
    await time.advanceSettling(120_000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    expect(reports).toEqual(['index source binance: all its prices: it does not answer in time']);
    web.answerWith = () => answered([book('BTCUSDT', '6')]);
    await time.advanceSettling(backoffMsMax);
    expect(feed.poll(time.clock.now())).toMatchObject([{ price: '6' }]);
    expect(reports.at(-1)).toBe('index source binance: all its prices: works again');
    await feed.close();
  });

  test('a missing or bad symbol is left out, and the others stay', async () => {
    const { time, web, reports, open } = listen(binance, {
      BTCUSDT: 'BTCUSDT',
      ETHUSDT: 'ETHUSDT',
    });
    web.answerWith = () => answered([book('BTCUSDT', '5'), book('ETHUSDT', '3')]);
    const feed = open();
    await time.advanceSettling(1500);
    web.answerWith = () => answered([book('BTCUSDT', '5'), book('ETHUSDT', '0.00')]);
    await time.advanceSettling(5000);
    expect(feed.poll(time.clock.now()).map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
    expect(reports).toEqual([
      'index source binance: ETHUSDT: an answer is dropped: it states a price of zero',
    ]);
    await feed.close();
  });

  test('a clock that is set back does not stop the prices', async () => {
    const { time, web, open } = listen(binance, pair);
    let price = 5;
    web.answerWith = () => {
      price += 1;
      return answered([book('BTCUSDT', `${price}`)]);
    };
    const feed = open();
    await time.advanceSettling(2500);
    const [before] = feed.poll(time.clock.now());
    time.shiftClock(-600_000);
    await time.advanceSettling(3000);
    // The publisher's time does not run backwards either.
    const [after] = feed.poll(before!.observedAt + 10);
    expect(after!.price).not.toBe(before!.price);
    expect(after!.observedAt).toBeGreaterThan(before!.observedAt);
    await feed.close();
  });

  test('the publisher sends the price of a live source every second and of a dead one never', async () => {
    const { time, web, open } = listen(binance, pair);
    web.answerWith = () => answered([book('BTCUSDT', '115020.04')]);
    const submitted: { readonly at: number; readonly ticks: number }[] = [];
    const publisher = createIndexPublisher({
      feeds: [open()],
      marketOf: (symbol) => ({ symbol, id: 0 as MarketId, tick: { step: 1, decimals: 1 } }),
      submit: ({ prices }) => {
        for (const { ticks } of prices) submitted.push({ at: time.clock.now(), ticks });
        return true;
      },
      clock: time.clock,
      scheduler: time.scheduler,
      report: () => {},
    });
    publisher.start();
    await time.advanceSettling(10_000);
    expect(submitted.length).toBeGreaterThanOrEqual(9);
    expect(new Set(submitted.map(({ ticks }) => ticks))).toEqual(new Set([1_150_200]));
    web.answerWith = () => ({ kind: 'failed', problem: 'it cannot be reached' });
    await time.advanceSettling(4000);
    const dead = submitted.length;
    await time.advanceSettling(60_000);
    expect(submitted).toHaveLength(dead);
    await publisher.stop();
  });
});

describe('what is dropped', () => {
  test.each([
    ['{"symbol":', 'all its prices: its answer is malformed'],
    ['<html>down for maintenance</html>', 'all its prices: its answer is malformed'],
    ['[{"symbol":"BTCUSDT","bidPrice":5,"askPrice":5}]', 'no plain decimal'],
    ['[{"symbol":"BTCUSDT","bidPrice":"-5","askPrice":"5"}]', 'no plain decimal'],
    ['[{"symbol":"BTCUSDT","bidPrice":"1e3","askPrice":"1e3"}]', 'no plain decimal'],
    ['[{"symbol":"BTCUSDT","bidPrice":"0","askPrice":"0"}]', 'a price of zero'],
    ['[{"symbol":"BTCUSDT","bidPrice":"6","askPrice":"5"}]', 'its bid lies above its ask'],
    ['[{"symbol":"ETHUSDT","bidPrice":"5","askPrice":"5"}]', 'a pair that was not asked for'],
    ['[]', 'it is missing in the answer'],
  ])('%s is dropped and reported once', async (text, problem) => {
    const { time, web, reports, open } = listen(binance, {
      BTCUSDT: 'BTCUSDT',
      AVAXUSDT: 'AVAXUSDT',
    });
    web.answerWith = () => answered(text);
    const feed = open();
    await time.advanceSettling(50_000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    const said = reports.filter((message) => message.includes(problem));
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(reports).size).toBe(reports.length);
    await feed.close();
  });

  test('an intermittent problem is reported at most once a minute', async () => {
    const { time, web, reports, open } = listen(binance, pair);
    let round = 0;
    web.answerWith = () => {
      round += 1;
      return answered([book('BTCUSDT', round % 2 === 0 ? '0' : '5')]);
    };
    const feed = open();
    await time.advanceSettling(300_000);
    // Once wrong and once well again, in each of five minutes.
    expect(reports.length).toBeGreaterThan(6);
    expect(reports.length).toBeLessThanOrEqual(12);
    await feed.close();
  });

  test('reports contain no text that came from outside', async () => {
    const { time, web, reports, open } = listen(binance, pair);
    web.answerWith = () =>
      answered([{ symbol: 'stranger', bidPrice: 'stranger', askPrice: 'stranger' }]);
    const feed = open();
    await time.advanceSettling(5000);
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.join()).not.toContain('stranger');
    await feed.close();
  });

  test('an answer from a cache does not count', async () => {
    const { time, web, reports, open } = listen(binance, pair);
    web.answerWith = () => answered([book('BTCUSDT', '5')], { cachedSeconds: 4 });
    const feed = open();
    await time.advanceSettling(2000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    expect(reports).toEqual(['index source binance: all its prices: it answers from a cache']);
    await feed.close();
  });
});

describe('answers out of order and frozen answers', () => {
  const ticker = (price: string, timeMs: number) => {
    const answer = readFixture('bybit');
    Object.assign(answer.result.list[0], { bid1Price: price, ask1Price: price });
    return answered({ ...answer, time: timeMs });
  };

  test('an answer that is older than the one before it is dropped', async () => {
    const { time, web, reports, open } = listen(bybit, pair);
    web.answerWith = () => ticker('5', 2000);
    const feed = open();
    await time.advanceSettling(500);
    web.answerWith = () => ticker('4', 1999);
    await time.advanceSettling(1000);
    expect(feed.poll(time.clock.now())).toMatchObject([{ price: '5', observedAt: start }]);
    expect(reports).toEqual([
      'index source bybit: BTCUSDT: an answer is dropped: it is older than the one before it',
    ]);
    web.answerWith = () => ticker('6', 2001);
    await time.advanceSettling(1000);
    expect(feed.poll(time.clock.now())).toMatchObject([{ price: '6' }]);
    await feed.close();
  });

  test('an exchange whose times stay set back is accepted after 10 s', async () => {
    const { time, web, open } = listen(bybit, pair);
    web.answerWith = () => ticker('5', 4_000_000_000_000);
    const feed = open();
    await time.advanceSettling(500);
    web.answerWith = () => ticker('4', time.clock.now());
    await time.advanceSettling(9000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    await time.advanceSettling(3000);
    expect(feed.poll(time.clock.now())).toMatchObject([{ price: '4' }]);
    await feed.close();
  });

  test('a source whose own clock stands still counts as frozen and is not live', async () => {
    const { time, web, reports, open } = listen(bybit, pair);
    web.answerWith = () => ticker('5', 1000);
    const feed = open();
    await time.advanceSettling(10_000);
    expect(feed.poll(time.clock.now())).toHaveLength(1);
    await time.advanceSettling(5000);
    for (let second = 0; second < 60; second += 1) {
      expect(feed.poll(time.clock.now())).toEqual([]);
      await time.advanceSettling(1000);
    }
    expect(reports).toEqual([
      'index source bybit: BTCUSDT: an answer is dropped: its clock stands still',
    ]);
    web.answerWith = () => ticker('5', 1001);
    await time.advanceSettling(1000);
    expect(feed.poll(time.clock.now())).toHaveLength(1);
    await feed.close();
  });
});

describe('pauses after failures', () => {
  async function waitsOf(answer: ReturnType<typeof status>, seed = 7) {
    const time = createVirtualTime(start);
    const web = createFakeWeb();
    const at: number[] = [];
    web.answerWith = () => {
      at.push(time.clock.now());
      return answer;
    };
    const feed = createRestFeed({
      exchange: binance,
      symbols: new Map(Object.entries(pair)),
      fetchText: web.fetchText,
      clock: time.clock,
      scheduler: time.scheduler,
      prng: createPrng(seed),
      report: () => {},
    });
    await time.advanceSettling(400_000);
    await feed.close();
    return at.slice(1).map((now, i) => now - at[i]!);
  }

  test('waits double up to 30 s, each between half and the whole of it, by seed', async () => {
    const waits = await waitsOf(status(503));
    for (const [i, wait] of waits.entries()) {
      const full = Math.min(backoffMsMax, 1000 * 2 ** i);
      expect(wait).toBeGreaterThanOrEqual(full / 2);
      expect(wait).toBeLessThanOrEqual(full);
    }
    expect(waits.length).toBeGreaterThan(12);
    expect(await waitsOf(status(503))).toEqual(waits);
    expect(await waitsOf(status(503), 8)).not.toEqual(waits);
  });

  test('the pause that an exchange demands is kept', async () => {
    const waits = await waitsOf(status(429, 120_000));
    expect(waits).toEqual([120_000, 120_000, 120_000]);
  });

  test('after a success the next failure counts as the first', async () => {
    const { time, web, open } = listen(binance, pair);
    web.answerWith = () => status(500);
    const feed = open();
    await time.advanceSettling(200_000);
    web.answerWith = () => answered([book('BTCUSDT', '5')]);
    await time.advanceSettling(40_000);
    web.answerWith = () => status(500);
    await time.advanceSettling(1000);
    const before = web.asked.length;
    await time.advanceSettling(1000);
    expect(web.asked.length).toBeGreaterThan(before);
    await feed.close();
  });

  test('one unknown name does not stop the others and is requested rarely', async () => {
    const { time, web, reports, open } = listen(binance, {
      BTCUSDT: 'BTCUSDT',
      LUNAUSDT: 'LUNAUSDT',
      ETHUSDT: 'ETHUSDT',
    });
    const known = new Map([
      [binance.url(['BTCUSDT']), [book('BTCUSDT', '5')]],
      [binance.url(['ETHUSDT']), [book('ETHUSDT', '3')]],
      [binance.url(['BTCUSDT', 'ETHUSDT']), [book('BTCUSDT', '5'), book('ETHUSDT', '3')]],
    ]);
    web.answerWith = ({ url }) => {
      const found = known.get(url);
      return found === undefined ? status(400) : answered(found);
    };
    const feed = open();
    await time.advanceSettling(60_500);
    const symbols = feed.poll(time.clock.now()).map(({ symbol }) => symbol);
    expect(symbols).toEqual(['BTCUSDT', 'ETHUSDT']);
    const alone = web.asked.filter((url) => url === binance.url(['LUNAUSDT']));
    expect(alone.length).toBeLessThanOrEqual(3);
    expect(reports).toEqual([
      'index source binance: LUNAUSDT: the exchange does not know its name',
    ]);
    await feed.close();
  });

  test('a pair whose request always fails does not stop the requests of the others', async () => {
    const { time, web, open } = listen(coinbase, { BTCUSDT: 'BTC-USDT', ETHUSDT: 'ETH-USDT' });
    web.answerWith = ({ url }) =>
      url === coinbase.url(['BTC-USDT']) ? status(500) : answered(readFixture('coinbase'));
    const feed = open();
    let live = 0;
    for (let second = 0; second < 60; second += 1) {
      await time.advanceSettling(1000);
      live += feed.poll(time.clock.now()).filter(({ symbol }) => symbol === 'ETHUSDT').length;
    }
    expect(live).toBeGreaterThan(55);
    await feed.close();
  });

  test('a fault of the program ends the prices, not the exchange', async () => {
    const broken: RestExchange = {
      ...binance,
      read: () => {
        throw new Error('a fault');
      },
    };
    const { time, web, reports, open } = listen(broken, pair);
    web.answerWith = () => answered([]);
    const feed = open();
    await time.advanceSettling(30_000);
    expect(feed.poll(time.clock.now())).toEqual([]);
    expect(reports).toEqual([
      'index source binance: all its prices: a fault of this program: a fault',
    ]);
    expect(web.asked.length).toBeLessThan(10);
    await feed.close();
  });
});
