// The candles of a chart: history and messages come in any order, and no candle is lost, kept
// unfinished or replaced by an earlier state of it.

import { expect, test } from 'vitest';
import { type Candle, openCandleFeed } from '../../src/page/state/candleFeed.ts';
import { createPrng } from '../../src/std/prng.ts';

const minute = 60_000;

const candle = (n: number, volume: number, closed = false): Candle => ({
  ...{ time: n * minute, open: 1, high: 2, low: 1, close: 2 },
  volume,
  closed,
});

/** A source whose answers and messages come when the test says so. */
function openStage() {
  const answers: ((candles: readonly Candle[]) => void)[] = [];
  let say: (message: Candle) => void = () => {};
  let shown: Candle[] = [];
  const feed = openCandleFeed({
    source: {
      read: () =>
        new Promise((resolve) => {
          answers.push(resolve);
        }),
      follow: (take) => {
        say = take;
        return () => {};
      },
    },
    interval: '1m',
    onAll: (candles) => {
      shown = [...candles];
    },
    onLast: (last) => {
      if (shown.at(-1)?.time === last.time) shown.pop();
      shown.push(last);
    },
  });
  return {
    feed,
    say: (message: Candle) => say(message),
    asked: () => answers.length,
    answer: async (...candles: readonly Candle[]): Promise<void> => {
      answers.shift()!(candles);
      await Promise.resolve();
      await Promise.resolve();
    },
    shown: () => shown,
  };
}

test('a message from before the answer does not undo what the answer knows', async () => {
  const { say, answer, shown, feed } = openStage();
  say(candle(8, 3));
  await answer(candle(7, 9, true), candle(8, 5));
  expect(shown()).toEqual([candle(7, 9, true), candle(8, 5)]);
  say(candle(8, 6));
  expect(shown().at(-1)).toEqual(candle(8, 6));
  feed.close();
});

test('a candle that ended between the answer and the first message is read again', async () => {
  const { say, answer, asked, shown, feed } = openStage();
  await answer(candle(7, 9, true), candle(8, 5));
  expect(asked()).toBe(0);
  // The channel began after minute 8 had ended: no message says how it ended.
  say(candle(9, 1));
  expect(asked()).toBe(1);
  await answer(candle(7, 9, true), candle(8, 7, true), candle(9, 1));
  expect(shown()).toEqual([candle(7, 9, true), candle(8, 7, true), candle(9, 1)]);
  feed.close();
});

test('a candle that ended before the page’s eyes is not read again', async () => {
  const { say, answer, asked, shown, feed } = openStage();
  await answer(candle(8, 5));
  say(candle(8, 7, true));
  say(candle(9, 1));
  expect(asked()).toBe(0);
  expect(shown()).toEqual([candle(8, 7, true), candle(9, 1)]);
  feed.close();
});

/** What the exchange knows: candles by their minute, each with a volume that rises. */
function createExchange(prng: ReturnType<typeof createPrng>) {
  const candles = [candle(0, 1)];
  const now = (): Candle => candles.at(-1)!;
  return {
    candles,
    /** The messages of one step: a trade, or minutes that pass. */
    step: (): readonly Candle[] => {
      if (prng.below(4) > 0) {
        candles.push(candle(candles.length - 1, now().volume + 1));
        candles.splice(-2, 1);
        return [now()];
      }
      const whole = { ...now(), closed: true };
      candles.splice(-1, 1, whole);
      const idle = prng.below(8) === 0 ? 3 : 0;
      for (let n = 0; n < idle; n += 1) candles.push(candle(candles.length, 0, true));
      candles.push(candle(candles.length, 0));
      return [whole, now()];
    },
  };
}

test('in any order of answers and messages the candles become those of the exchange', async () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const prng = createPrng(seed);
    const exchange = createExchange(prng);
    const { say, answer, asked, shown, feed } = openStage();
    const onTheWay: Candle[] = [];
    let isConnected = false;
    for (let n = 0; n < 60; n += 1) {
      const messages = exchange.step();
      if (isConnected) onTheWay.push(...messages);
      // A connection begins with the present candle, and what was on the way before is lost.
      if (prng.below(12) === 0) {
        isConnected = true;
        onTheWay.splice(0, Number.POSITIVE_INFINITY, exchange.candles.at(-1)!);
      }
      // An answer is made now and comes now; messages may be from before it.
      if (asked() > 0 && prng.below(3) === 0) await answer(...exchange.candles);
      while (onTheWay.length > 0 && prng.below(3) > 0) say(onTheWay.shift()!);
    }
    onTheWay.splice(0, Number.POSITIVE_INFINITY, exchange.candles.at(-1)!);
    for (const message of onTheWay) say(message);
    while (asked() > 0) await answer(...exchange.candles);
    for (const message of exchange.step()) say(message);
    while (asked() > 0) await answer(...exchange.candles);
    expect(shown(), `seed ${seed}`).toEqual(exchange.candles);
    feed.close();
  }
});
