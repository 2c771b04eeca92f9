// GET /fapi/v1/openOrders: the account's active orders, ascending by time. openAlgoOrders lists the
// waiting triggers of both routes (spec; TRG-2).

import { Type } from 'typebox';
import { openOrdersOf } from '../../engine/views/openOrdersOf.ts';
import { scalarOf } from '../fields.ts';
import { callerOf, defineQuery } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';

export const getOpenOrders = defineQuery({
  name: 'getOpenOrders',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/openOrders',
  auth: 'key',
  weight: (query) => (scalarOf(query, 'symbol') === undefined ? 40 : 1),
  summary: 'Active orders, of one symbol or of all.',
  parameters: Type.Object({ symbol: optional(symbolParameter()) }),
  response: Type.Array(orderRecordSchema),
  query: (context, { symbol }) => {
    const { deployment } = context;
    const orders = openOrdersOf(callerOf(context), symbol?.id);
    const records = orders.map((order) => orderRecordText(order, marketOf(deployment, order)));
    return { status: 200, text: `[${records.join(',')}]` };
  },
});
