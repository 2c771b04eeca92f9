// The five operations that answer klines (spec, klines; conventions, 15): two of trades, and three
// of mark, index and premium, which have no volume. docs/rules/market-data.md states what a kline
// shows.

import { type TObject, Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import type { Candle } from '../../market-data/candles.ts';
import type { CandleKind } from '../../market-data/marketData.ts';
import { formatScaled } from '../../units/decimal.ts';
import type { Interval } from '../../units/interval.ts';
import { rateDecimals, type Ticks } from '../../units/units.ts';
import { countNumber, decimalText, timeNumber } from '../answerSchema.ts';
import type { Context } from '../deployment.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { type HistoryFailure, hasFailed } from '../historyPort.ts';
import { type Answer, defineProcedure } from '../operation.ts';
import { choiceParameter, intervalParameter, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters } from './windowOf.ts';

const bounds = { normal: 500, most: 1500 };
const kline = Type.Tuple([
  timeNumber('When it opens.'),
  decimalText('The first price.'),
  decimalText('The highest price.'),
  decimalText('The lowest price.'),
  decimalText('The last price.'),
  decimalText('The quantity traded.'),
  timeNumber('Its last millisecond.'),
  decimalText('The notional traded, USDT.'),
  countNumber('Trades.'),
  Type.Literal('0'),
  Type.Literal('0'),
  Type.Literal('0'),
]);

const window = { ...timeParameters, limit: limitParameter(bounds.normal, bounds.most) };
const ofSymbol = Type.Object({
  symbol: symbolParameter(),
  interval: intervalParameter(),
  ...window,
});
const ofPair = Type.Object({ pair: symbolParameter(), interval: intervalParameter(), ...window });
const ofContract = Type.Object({
  pair: symbolParameter(),
  contractType: choiceParameter(['PERPETUAL']),
  interval: intervalParameter(),
  ...window,
});

type Asked = {
  readonly interval: Interval;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit?: number | undefined;
};

/** Cost: 1.2 µs for each kline, so 2 ms for the largest request. */
async function answerOf(
  { deployment }: Context,
  market: Market,
  { kind, asked }: { readonly kind: CandleKind; readonly asked: Asked },
): Promise<Answer | HistoryFailure> {
  const { interval, startTime, endTime, limit = bounds.normal } = asked;
  const rows = await deployment.marketData.candles(market, {
    kind,
    interval,
    window: { startTime, endTime, limit: Math.min(limit, bounds.most) },
  });
  if (hasFailed(rows)) return rows;
  const price = kind === 'premium' ? premiumText : (value: number) => tickText(value, market);
  const volumes = kind === 'trade' ? volumesOf : noVolumes;
  const texts = rows.map((row) => klineText(row, price, volumes(row, market)));
  return { status: 200, text: `[${texts.join(',')}]` };
}

const tickText = (ticks: number, market: Market): string => priceText(ticks as Ticks, market);
const premiumText = (value: number): string => formatScaled(value, rateDecimals);

type Volumes = { readonly base: string; readonly quote: string };

const noVolumes = (): Volumes => ({ base: '0', quote: '0' });
const volumesOf = ({ volume, quoteVolume }: Candle, market: Market): Volumes => ({
  base: quantityText(volume, market),
  quote: moneyText(quoteVolume),
});

/** The last three are always "0": another operation shows takers' volumes. */
function klineText(
  { openTime, closeTime, open, high, low, close, count }: Candle,
  price: (value: number) => string,
  { base, quote }: Volumes,
): string {
  return (
    `[${openTime},"${price(open)}","${price(high)}","${price(low)}","${price(close)}"` +
    `,"${base}",${closeTime},"${quote}",${count},"0","0","0"]`
  );
}

function klines<P extends TObject>(
  name: string,
  parameters: P,
  { weight, summary }: { readonly weight: number; readonly summary: string },
) {
  const path = `/fapi/v1/${name}`;
  const operation = `get${name[0]!.toUpperCase()}${name.slice(1)}`;
  const row = { name: operation, surface: 'fapi', method: 'GET', path, auth: 'none' } as const;
  const failures = ['databaseFailed'] as const;
  return { ...row, weight, summary, parameters, failures, response: Type.Array(kline) };
}

export const klineRows = {
  getKlines: defineProcedure({
    ...klines('klines', ofSymbol, { weight: 5, summary: 'Candles of the trades of a symbol.' }),
    procedure: (context, { symbol, ...asked }) =>
      answerOf(context, symbol, { kind: 'trade', asked }),
  }),
  getContinuousKlines: defineProcedure({
    ...klines('continuousKlines', ofContract, {
      weight: 1,
      summary: 'The same, by pair and kind of contract.',
    }),
    procedure: (context, { pair, ...asked }) => answerOf(context, pair, { kind: 'trade', asked }),
  }),
  getMarkPriceKlines: defineProcedure({
    ...klines('markPriceKlines', ofSymbol, { weight: 1, summary: 'Candles of the mark price.' }),
    procedure: (context, { symbol, ...asked }) =>
      answerOf(context, symbol, { kind: 'mark', asked }),
  }),
  getIndexPriceKlines: defineProcedure({
    ...klines('indexPriceKlines', ofPair, { weight: 1, summary: 'Candles of the index price.' }),
    procedure: (context, { pair, ...asked }) => answerOf(context, pair, { kind: 'index', asked }),
  }),
  getPremiumIndexKlines: defineProcedure({
    ...klines('premiumIndexKlines', ofSymbol, {
      weight: 1,
      summary: 'Candles of the premium of the mark over the index.',
    }),
    procedure: (context, { symbol, ...asked }) =>
      answerOf(context, symbol, { kind: 'premium', asked }),
  }),
} as const;
