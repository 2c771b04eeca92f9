// GET /fapi/v1/userTrades/slippage (spec): the price of each fill compared with the mark at the
// time when its order was placed. Positive: worse for the trader.

import { type Static, Type } from 'typebox';
import { buy, orderTypes } from '../../engine/orderTypes.ts';
import type { Market } from '../../engine/views/market.ts';
import type { FillRow } from '../../history/rows.ts';
import { formatScaled } from '../../units/decimal.ts';
import { mulDivHalfEven } from '../../units/mulDiv.ts';
import type { Ticks } from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  decimalText,
  exactObject,
  idText,
  symbolText,
  timeNumber,
  wholeText,
  wordsText,
} from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { priceText, quantityText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 500, most: 1000 };

const slippageSchema = exactObject({
  symbol: symbolText(),
  tradeId: wholeText(),
  orderId: idText(),
  side: enumerations.side,
  orderType: wordsText(orderTypes),
  expectedPrice: decimalText('The mark when the order was placed.'),
  executedPrice: decimalText(),
  qty: decimalText(),
  slippageAbs: decimalText('Positive: worse for the trader.'),
  slippageBps: decimalText(),
  maker: Type.Boolean(),
  time: timeNumber(),
});

export const getSlippage = defineProcedure({
  name: 'getSlippage',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/userTrades/slippage',
  auth: 'key',
  weight: 5,
  summary: 'Slippage of each fill against the mark at its order; the latest unless asked.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['databaseFailed'],
  response: Type.Array(slippageSchema),
  procedure: async (context, sent) => {
    const { deployment } = context;
    const asked = { ...windowOf(sent, bounds), account: callerOf(context).id };
    const rows = await deployment.history.fills(asked);
    if (hasFailed(rows)) return rows;
    return answerJson(rows.map((row) => slippageRecord(row, marketOf(deployment, row))));
  },
});

/**
 * slippageAbs = (executed − expected) × side; slippageBps = slippageAbs / expected × 10000, half to
 * even at 4 decimals.
 */
function slippageRecord(row: FillRow, market: Market): Static<typeof slippageSchema> {
  const expected = row.markAtCreation;
  const worse = (row.ticks - expected) * row.side;
  const bps = expected === 0 ? 0 : mulDivHalfEven(worse, 10_000 * 10 ** bpsDecimals, expected);
  return {
    symbol: market.symbol,
    tradeId: String(row.tradeId),
    orderId: formatUuid(row.orderCreatedAt, row.order),
    side: row.side === buy ? 'BUY' : 'SELL',
    orderType: row.orderType,
    expectedPrice: priceText(expected, market),
    executedPrice: priceText(row.ticks, market),
    qty: quantityText(row.lots, market),
    slippageAbs: priceText(worse as Ticks, market),
    slippageBps: formatScaled(bps, bpsDecimals),
    maker: row.maker,
    time: row.time,
  };
}

const bpsDecimals = 4;
