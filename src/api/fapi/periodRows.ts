// GET /futures/data/openInterestHist (spec) and /futures/data/takerlongshortRatio (conventions,
// 6.6), by period (NAT-2e). Every value is a text, even times.

import { Type } from 'typebox';
import { formatQuotient } from '../../units/decimal.ts';
import { type Period, periods } from '../../units/interval.ts';
import { moneyDecimals } from '../../units/units.ts';
import { decimalText, exactObject, symbolText, wholeText } from '../answerSchema.ts';
import { quantityText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { optional, periodParameter, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters } from './windowOf.ts';

const bounds = { normal: 30, most: 500 };
const normalPeriod: Period = '5m';

const limit = limitParameter(bounds.normal, bounds.most);
const period = optional(periodParameter(periods));

const ratioDecimals = 4;

/** "0" when nothing was sold. */
const ratioText = (bought: bigint, sold: bigint): string =>
  sold === 0n ? '0' : formatQuotient(bought, sold, ratioDecimals);

/** Σ / samples, half to even. */
const averageText = (sum: bigint, samples: number): string =>
  formatQuotient(sum, BigInt(samples) * 10n ** BigInt(moneyDecimals), moneyDecimals);

export const periodRows = {
  // The interface ignores its startTime and endTime.
  getOpenInterestHistory: defineQuery({
    name: 'getOpenInterestHistory',
    surface: 'fapi',
    method: 'GET',
    path: '/futures/data/openInterestHist',
    auth: 'none',
    weight: 5,
    summary: 'Average open interest of both sides in USD, by period.',
    parameters: Type.Object({ symbol: symbolParameter(), period, limit }),
    response: Type.Array(
      exactObject({
        symbol: symbolText(),
        sumOpenInterest: decimalText(),
        sumOpenInterestValue: decimalText(),
        timestamp: wholeText(),
      }),
    ),
    query: ({ deployment }, sent) => {
      const { symbol: market, period: asked = normalPeriod, limit: count = bounds.normal } = sent;
      const most = Math.min(count, bounds.most);
      const rows = deployment.marketData.openInterest(market, asked, most);
      return answerJson(
        rows.map(({ time, sum, samples }) => {
          const average = averageText(sum, samples);
          const both = { sumOpenInterest: average, sumOpenInterestValue: average };
          return { symbol: market.symbol, ...both, timestamp: String(time) };
        }),
      );
    },
  }),
  getTakerVolumes: defineQuery({
    name: 'getTakerVolumes',
    surface: 'fapi',
    method: 'GET',
    path: '/futures/data/takerlongshortRatio',
    auth: 'none',
    weight: 5,
    summary: 'Volumes that takers bought and sold, by period.',
    parameters: Type.Object({ symbol: symbolParameter(), period, ...timeParameters, limit }),
    response: Type.Array(
      exactObject({
        buySellRatio: decimalText(),
        buyVol: decimalText(),
        sellVol: decimalText(),
        timestamp: wholeText(),
      }),
    ),
    query: ({ deployment }, { symbol: market, ...sent }) => {
      const { period: asked = normalPeriod, limit: count = bounds.normal, ...times } = sent;
      const window = { ...times, limit: Math.min(count, bounds.most) };
      const rows = deployment.marketData.takerVolumes(market, asked, window);
      return answerJson(
        rows.map(({ time, bought, sold }) => ({
          buySellRatio: ratioText(bought, sold),
          buyVol: quantityText(bought, market),
          sellVol: quantityText(sold, market),
          timestamp: String(time),
        })),
      );
    },
  }),
} as const;
