// The names of the convention's market streams (conventions, 13.4), as clients write them and as
// the exchange returns them. The symbol is read like any other (SYM-0). The case of the rest does
// not matter, except in the interval, where 1m and 1M differ.

import { type Exchange, marketBySymbol } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { type Interval, intervals } from '../../units/interval.ts';
import { normalizeSymbol } from '../../units/symbol.ts';

/** How often a book is sent, by the suffix of its name; without a suffix every 250 ms. */
const depthSpeeds: Readonly<Record<string, number>> = { '100ms': 100, '250ms': 250, '500ms': 500 };
const depthDefaultMs = 250;

export type StreamName =
  | { readonly kind: 'depth'; readonly market: Market; readonly everyMs: number }
  | {
      readonly kind: 'partialDepth';
      readonly market: Market;
      readonly levels: number;
      readonly everyMs: number;
    }
  | {
      readonly kind: 'kline' | 'continuousKline';
      readonly market: Market;
      readonly interval: Interval;
    }
  | { readonly kind: 'markPrice'; readonly market: Market | undefined; readonly everyMs: number }
  /** Without a market: all markets. */
  | { readonly kind: 'bookTicker' | 'forceOrder'; readonly market: Market | undefined }
  | { readonly kind: 'ticker' | 'miniTicker'; readonly market: Market | undefined }
  | { readonly kind: 'aggTrade' | 'trade'; readonly market: Market }
  | { readonly kind: 'contractInfo' };

export type NamedStream = StreamName & {
  /** The name as the exchange returns it. */
  readonly name: string;
};

const nameLengthMax = 64;

/**
 * undefined for a name that is no stream of this deployment: such names are ignored without an
 * error.
 */
export function parseStreamName(text: string, exchange: Exchange): NamedStream | undefined {
  if (text.length > nameLengthMax) return undefined;
  if (text.startsWith('!')) return parseAllMarkets(text.toLowerCase());
  const at = text.indexOf('@');
  if (at < 1) return undefined;
  const rest = text.slice(at + 1);
  const continuous = parseContinuous(text.slice(0, at), rest, exchange);
  if (continuous !== undefined) return continuous;
  const market = marketOf(exchange, text.slice(0, at));
  if (market === undefined) return undefined;
  const parsed = parseOfMarket(market, rest);
  if (parsed === undefined) return undefined;
  const { suffix, ...stream } = parsed;
  return { ...stream, name: `${market.symbol.toLowerCase()}@${suffix}` };
}

function marketOf(exchange: Exchange, text: string): Market | undefined {
  return marketBySymbol(exchange, normalizeSymbol(text));
}

type Parsed = StreamName & { readonly suffix: string };

const plainKinds = { bookticker: 'bookTicker', forceorder: 'forceOrder' } as const;
const tickerKinds = { ticker: 'ticker', miniticker: 'miniTicker' } as const;
const tradeKinds = { aggtrade: 'aggTrade', trade: 'trade' } as const;

const has = <Table extends object>(table: Table, key: string): key is string & keyof Table =>
  Object.hasOwn(table, key);

function parseOfMarket(market: Market, rest: string): Parsed | undefined {
  const lower = rest.toLowerCase();
  if (has(plainKinds, lower)) {
    const kind = plainKinds[lower];
    return { kind, market, suffix: kind };
  }
  if (has(tickerKinds, lower)) {
    const kind = tickerKinds[lower];
    return { kind, market, suffix: kind };
  }
  if (has(tradeKinds, lower)) {
    const kind = tradeKinds[lower];
    return { kind, market, suffix: kind };
  }
  if (lower === 'markprice')
    return { kind: 'markPrice', market, everyMs: 3000, suffix: 'markPrice' };
  if (lower === 'markprice@1s') {
    return { kind: 'markPrice', market, everyMs: 1000, suffix: 'markPrice@1s' };
  }
  if (lower.startsWith('kline_')) {
    const interval = intervals.find((each) => each === rest.slice('kline_'.length));
    return interval && { kind: 'kline', market, interval, suffix: `kline_${interval}` };
  }
  return parseDepth(market, lower);
}

function parseDepth(market: Market, lower: string): Parsed | undefined {
  const match = /^depth(5|10|20)?(?:@(\w+))?$/.exec(lower);
  if (match === null) return undefined;
  const [, levels, speed] = match;
  const everyMs = speed === undefined ? depthDefaultMs : depthSpeeds[speed];
  if (everyMs === undefined) return undefined;
  const suffix = lower;
  if (levels === undefined) return { kind: 'depth', market, everyMs, suffix };
  return { kind: 'partialDepth', market, levels: Number(levels), everyMs, suffix };
}

const perpetual = '_perpetual';

function parseContinuous(head: string, rest: string, exchange: Exchange): NamedStream | undefined {
  if (!head.toLowerCase().endsWith(perpetual)) return undefined;
  const market = marketOf(exchange, head.slice(0, -perpetual.length));
  const match = /^continuousKline_(.*)$/i.exec(rest);
  const interval = intervals.find((each) => each === match?.[1]);
  if (market === undefined || interval === undefined) return undefined;
  const name = `${market.symbol.toLowerCase()}${perpetual}@continuousKline_${interval}`;
  return { kind: 'continuousKline', market, interval, name };
}

function parseAllMarkets(lower: string): NamedStream | undefined {
  const market = undefined;
  switch (lower) {
    case '!bookticker':
      return { kind: 'bookTicker', market, name: '!bookTicker' };
    case '!ticker@arr':
      return { kind: 'ticker', market, name: '!ticker@arr' };
    case '!miniticker@arr':
      return { kind: 'miniTicker', market, name: '!miniTicker@arr' };
    case '!forceorder@arr':
      return { kind: 'forceOrder', market, name: '!forceOrder@arr' };
    case '!markprice@arr':
      return { kind: 'markPrice', market, everyMs: 3000, name: '!markPrice@arr' };
    case '!markprice@arr@1s':
      return { kind: 'markPrice', market, everyMs: 1000, name: '!markPrice@arr@1s' };
    case '!contractinfo':
      return { kind: 'contractInfo', name: '!contractInfo' };
    default:
      return undefined;
  }
}
