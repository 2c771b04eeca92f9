// DELETE /api/v1/orders/{id}: cancels an active order of the caller on any market, or a waiting
// trigger of FAPI's order route, which is an order too (TRG-2).

import { Type } from 'typebox';
import { callerOf, defineCommand } from '../operation.ts';
import { orderOf } from '../orderAnswer.ts';
import { nativeOrderAnswer, nativeOrderSchema } from './nativeOrder.ts';
import {
  nativeOrderFailures,
  nativeOrderIdParameter,
  readNativeOrderId,
  refusalOfNative,
} from './nativeOrderId.ts';
import * as routes from './nativeRoutes.ts';

export const cancelNativeOrder = defineCommand({
  ...routes.cancelNativeOrder,
  name: 'cancelNativeOrder',
  surface: 'native',
  weight: 1,
  summary: 'Cancels an active order by its id or by the client order id.',
  parameters: Type.Object({ id: nativeOrderIdParameter() }),
  failures: nativeOrderFailures,
  response: nativeOrderSchema,
  ofRequestAlone: true,
  command: (context, { id }) => {
    const { deployment } = context;
    const reference = readNativeOrderId(id);
    if ('reason' in reference) return reference;
    const account = callerOf(context);
    const query = { account, reference, market: undefined };
    return {
      command: { kind: 'cancelOrder', account: account.id, market: undefined, order: reference },
      lane: 'reserve',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') {
          const { rejection } = outcome;
          return rejection.reason === 'orderNotFound'
            ? refusalOfNative(deployment, query)
            : rejection;
        }
        return nativeOrderAnswer(deployment, orderOf(outcome));
      },
    };
  },
});
