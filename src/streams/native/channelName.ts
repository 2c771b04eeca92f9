// The names of native channels, as clients write them and as the exchange returns them (WS-1, WS-2,
// SYM-0).

import { type Exchange, marketBySymbol } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { type Interval, intervals } from '../../units/interval.ts';
import { normalizeSymbol } from '../../units/symbol.ts';
import type { StreamError } from './streamError.ts';

export type ChannelName =
  | { readonly kind: 'ticker' | 'depth' | 'trades'; readonly market: Market }
  | { readonly kind: 'candles'; readonly market: Market; readonly interval: Interval }
  | { readonly kind: 'account' };

const nameLengthMax = 64;

/** The channel of that name, in any spelling of its symbol. */
export function parseChannelName(text: unknown, exchange: Exchange): ChannelName | StreamError {
  if (typeof text !== 'string' || text.length > nameLengthMax) {
    return { code: 'INVALID_PARAMETER', message: 'channel must be the name of a channel.' };
  }
  const [kind = '', symbol, ...rest] = text.split(':');
  if (kind === 'account' && symbol === undefined) return { kind };
  const named = kind === 'ticker' || kind === 'depth' || kind === 'trades';
  if (symbol === undefined || (named ? rest.length !== 0 : kind !== 'candles')) return unknown;
  const market = marketOf(exchange, symbol);
  if (market === undefined) return { code: 'INVALID_MARKET', message: 'Unknown market.' };
  if (named) return { kind, market };
  const interval = intervals.find((each) => each === rest[0]);
  if (rest.length !== 1) return unknown;
  if (interval === undefined) return { code: 'ERR_INVALID_PERIOD', message: 'Unknown interval.' };
  return { kind: 'candles', market, interval };
}

const unknown: StreamError = {
  code: 'INVALID_PARAMETER',
  message:
    'There are the channels ticker:<symbol>, depth:<symbol>, trades:<symbol>, ' +
    'candles:<symbol>:<interval> and account.',
};

function marketOf(exchange: Exchange, symbol: string): Market | undefined {
  return marketBySymbol(exchange, normalizeSymbol(symbol));
}
