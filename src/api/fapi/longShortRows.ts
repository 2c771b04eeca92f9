// GET /futures/data/topLongShortPositionRatio (spec), topLongShortAccountRatio and
// globalLongShortAccountRatio (conventions, 15): who holds the positions of a symbol now (NAT-2f).
// The answer is one point, not a series.

import { type TObject, Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import { formatQuotient } from '../../units/decimal.ts';
import { periods } from '../../units/interval.ts';
import { decimalText, exactObject, symbolText, wholeText } from '../answerSchema.ts';
import type { Context } from '../deployment.ts';
import type { LongShort, SideCounts } from '../marketDataPort.ts';
import { type Answer, answerJson, defineProcedure, type Failure } from '../operation.ts';
import { optional, periodParameter, symbolParameter } from '../parameterSchema.ts';

const response = Type.Array(
  exactObject({
    symbol: symbolText(),
    longShortRatio: decimalText(),
    longAccount: decimalText(),
    shortAccount: decimalText(),
    timestamp: wholeText(),
  }),
);

const decimals = 4;

/** "0" when the whole is zero. */
const shareText = (part: number, whole: number): string =>
  whole === 0 ? '0' : formatQuotient(BigInt(part), BigInt(whole), decimals);

async function answerOf(
  { deployment }: Context,
  market: Market,
  countsOf: (counted: LongShort) => SideCounts,
): Promise<Answer | Failure> {
  const counted = await deployment.archivist.longShort(market.id);
  if ('reason' in counted) return counted;
  const { long, short } = countsOf(counted);
  return answerJson([
    {
      symbol: market.symbol,
      longShortRatio: shareText(long, short),
      longAccount: shareText(long, long + short),
      shortAccount: shareText(short, long + short),
      timestamp: String(counted.time),
    },
  ]);
}

function rowOf<P extends TObject>(name: string, parameters: P, summary: string) {
  const path = `/futures/data/${name}`;
  const operation = `get${name[0]!.toUpperCase()}${name.slice(1)}`;
  const row = { name: operation, surface: 'fapi', method: 'GET', path, auth: 'none' } as const;
  return { ...row, weight: 5, summary, parameters, response };
}

const dated = Type.Object({
  symbol: symbolParameter(),
  period: optional(periodParameter(periods)),
});

export const longShortRows = {
  // The interface ignores its period.
  getTopLongShortPositionRatio: defineProcedure({
    ...rowOf(
      'topLongShortPositionRatio',
      Type.Object({ symbol: symbolParameter() }),
      'Long and short positions of the fifth of accounts with the largest.',
    ),
    procedure: (context, { symbol }) => answerOf(context, symbol, ({ topLots }) => topLots),
  }),
  getTopLongShortAccountRatio: defineProcedure({
    ...rowOf(
      'topLongShortAccountRatio',
      dated,
      'How many of the same accounts are long and short.',
    ),
    procedure: (context, { symbol }) => answerOf(context, symbol, ({ topAccounts }) => topAccounts),
  }),
  getGlobalLongShortAccountRatio: defineProcedure({
    ...rowOf('globalLongShortAccountRatio', dated, 'How many accounts are long and short.'),
    procedure: (context, { symbol }) => answerOf(context, symbol, ({ accounts }) => accounts),
  }),
} as const;
