// The five operations that answer klines (spec, klines; conventions, 15): of trades, twice, and of
// mark, index and premium, which have no volume. What a kline shows: docs/rules/market-data.md.

import { type TObject, Type } from 'typebox';
import type { Market } from '../../engine/market.ts';
import { formatScaled } from '../../units/decimal.ts';
import type { Interval } from '../../units/interval.ts';
import { rateDecimals, type Ticks } from '../../units/units.ts';
import type { Context } from '../deployment.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import type { CandleKind, CandleRow } from '../marketDataPort.ts';
import { type Answer, defineQuery } from '../operation.ts';
import { choiceParameter, intervalParameter, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters } from './windowOf.ts';

const bounds = { normal: 500, most: 1500 };
const text = Type.String();
const time = Type.Integer();

const kline = Type.Tuple([
  time,
  text,
  text,
  text,
  text,
  text,
  time,
  text,
  Type.Integer(),
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

/** Cost: 1.2 µs a kline, so 2 ms for the most that can be asked for. */
function answerOf(
  { deployment }: Context,
  market: Market,
  { kind, asked }: { readonly kind: CandleKind; readonly asked: Asked },
): Answer {
  const { interval, startTime, endTime, limit = bounds.normal } = asked;
  const rows = deployment.marketData.candles(market, {
    kind,
    interval,
    window: { startTime, endTime, limit: Math.min(limit, bounds.most) },
  });
  const price = kind === 'premium' ? premiumText : (value: number) => tickText(value, market);
  const volumes = kind === 'trade' ? volumesOf : noVolumes;
  const texts = rows.map((row) => klineText(row, price, volumes(row, market)));
  return { status: 200, text: `[${texts.join(',')}]` };
}

const tickText = (ticks: number, market: Market): string => priceText(ticks as Ticks, market);
const premiumText = (value: number): string => formatScaled(value, rateDecimals);

type Volumes = { readonly base: string; readonly quote: string };

const noVolumes = (): Volumes => ({ base: '0', quote: '0' });
const volumesOf = ({ volume, quoteVolume }: CandleRow, market: Market): Volumes => ({
  base: quantityText(volume, market),
  quote: moneyText(quoteVolume),
});

/** The last three are always "0": takers' volumes have an operation of their own. */
function klineText(
  { openTime, closeTime, open, high, low, close, count }: CandleRow,
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
  return { ...row, weight, summary, parameters, response: Type.Array(kline) };
}

export const klineRows = {
  getKlines: defineQuery({
    ...klines('klines', ofSymbol, { weight: 5, summary: 'Candles of the trades of a symbol.' }),
    query: (context, { symbol, ...asked }) => answerOf(context, symbol, { kind: 'trade', asked }),
  }),
  getContinuousKlines: defineQuery({
    ...klines('continuousKlines', ofContract, {
      weight: 1,
      summary: 'The same, by pair and kind of contract.',
    }),
    query: (context, { pair, ...asked }) => answerOf(context, pair, { kind: 'trade', asked }),
  }),
  getMarkPriceKlines: defineQuery({
    ...klines('markPriceKlines', ofSymbol, { weight: 1, summary: 'Candles of the mark price.' }),
    query: (context, { symbol, ...asked }) => answerOf(context, symbol, { kind: 'mark', asked }),
  }),
  getIndexPriceKlines: defineQuery({
    ...klines('indexPriceKlines', ofPair, { weight: 1, summary: 'Candles of the index price.' }),
    query: (context, { pair, ...asked }) => answerOf(context, pair, { kind: 'index', asked }),
  }),
  getPremiumIndexKlines: defineQuery({
    ...klines('premiumIndexKlines', ofSymbol, {
      weight: 1,
      summary: 'Candles of the premium of the mark over the index.',
    }),
    query: (context, { symbol, ...asked }) => answerOf(context, symbol, { kind: 'premium', asked }),
  }),
} as const;
