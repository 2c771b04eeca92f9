// GET /fapi/v1/allOrders (conventions, 10.1; ORD-12): orders of whatever state on a symbol, and
// triggers of the order route (TRG-2), by their creation.

import { Type } from 'typebox';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { optional, orderIdParameter, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 500, most: 1000 };

export const getAllOrders = defineProcedure({
  name: 'getAllOrders',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/allOrders',
  auth: 'key',
  weight: 5,
  summary: 'Orders of a symbol, whatever their state, ascending; the latest unless asked.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    orderId: optional(orderIdParameter({ description: 'This one and those after it.' })),
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['databaseFailed'],
  response: Type.Array(orderRecordSchema),
  procedure: async (context, { orderId, ...sent }) => {
    const { id: account } = callerOf(context);
    const asked = { ...windowOf(sent, bounds), account, from: orderId };
    const orders = await context.deployment.history.orders(asked);
    if (hasFailed(orders)) return orders;
    const texts = orders.map((order) => orderRecordText(order, sent.symbol));
    return { status: 200, text: `[${texts.join(',')}]` };
  },
});
