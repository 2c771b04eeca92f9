// The names of native channels, as clients write them and as the exchange returns them (WS-1, WS-2,
// SYM-0).

import { type Exchange, marketBySymbol } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { type Interval, intervals } from '../../units/interval.ts';
import { normalizeSymbol } from '../../units/symbol.ts';
import { type LevelCount, levelCounts } from './levelsOpening.ts';
import type { StreamError } from './streamError.ts';

export type ChannelName =
  | { readonly kind: 'ticker' | 'depth' | 'trades' | 'prices'; readonly market: Market }
  | { readonly kind: 'levels'; readonly market: Market; readonly levels: LevelCount }
  | { readonly kind: 'candles'; readonly market: Market; readonly interval: Interval }
  | { readonly kind: 'account' | 'tickers' };

const nameLengthMax = 64;

/** The channel of that name, in any spelling of its symbol. */
export function parseChannelName(text: unknown, exchange: Exchange): ChannelName | StreamError {
  if (typeof text !== 'string' || text.length > nameLengthMax) {
    return { code: 'INVALID_PARAMETER', message: 'channel must be the name of a channel.' };
  }
  const [kind = '', symbol, choice, ...rest] = text.split(':');
  if (symbol === undefined) return kind === 'account' || kind === 'tickers' ? { kind } : unknown;
  const ofMarket = kind === 'ticker' || kind === 'depth' || kind === 'trades' || kind === 'prices';
  const isWhole = choice === undefined && ofMarket;
  const isChosen = choice !== undefined && (kind === 'candles' || kind === 'depth');
  if (!(isWhole || isChosen) || rest.length > 0) return unknown;
  const market = marketOf(exchange, symbol);
  if (market === undefined) return { code: 'INVALID_MARKET', message: 'Unknown market.' };
  if (isWhole) return { kind, market };
  return kind === 'depth' ? levelsOf(market, choice) : candlesOf(market, choice);
}

function levelsOf(market: Market, choice: string | undefined): ChannelName | StreamError {
  const levels = levelCounts.find((each) => String(each) === choice);
  if (levels !== undefined) return { kind: 'levels', market, levels };
  const message = `A book is shown with ${levelCounts.join(', ')} levels, or whole.`;
  return { code: 'INVALID_PARAMETER', message };
}

function candlesOf(market: Market, choice: string | undefined): ChannelName | StreamError {
  const interval = intervals.find((each) => each === choice);
  if (interval === undefined) return { code: 'ERR_INVALID_PERIOD', message: 'Unknown interval.' };
  return { kind: 'candles', market, interval };
}

const unknown: StreamError = {
  code: 'INVALID_PARAMETER',
  message:
    'There are the channels ticker:<symbol>, tickers, prices:<symbol>, depth:<symbol>, ' +
    'depth:<symbol>:<levels>, trades:<symbol>, candles:<symbol>:<interval> and account.',
};

function marketOf(exchange: Exchange, symbol: string): Market | undefined {
  return marketBySymbol(exchange, normalizeSymbol(symbol));
}
