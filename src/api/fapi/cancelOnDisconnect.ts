// session.cancelOnDisconnect of the trading socket (COD-7): the parameters of the request, and its
// answer.

import { Type } from 'typebox';
import { armedMarketsMax } from '../../engine/limits.ts';
import type { Exchange } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Fields } from '../fields.ts';
import { flagParameter, listParameter, optional } from '../parameterSchema.ts';
import { createParameterReader, findMarket, isRefusal } from '../readParameters.ts';
import type { Refusal } from '../refusal.ts';

const description =
  `A JSON list of 1 to ${armedMarketsMax} symbols, as a text; allowed when enabled is true. ` +
  'Without it: all symbols, including those that are listed later.';

export const cancelOnDisconnectParameters = Type.Object({
  enabled: flagParameter({ description: 'False: when this socket ends, no order is cancelled.' }),
  // A parameter of the socket is a text, a number or a boolean (WS-6).
  symbols: optional(
    Type.Unsafe({ ...listParameter({ description, refuses: 'blank' }), type: 'string' }),
  ),
});

export const cancelOnDisconnectAnswer = Type.Object(
  {
    enabled: Type.Boolean(),
    symbols: Type.Union([Type.Array(Type.String()), Type.Null()]),
  },
  { additionalProperties: false },
);

const known: ReadonlySet<string> = new Set(['enabled', 'symbols', 'timestamp', 'recvwindow']);
const read = createParameterReader(cancelOnDisconnectParameters);

export type Wanted = {
  readonly enabled: boolean;
  /** Sorted by number; an empty list means all markets. */
  readonly markets: readonly Market[];
};

/** A misspelt parameter and an empty list are refused: they must not arm for all symbols. */
export function readCancelOnDisconnect(fields: Fields, exchange: Exchange): Wanted | Refusal {
  const unknown = [...fields.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) return { reason: 'parameterMalformed', name: unknown };
  const wanted = read(fields, exchange);
  if (isRefusal(wanted)) return wanted;
  const { enabled } = wanted;
  const symbols = wanted.symbols as readonly unknown[] | undefined;
  if (symbols === undefined) return { enabled, markets: [] };
  const isList = enabled && symbols.length > 0 && symbols.length <= armedMarketsMax;
  if (!isList) return { reason: 'parameterMalformed', name: 'symbols' };
  const markets = new Set<Market>();
  for (const symbol of symbols) {
    const market = typeof symbol === 'string' ? findMarket(exchange, symbol) : undefined;
    if (market === undefined) return { reason: 'symbolUnknown' };
    markets.add(market);
  }
  return { enabled, markets: [...markets].sort((a, b) => a.id - b.id) };
}
