// POST /api/v1/batch-orders (ORD-8): at most five new orders. The limits count the request as one
// order.

import { Type } from 'typebox';
import { batchPlaceMax } from '../../engine/limits.ts';
import type { Context } from '../deployment.ts';
import { nativeErrorText } from '../errors/failureAnswer.ts';
import { type BatchItem, batchIntent } from '../fapi/batchItems.ts';
import { isFields, type Value } from '../fields.ts';
import { callerOf, defineCommand, type Failure } from '../operation.ts';
import { orderOf } from '../orderAnswer.ts';
import { listParameter } from '../parameterSchema.ts';
import { createParameterReader, isRefusal } from '../readParameters.ts';
import { nativeBatchResponse } from './nativeBatch.ts';
import { nativeOrderText } from './nativeOrder.ts';
import {
  nativeOrderCommand,
  nativeOrderParameters,
  noIdempotency,
  requiresOfNativeOrder,
} from './nativeOrderParameters.ts';
import * as routes from './nativeRoutes.ts';

const bound = { name: 'orders', max: batchPlaceMax };
const readItem = createParameterReader(nativeOrderParameters, requiresOfNativeOrder);

export const placeNativeBatch = defineCommand({
  ...routes.placeNativeBatch,
  name: 'placeNativeBatch',
  surface: 'native',
  weight: 5,
  countsAsOrder: true,
  summary: 'Places at most five orders, each on its own.',
  parameters: Type.Object({ orders: listParameter({ body: true }) }),
  response: nativeBatchResponse,
  ofRequestAlone: true,
  command: (context, { orders: list }) =>
    batchIntent({
      list,
      bound,
      itemOf: (value) => placeItem(context, value),
      lane: 'order',
      errorText: nativeErrorText,
    }),
});

function placeItem(context: Context, value: Value): BatchItem | Failure {
  if (!isFields(value)) return { reason: 'parameterMalformed', name: bound.name };
  const parameters = readItem(value, context.deployment.exchange);
  if (isRefusal(parameters)) return parameters;
  const account = callerOf(context);
  const command = nativeOrderCommand({ account, parameters, ...noIdempotency });
  if (isRefusal(command)) return command;
  return {
    command,
    answer: (outcome) =>
      outcome.kind === 'rejected'
        ? outcome.rejection
        : nativeOrderText(orderOf(outcome), parameters.symbol),
  };
}
