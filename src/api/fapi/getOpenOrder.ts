// GET /fapi/v1/openOrder (conventions, 7.6): an order that can still fill, else -2013.

import { Type } from 'typebox';
import { findOrder } from '../../engine/views/findOrder.ts';
import { callerOf, defineQuery } from '../operation.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { orderChoiceParameters, referenceOf, requiresOrderChoice } from './orderChoice.ts';

export const getOpenOrder = defineQuery({
  name: 'getOpenOrder',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/openOrder',
  auth: 'key',
  weight: 1,
  summary: 'One active order by either id.',
  parameters: Type.Object({ symbol: symbolParameter(), ...orderChoiceParameters }),
  response: orderRecordSchema,
  requires: requiresOrderChoice,
  query: (context, parameters) => {
    const { symbol: market } = parameters;
    const { exchange } = context.deployment;
    const order = findOrder(exchange, callerOf(context), referenceOf(parameters), market.id);
    if (order === undefined) return { reason: 'orderUnknown' };
    return { status: 200, text: orderRecordText(order, market) };
  },
});
