// POST /fapi/v1/order (conventions, 7.2).

import type { Outcome } from '../../engine/outcome.ts';
import type { Context } from '../deployment.ts';
import { type Answer, callerOf, defineCommand, type Failure } from '../operation.ts';
import { acceptedOrder } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { isRefusal } from '../readParameters.ts';
import {
  type PlaceParameters,
  placeCommand,
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
  response: orderRecordSchema,
  requires: requiresOfPlace,
  command: (context, parameters) => {
    const account = callerOf(context);
    const { idempotencyKey, idempotencyRequest } = context;
    const command = placeCommand({ account, parameters, idempotencyKey, idempotencyRequest });
    if (isRefusal(command)) return command;
    const answer = (outcome: Outcome): Answer | Failure => placed(context, parameters, outcome);
    return { command, lane: 'order', answer };
  },
});

function placed(context: Context, { symbol }: PlaceParameters, outcome: Outcome): Answer | Failure {
  if (outcome.kind === 'rejected') return outcome.rejection;
  const order = acceptedOrder(context.deployment, callerOf(context), outcome);
  if (isRefusal(order)) return order;
  return { status: 200, text: orderRecordText(order, symbol) };
}
