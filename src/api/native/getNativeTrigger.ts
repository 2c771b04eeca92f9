// GET /api/v1/triggers/{id} (NAT-5): a trigger of the caller, in any state.

import { Type } from 'typebox';
import { findAnyTrigger } from '../fapi/algoChoice.ts';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { nativeOrderFailures, nativeOrderIdParameter, readNativeOrderId } from './nativeOrderId.ts';
import * as routes from './nativeRoutes.ts';
import { nativeTriggerAnswer, nativeTriggerSchema } from './nativeTrigger.ts';
import { refusalOfNativeTrigger } from './refusalOfNativeTrigger.ts';

export const getNativeTrigger = defineProcedure({
  ...routes.getNativeTrigger,
  name: 'getNativeTrigger',
  surface: 'native',
  weight: 2,
  summary: "One trigger by its id or by the client's own.",
  parameters: Type.Object({ id: nativeOrderIdParameter() }),
  failures: [...nativeOrderFailures, 'databaseFailed'],
  response: nativeTriggerSchema,
  procedure: async (context, { id }) => {
    const { deployment } = context;
    const reference = readNativeOrderId(id);
    if ('reason' in reference) return reference;
    const account = callerOf(context);
    const trigger = await findAnyTrigger(deployment, account, reference);
    if (trigger === undefined) return refusalOfNativeTrigger(deployment, account, reference);
    return hasFailed(trigger) ? trigger : nativeTriggerAnswer(deployment, trigger);
  },
});
