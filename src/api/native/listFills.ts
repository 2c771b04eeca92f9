// GET /api/v1/fills: FAPI's userTrades in snake_case, each with its cause.

import { Type } from 'typebox';
import { fillKinds } from '../../history/rows.ts';
import { exactObject, wordsText } from '../answerSchema.ts';
import { fillsOf, userTrade, userTradeSchema } from '../fapi/getUserTrades.ts';
import { fromIdParameter } from '../fapi/tradeRows.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { optional, orderIdParameter, symbolParameter } from '../parameterSchema.ts';
import { nativeRecord, snakeSchemaWith } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

const { start_time, end_time, limit } = nativeWindowParameters;

const kindSchema = exactObject({
  kind: wordsText(fillKinds),
});

export const listFills = defineProcedure({
  ...routes.listFills,
  name: 'listFills',
  surface: 'native',
  weight: 3,
  summary: "The caller's fills on a symbol, ascending; the latest unless asked.",
  parameters: Type.Object({
    symbol: symbolParameter(),
    order_id: optional(orderIdParameter({ description: 'Fills of this order.' })),
    from: fromIdParameter,
    start_time,
    end_time,
    limit,
  }),
  failures: ['orderUnknown', 'databaseFailed'],
  response: Type.Array(snakeSchemaWith(userTradeSchema, kindSchema)),
  procedure: async (context, { order_id: order, from: fromId, ...sent }) => {
    const { symbol: market } = sent;
    const rows = await fillsOf(context, { ...nativeWindow(sent), order, fromId }, market);
    if ('reason' in rows) return rows;
    return answerJson(
      rows.map((row) => ({ ...nativeRecord(userTrade(row, market)), kind: row.kind })),
    );
  },
});
