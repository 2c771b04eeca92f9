// POST /fapi/v1/order (conventions, 7.2).

import type { Outcome } from '../../engine/outcome.ts';
import type { Context } from '../deployment.ts';
import { type Answered, callerOf, defineCommand } from '../operation.ts';
import { answerAccepted } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { isRefusal } from '../readParameters.ts';
import {
  type PlaceParameters,
  placeCommand,
  placeFailures,
  placeParameters,
  requiresOfPlace,
} from './placeParameters.ts';

export const placeOrder = defineCommand({
  name: 'placeOrder',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/order',
  auth: 'key',
  weight: 1,
  countsAsOrder: true,
  idempotent: true,
  summary: 'Places an order or a trigger; the answer states what became of it at once.',
  parameters: placeParameters,
  failures: [...placeFailures, 'databaseFailed'],
  response: orderRecordSchema,
  requires: requiresOfPlace,
  ofRequestAlone: true,
  command: (context, parameters) => {
    const account = callerOf(context);
    const { idempotencyKey, idempotencyRequest } = context;
    const command = placeCommand({ account, parameters, idempotencyKey, idempotencyRequest });
    if (isRefusal(command)) return command;
    return { command, lane: 'order', answer: (outcome) => placed(context, parameters, outcome) };
  },
});

function placed(context: Context, { symbol }: PlaceParameters, outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  return answerAccepted(context.deployment, callerOf(context), outcome, (order) => ({
    status: 200,
    text: orderRecordText(order, symbol),
  }));
}
