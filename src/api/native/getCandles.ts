// GET /api/v1/candles/{symbol} (NAT-2): candles of trades, for every interval of FAPI's klines.

import { Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import type { Candle } from '../../market-data/candles.ts';
import { intervals } from '../../units/interval.ts';
import type { Ticks } from '../../units/units.ts';
import { countNumber, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { limitParameter, timeParameters } from '../fapi/windowOf.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { defineProcedure } from '../operation.ts';
import { marketParameter, periodParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

const bounds = { normal: 500, most: 1500 };

export const getCandles = defineProcedure({
  ...routes.getCandles,
  name: 'getCandles',
  surface: 'native',
  weight: 1,
  summary: 'Candles of the trades of a market.',
  parameters: Type.Object({
    symbol: marketParameter(),
    period: periodParameter(intervals),
    start_time: timeParameters.startTime,
    end_time: timeParameters.endTime,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['noData', 'databaseFailed'],
  response: Type.Array(
    exactObject({
      open_time: timeNumber(),
      close_time: timeNumber(),
      open: decimalText(),
      high: decimalText(),
      low: decimalText(),
      close: decimalText(),
      volume: decimalText(),
      quote_volume: decimalText(),
      trades: countNumber(),
      closed: Type.Boolean(),
    }),
  ),
  procedure: async (
    { deployment },
    { symbol: market, period, limit = bounds.normal, ...times },
  ) => {
    const { start_time: startTime, end_time: endTime } = times;
    const window = { startTime, endTime, limit: Math.min(limit, bounds.most) };
    const asked = { kind: 'trade', interval: period, window } as const;
    const rows = await deployment.marketData.candles(market, asked);
    if (hasFailed(rows)) return rows;
    if (rows.length === 0) return { reason: 'noData' };
    return { status: 200, text: `[${rows.map((row) => candleText(row, market)).join(',')}]` };
  },
});

function candleText(row: Candle, market: Market): string {
  const { openTime, closeTime, open, high, low, close, volume, quoteVolume, count, closed } = row;
  const price = (ticks: number): string => priceText(ticks as Ticks, market);
  return (
    `{"open_time":${openTime},"close_time":${closeTime},"open":"${price(open)}"` +
    `,"high":"${price(high)}","low":"${price(low)}","close":"${price(close)}"` +
    `,"volume":"${quantityText(volume, market)}","quote_volume":"${moneyText(quoteVolume)}"` +
    `,"trades":${count},"closed":${closed}}`
  );
}
