// GET /api/v1/orders/{id}: an order of the caller, whatever its state.

import { Type } from 'typebox';
import { findAnyOrder } from '../findAnyOrder.ts';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import {
  nativeOrderFailures,
  nativeOrderIdParameter,
  readNativeOrderId,
  refusalOfNative,
} from './nativeOrderId.ts';
import * as routes from './nativeRoutes.ts';
import { snakeAnswer, snakeSchema } from './snakeCase.ts';

export const getNativeOrder = defineProcedure({
  ...routes.getNativeOrder,
  name: 'getNativeOrder',
  surface: 'native',
  weight: 1,
  summary: 'One order by its id or by the client order id.',
  parameters: Type.Object({ id: nativeOrderIdParameter() }),
  failures: [...nativeOrderFailures, 'databaseFailed'],
  response: snakeSchema(orderRecordSchema),
  procedure: async (context, { id }) => {
    const { deployment } = context;
    const reference = readNativeOrderId(id);
    if ('reason' in reference) return reference;
    const query = { account: callerOf(context), reference, market: undefined };
    const order = await findAnyOrder(deployment, query);
    if (order === undefined) return refusalOfNative(deployment, query);
    if (hasFailed(order)) return order;
    return snakeAnswer(orderRecordText(order, marketOf(deployment, order)));
  },
});
