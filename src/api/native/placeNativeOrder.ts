// POST /api/v1/orders (NAT-1). POST /api/v1/triggers places triggers.

import type { Outcome } from '../../engine/outcome.ts';
import type { Context } from '../deployment.ts';
import { type Answered, callerOf, defineCommand } from '../operation.ts';
import { answerAccepted } from '../orderAnswer.ts';
import { isRefusal } from '../readParameters.ts';
import { nativeOrderAnswer, nativeOrderSchema } from './nativeOrder.ts';
import {
  nativeOrderCommand,
  nativeOrderParameters,
  nativePlaceFailures,
  requiresOfNativeOrder,
} from './nativeOrderParameters.ts';
import * as routes from './nativeRoutes.ts';

export const placeNativeOrder = defineCommand({
  ...routes.placeNativeOrder,
  name: 'placeNativeOrder',
  surface: 'native',
  weight: 1,
  countsAsOrder: true,
  idempotent: true,
  summary: 'Places an order; the answer states what became of it at once.',
  parameters: nativeOrderParameters,
  failures: [...nativePlaceFailures, 'orderEnded', 'databaseFailed'],
  response: nativeOrderSchema,
  requires: requiresOfNativeOrder,
  ofRequestAlone: true,
  command: (context, parameters) => {
    const account = callerOf(context);
    const { idempotencyKey, idempotencyRequest } = context;
    const idempotency = { idempotencyKey, idempotencyRequest };
    const command = nativeOrderCommand({ account, parameters, ...idempotency });
    if (isRefusal(command)) return command;
    return { command, lane: 'order', answer: (outcome) => placed(context, outcome) };
  },
});

function placed(context: Context, outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  const { deployment } = context;
  return answerAccepted(deployment, callerOf(context), outcome, (order) =>
    nativeOrderAnswer(deployment, order),
  );
}
