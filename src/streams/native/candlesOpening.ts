// The channel `candles:<symbol>:<interval>` (WS-2): the present candle whenever trades changed it,
// at most every 250 ms, and once more, closed, when the next one has begun.

import type { Market } from '../../engine/views/market.ts';
import { type Candle, candlesIn } from '../../market-data/candles.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { bucketAfter, bucketStart, type Interval } from '../../units/interval.ts';
import { moneyDecimals, type Time } from '../../units/units.ts';
import { type Opening, publish } from '../fanout.ts';
import { followTrades } from '../marketFeed.ts';
import { addRhythm } from '../rhythm.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';

export type CandleChoice = { readonly market: Market; readonly interval: Interval };

export function candlesOpening(context: StreamContext, choice: CandleChoice): Opening {
  const { market, interval } = choice;
  const { fanout, rhythms, bounds, exchange } = context;
  const name = `candles:${market.symbol}:${interval}`;
  return {
    key: name,
    name,
    resumable: true,
    open: (channel) => {
      const follower = followCandle(context, choice);
      const run = (): boolean => {
        const changed = follower.take();
        for (const candle of changed) {
          publish(fanout, channel(), (place) => candleText(place, choice, candle));
        }
        return changed.length > 0;
      };
      const stop = addRhythm(rhythms, { everyMs: bounds.candlesMs, run });
      return {
        snapshot: (place) => {
          const [candle] = candlesAt(context, choice, exchange.time);
          return candle === undefined ? undefined : candleText(place, choice, candle);
        },
        close: () => {
          stop();
          follower.end();
        },
      };
    },
  };
}

export type CandleFollower = {
  /** What to send since the last call: the candle that closed, and the present one. */
  readonly take: () => readonly Candle[];
  readonly end: () => void;
};

/** Follows the candles of an interval from now on. */
export function followCandle(context: StreamContext, choice: CandleChoice): CandleFollower {
  const { exchange, markets } = context;
  const { market, interval } = choice;
  let changed = false;
  let openTime = bucketStart(interval, exchange.time);
  const end = followTrades(markets, market.id, () => {
    changed = true;
  });
  const take = (): readonly Candle[] => {
    const { time } = exchange;
    const next = bucketAfter(interval, openTime, 1);
    const closed = time >= next ? candlesAt(context, choice, openTime) : [];
    const present = changed || time >= next ? candlesAt(context, choice, time) : [];
    changed = false;
    openTime = bucketStart(interval, time);
    return [...closed, ...present];
  };
  return { take, end };
}

/** The candle that contains `at`, as it is now; none before the market's first trade. */
function candlesAt(context: StreamContext, { market, interval }: CandleChoice, at: Time): Candle[] {
  const { trade } = dataOf(context, market).candles;
  const startTime = bucketStart(interval, at);
  return candlesIn(trade, interval, { startTime, endTime: at, limit: 1 }, context.exchange.time);
}

function candleText(place: string, { market, interval }: CandleChoice, candle: Candle): string {
  const price = (ticks: number): string => formatSteps(ticks, market.tick);
  return (
    `{"type":"candle",${place},"interval":"${interval}","open_time":${candle.openTime}` +
    `,"open":"${price(candle.open)}","high":"${price(candle.high)}"` +
    `,"low":"${price(candle.low)}","close":"${price(candle.close)}"` +
    `,"volume":"${formatSteps(candle.volume, market.lot)}"` +
    `,"quote_volume":"${formatTrimmed(candle.quoteVolume, moneyDecimals)}"` +
    `,"trades":${candle.count},"closed":${candle.closed}}`
  );
}
