// DELETE /api/v1/triggers/{id} (NAT-5): a waiting trigger of either route.

import { Type } from 'typebox';
import { must } from '../../std/assert.ts';
import { callerOf, defineCommand } from '../operation.ts';
import { nativeOrderFailures, nativeOrderIdParameter, readNativeOrderId } from './nativeOrderId.ts';
import * as routes from './nativeRoutes.ts';
import { nativeTriggerAnswer, nativeTriggerSchema } from './nativeTrigger.ts';
import { refusalOfNativeTrigger } from './refusalOfNativeTrigger.ts';

export const cancelNativeTrigger = defineCommand({
  ...routes.cancelNativeTrigger,
  name: 'cancelNativeTrigger',
  surface: 'native',
  weight: 1,
  summary: "Cancels a waiting trigger by its id or by the client's own.",
  parameters: Type.Object({ id: nativeOrderIdParameter() }),
  failures: nativeOrderFailures,
  response: nativeTriggerSchema,
  ofRequestAlone: true,
  command: (context, { id }) => {
    const { deployment } = context;
    const order = readNativeOrderId(id);
    if ('reason' in order) return order;
    const account = callerOf(context);
    return {
      command: { kind: 'cancelTrigger', account: account.id, market: undefined, order },
      lane: 'reserve',
      answer: (outcome) => {
        if (outcome.kind !== 'rejected') {
          const trigger = must(outcome.trigger, 'a cancelled trigger is in the outcome');
          return nativeTriggerAnswer(deployment, trigger);
        }
        const { rejection } = outcome;
        if (rejection.reason !== 'orderNotFound') return rejection;
        return Promise.resolve(refusalOfNativeTrigger(deployment, account, order));
      },
    };
  },
});
