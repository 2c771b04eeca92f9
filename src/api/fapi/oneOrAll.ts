// Public records: one object when a symbol is given, an array of all markets without one.

import { type TSchema, type TUnion, Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import { type Fields, scalarOf } from '../fields.ts';
import { type Answer, answerJson } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';

export const optionalSymbol = Type.Object({ symbol: optional(symbolParameter()) });

export function oneOrAllSchema<T extends TSchema>(row: T): TUnion {
  return Type.Union([row, Type.Array(row)]);
}

/** The record of the requested market, or the records of all markets in the order of listing. */
export function oneOrAll(
  market: Market | undefined,
  markets: readonly Market[],
  recordOf: (market: Market) => unknown,
): Answer {
  return answerJson(market === undefined ? markets.map(recordOf) : recordOf(market));
}

/** The requested market, or all of them. */
export function chosenMarkets(
  market: Market | undefined,
  markets: readonly Market[],
): readonly Market[] {
  return market === undefined ? markets : [market];
}

/** Weight 1 with a symbol, 2 without (spec, ticker/price). */
export function tickerWeight(query: Fields): number {
  return scalarOf(query, 'symbol') === undefined ? 2 : 1;
}
