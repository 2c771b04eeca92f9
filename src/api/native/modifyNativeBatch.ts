// PUT /api/v1/batch-orders (ORD-8): at most five changes. The limits count the request as one
// order.

import { Type } from 'typebox';
import { batchPlaceMax } from '../../engine/limits.ts';
import type { Context } from '../deployment.ts';
import { nativeErrorText } from '../errors/failureAnswer.ts';
import { type BatchEntry, batchIntent } from '../fapi/batchItems.ts';
import { isFields, type Value } from '../fields.ts';
import { defineCommand } from '../operation.ts';
import { marketOf, orderOf } from '../orderAnswer.ts';
import { listParameter } from '../parameterSchema.ts';
import { createParameterReader, isRefusal } from '../readParameters.ts';
import { nativeBatchResponse } from './nativeBatch.ts';
import { nativeModification, nativeModifyFailure, nativeModifyParameters } from './nativeModify.ts';
import { nativeOrderText } from './nativeOrder.ts';
import * as routes from './nativeRoutes.ts';

const bound = { name: 'orders', max: batchPlaceMax };
const readItem = createParameterReader(nativeModifyParameters);

export const modifyNativeBatch = defineCommand({
  ...routes.modifyNativeBatch,
  name: 'modifyNativeBatch',
  surface: 'native',
  weight: 5,
  countsAsOrder: true,
  summary: 'Changes at most five orders, each on its own.',
  parameters: Type.Object({ orders: listParameter({ body: true }) }),
  response: nativeBatchResponse,
  command: (context, { orders: list }) =>
    batchIntent({
      list,
      bound,
      itemOf: (value) => modifyItem(context, value),
      lane: 'order',
      errorText: nativeErrorText,
    }),
});

function modifyItem(context: Context, value: Value): BatchEntry {
  if (!isFields(value)) return { reason: 'parameterMalformed', name: bound.name };
  const parameters = readItem(value, context.deployment.exchange);
  if (isRefusal(parameters)) return parameters;
  const modification = nativeModification(context, parameters);
  if (modification instanceof Promise || 'reason' in modification) return modification;
  const { command, query } = modification;
  return {
    command,
    answer: (outcome) => {
      if (outcome.kind === 'rejected')
        return nativeModifyFailure(context, query, outcome.rejection);
      const order = orderOf(outcome);
      return nativeOrderText(order, marketOf(context.deployment, order));
    },
  };
}
