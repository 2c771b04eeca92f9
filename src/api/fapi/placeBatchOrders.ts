// POST /fapi/v1/batchOrders (conventions, 8.1): at most five new orders. The limits count the
// request as one order.

import { Type } from 'typebox';
import { batchPlaceMax } from '../../engine/limits.ts';
import type { Context } from '../deployment.ts';
import { isFields, type Value } from '../fields.ts';
import { callerOf, defineCommand, type Failure } from '../operation.ts';
import { orderOf } from '../orderAnswer.ts';
import { orderRecordText } from '../orderRecord.ts';
import { listParameter } from '../parameterSchema.ts';
import { createParameterReader, isRefusal } from '../readParameters.ts';
import { type BatchItem, batchIntent, batchResponse } from './batchItems.ts';
import { placeCommand, placeParameters, requiresOfPlace } from './placeParameters.ts';

const bound = { name: 'batchOrders', max: batchPlaceMax };
const readItem = createParameterReader(placeParameters, requiresOfPlace);

export const placeBatchOrders = defineCommand({
  name: 'placeBatchOrders',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/batchOrders',
  auth: 'key',
  weight: 5,
  countsAsOrder: true,
  summary: 'Places at most five orders, each on its own.',
  parameters: Type.Object({ batchOrders: listParameter({ body: true }) }),
  response: batchResponse,
  ofRequestAlone: true,
  command: (context, { batchOrders: list }) =>
    batchIntent({ list, bound, itemOf: (value) => placeItem(context, value), lane: 'order' }),
});

function placeItem(context: Context, value: Value): BatchItem | Failure {
  if (!isFields(value)) return { reason: 'parameterMalformed', name: bound.name };
  const parameters = readItem(value, context.deployment.exchange);
  if (isRefusal(parameters)) return parameters;
  const account = callerOf(context);
  const none = { idempotencyKey: '', idempotencyRequest: '' };
  const command = placeCommand({ account, parameters, ...none });
  if (isRefusal(command)) return command;
  return {
    command,
    answer: (outcome) =>
      outcome.kind === 'rejected'
        ? outcome.rejection
        : orderRecordText(orderOf(outcome), parameters.symbol),
  };
}
