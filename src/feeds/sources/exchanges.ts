// The spot exchanges that can be index sources, and how to poll and stream each of them.

import { binance } from './binance.ts';
import { binanceStream } from './binanceStream.ts';
import { bitstamp } from './bitstamp.ts';
import { bybit } from './bybit.ts';
import { coinbase } from './coinbase.ts';
import { coinbaseStream } from './coinbaseStream.ts';
import { kraken } from './kraken.ts';
import { okx } from './okx.ts';
import type { RestExchange } from './restExchange.ts';
import type { StreamExchange } from './streamExchange.ts';

export const restExchanges: readonly RestExchange[] = [
  binance,
  bitstamp,
  bybit,
  coinbase,
  kraken,
  okx,
];

export const streamExchanges: readonly StreamExchange[] = [binanceStream, coinbaseStream];
