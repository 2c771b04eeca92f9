// GET /api/v1/orders?symbol=&status=: the caller's orders. Only live ones can be listed yet: those
// that have ended are found one by one, and listed once there is a history. Triggers that wait are
// listed by FAPI's openAlgoOrders.

import { Type } from 'typebox';
import { orderStatuses } from '../../engine/order.ts';
import { openOrdersOf } from '../../engine/views/openOrdersOf.ts';
import { callerOf, defineQuery } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { choiceParameter, optional, symbolParameter } from '../parameterSchema.ts';
import { snakeAnswer, snakeSchema } from './snakeCase.ts';

export const listNativeOrders = defineQuery({
  name: 'listNativeOrders',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/orders',
  auth: 'jwt',
  weight: 1,
  summary: 'Active orders, oldest first; ended statuses answer ERR_NO_DATA.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    status: optional(choiceParameter(orderStatuses)),
  }),
  response: snakeSchema(Type.Array(orderRecordSchema)),
  query: (context, { symbol, status }) => {
    if (status !== undefined && status !== 'NEW' && status !== 'PARTIALLY_FILLED') {
      return { reason: 'noData' };
    }
    const { deployment } = context;
    const orders = openOrdersOf(callerOf(context), symbol?.id);
    const chosen = status === undefined ? orders : orders.filter((each) => each.status === status);
    const texts = chosen.map((order) => orderRecordText(order, marketOf(deployment, order)));
    return snakeAnswer(`[${texts.join(',')}]`);
  },
});
