// Candles of the trades of a market, from the native interface and its channel.

import type { StreamClient } from '../../client/streamClient.ts';
import type { Interval } from '../../units/interval.ts';
import { type Candle, type CandleSource, candlesAsked } from './candleFeed.ts';
import type { Requests } from './requests.ts';

type Row = {
  readonly open_time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly closed: boolean;
};

const candleOf = ({ open_time, open, high, low, close, volume, closed }: Row): Candle => ({
  time: open_time,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
  closed,
});

export type TradeCandles = {
  readonly client: StreamClient;
  readonly requests: Pick<Requests, 'getCandles'>;
  readonly symbol: string;
  readonly interval: Interval;
};

export function tradeCandles({ client, requests, symbol, interval }: TradeCandles): CandleSource {
  const channel = `candles:${symbol}:${interval}` as const;
  return {
    read: async (end) => {
      const rows = await requests.getCandles({
        symbol,
        period: interval,
        limit: candlesAsked,
        ...(end === undefined ? {} : { end_time: end }),
      });
      return rows.map(candleOf);
    },
    follow: (take) => {
      client.subscribe(channel, (message) => take(candleOf(message)));
      return () => client.unsubscribe(channel);
    },
  };
}
