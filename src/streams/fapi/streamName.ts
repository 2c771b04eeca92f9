// The names of the convention's market streams (conventions, 13.4), as clients write them and as
// the exchange returns them. The symbol is read like any other (SYM-0). The case of the rest does
// not matter, except in the interval, where 1m and 1M differ.

import { type Exchange, marketBySymbol } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { type Interval, intervals } from '../../units/interval.ts';
import { normalizeSymbol } from '../../units/symbol.ts';

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
  const shape = shapes.get(keyOf(rest));
  if (shape === undefined) return undefined;
  const { suffix, ...stream } = shape;
  return { ...stream, market, name: `${market.symbol.toLowerCase()}@${suffix}` };
}

function marketOf(exchange: Exchange, text: string): Market | undefined {
  return marketBySymbol(exchange, normalizeSymbol(text));
}

type OfMarket<Stream> = Stream extends { readonly market: Market | undefined }
  ? Omit<Stream, 'market'>
  : never;
/** A stream of any one market; `suffix`: what its name has behind the symbol. */
type Shape = OfMarket<StreamName> & { readonly suffix: string };

const kline = 'kline_';
/** How often a book is sent, by the end of its name. */
const depthSpeeds = { '': 250, '@100ms': 100, '@250ms': 250, '@500ms': 500 };

function makeShapes(): readonly Shape[] {
  const depths = Object.entries(depthSpeeds).flatMap(([speed, everyMs]): Shape[] => [
    { kind: 'depth', everyMs, suffix: `depth${speed}` },
    ...[5, 10, 20].map((levels): Shape => {
      return { kind: 'partialDepth', levels, everyMs, suffix: `depth${levels}${speed}` };
    }),
  ]);
  const plain = ['bookTicker', 'forceOrder', 'ticker', 'miniTicker', 'aggTrade', 'trade'] as const;
  return [
    ...plain.map((kind): Shape => ({ kind, suffix: kind })),
    { kind: 'markPrice', everyMs: 3000, suffix: 'markPrice' },
    { kind: 'markPrice', everyMs: 1000, suffix: 'markPrice@1s' },
    ...intervals.map((interval): Shape => ({ kind: 'kline', interval, suffix: kline + interval })),
    ...depths,
  ];
}

/** By the suffix in small letters, but for the interval: a client sends many names at once. */
const shapes: ReadonlyMap<string, Shape> = new Map(
  makeShapes().map((shape) => [keyOf(shape.suffix), shape]),
);

function keyOf(suffix: string): string {
  const lower = suffix.toLowerCase();
  return lower.startsWith(kline) ? kline + suffix.slice(kline.length) : lower;
}

const perpetual = '_perpetual';
const continuousKline = 'continuouskline_';
const intervalNames: ReadonlySet<string> = new Set(intervals);
const isInterval = (text: string): text is Interval => intervalNames.has(text);

function parseContinuous(head: string, rest: string, exchange: Exchange): NamedStream | undefined {
  if (!head.toLowerCase().endsWith(perpetual)) return undefined;
  const market = marketOf(exchange, head.slice(0, -perpetual.length));
  const { length } = continuousKline;
  const interval = rest.slice(length);
  if (rest.slice(0, length).toLowerCase() !== continuousKline || !isInterval(interval)) {
    return undefined;
  }
  if (market === undefined) return undefined;
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
