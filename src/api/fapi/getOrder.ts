// GET /fapi/v1/order (conventions, 7.3): an order of the account, in any state.

import { Type } from 'typebox';
import { findAnyOrder } from '../findAnyOrder.ts';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { orderChoiceParameters, referenceOf, requiresOrderChoice } from './orderChoice.ts';

export const getOrder = defineProcedure({
  name: 'getOrder',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/order',
  auth: 'key',
  weight: 1,
  summary: 'One order by either id; by client id the active one, else the latest.',
  parameters: Type.Object({ symbol: symbolParameter(), ...orderChoiceParameters }),
  failures: ['parameterMissing', 'orderUnknown', 'databaseFailed'],
  response: orderRecordSchema,
  requires: requiresOrderChoice,
  procedure: async (context, parameters) => {
    const { symbol: market } = parameters;
    const reference = referenceOf(parameters);
    const account = callerOf(context);
    const order = await findAnyOrder(context.deployment, { account, reference, market });
    if (order === undefined) return { reason: 'orderUnknown' };
    if (hasFailed(order)) return order;
    return { status: 200, text: orderRecordText(order, market) };
  },
});
