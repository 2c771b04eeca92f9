// GET /api/v1/orders/{id}: an order of the caller, in any state.

import { Type } from 'typebox';
import { findAnyOrder } from '../findAnyOrder.ts';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { nativeOrderAnswer, nativeOrderSchema } from './nativeOrder.ts';
import {
  nativeOrderFailures,
  nativeOrderIdParameter,
  readNativeOrderId,
  refusalOfNative,
} from './nativeOrderId.ts';
import * as routes from './nativeRoutes.ts';

export const getNativeOrder = defineProcedure({
  ...routes.getNativeOrder,
  name: 'getNativeOrder',
  surface: 'native',
  weight: 2,
  summary: 'One order by its id or by the client order id.',
  parameters: Type.Object({ id: nativeOrderIdParameter() }),
  failures: [...nativeOrderFailures, 'databaseFailed'],
  response: nativeOrderSchema,
  procedure: async (context, { id }) => {
    const { deployment } = context;
    const reference = readNativeOrderId(id);
    if ('reason' in reference) return reference;
    const query = { account: callerOf(context), reference, market: undefined };
    const order = await findAnyOrder(deployment, query);
    if (order === undefined) return refusalOfNative(deployment, query);
    return hasFailed(order) ? order : nativeOrderAnswer(deployment, order);
  },
});
