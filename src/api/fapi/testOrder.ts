// POST /fapi/v1/order/test (conventions, 15): makes the checks of POST order and stores nothing.

import { callerOf, defineQuery } from '../operation.ts';
import { orderOf } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { isRefusal } from '../readParameters.ts';
import {
  placeCommand,
  placeFailures,
  placeParameters,
  requiresOfPlace,
} from './placeParameters.ts';

export const testOrder = defineQuery({
  name: 'testOrder',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/order/test',
  auth: 'key',
  weight: 1,
  countsAsOrder: true,
  summary: 'Checks an order as placing it would and answers it as accepted; stores nothing.',
  parameters: placeParameters,
  failures: placeFailures,
  response: orderRecordSchema,
  requires: requiresOfPlace,
  query: (context, parameters) => {
    const account = callerOf(context);
    const none = { idempotencyKey: '', idempotencyRequest: '' };
    const command = placeCommand({ account, parameters, ...none });
    if (isRefusal(command)) return command;
    const outcome = context.deployment.testOrder(command);
    if (outcome.kind === 'rejected') return outcome.rejection;
    return { status: 200, text: orderRecordText(orderOf(outcome), parameters.symbol) };
  },
});
