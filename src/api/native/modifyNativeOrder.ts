// PUT /api/v1/orders/{id} (ORD-5).

import type { Outcome } from '../../engine/outcome.ts';
import { type Answered, defineCommand } from '../operation.ts';
import { orderOf } from '../orderAnswer.ts';
import {
  nativeModification,
  nativeModifyFailure,
  nativeModifyFailures,
  nativeModifyParameters,
} from './nativeModify.ts';
import { nativeOrderAnswer, nativeOrderSchema } from './nativeOrder.ts';
import * as routes from './nativeRoutes.ts';

export const modifyNativeOrder = defineCommand({
  ...routes.modifyNativeOrder,
  name: 'modifyNativeOrder',
  surface: 'native',
  weight: 1,
  countsAsOrder: true,
  summary: 'Changes price and quantity of a resting LIMIT order; its priority is lost.',
  parameters: nativeModifyParameters,
  failures: nativeModifyFailures,
  response: nativeOrderSchema,
  command: (context, parameters) => {
    const modification = nativeModification(context, parameters);
    if (modification instanceof Promise || 'reason' in modification) return modification;
    const { command, query } = modification;
    return {
      command,
      lane: 'order',
      answer: (outcome: Outcome): Answered =>
        outcome.kind === 'rejected'
          ? nativeModifyFailure(context, query, outcome.rejection)
          : nativeOrderAnswer(context.deployment, orderOf(outcome)),
    };
  },
});
