// GET /fapi/v1/openOrder (conventions, 7.6): an order that can still fill, or a waiting trigger of
// the order route, else -2013.

import { Type } from 'typebox';
import { findActive } from '../findAnyOrder.ts';
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
  failures: ['parameterMissing', 'orderUnknown'],
  response: orderRecordSchema,
  requires: requiresOrderChoice,
  query: (context, parameters) => {
    const { symbol: market } = parameters;
    const reference = referenceOf(parameters);
    const account = callerOf(context);
    const order = findActive(context.deployment, { account, reference, market });
    if (order === undefined) return { reason: 'orderUnknown' };
    return { status: 200, text: orderRecordText(order, market) };
  },
});
