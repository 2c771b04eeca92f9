// PUT /fapi/v1/batchOrders (conventions, 8.2): at most five modifications.

import { Type } from 'typebox';
import { batchPlaceMax } from '../../engine/limits.ts';
import { must } from '../../std/assert.ts';
import type { Context } from '../deployment.ts';
import { isFields, type Value } from '../fields.ts';
import { callerOf, defineCommand, type Failure } from '../operation.ts';
import { orderRecordText } from '../orderRecord.ts';
import { listParameter } from '../parameterSchema.ts';
import { createParameterReader, isRefusal } from '../readParameters.ts';
import { type BatchItem, batchIntent, batchResponse } from './batchItems.ts';
import { modifyCommand, modifyFailure, modifyParameters } from './modifyParameters.ts';
import { referenceOf, requiresOrderChoice } from './orderChoice.ts';

const bound = { name: 'batchOrders', max: batchPlaceMax };
const readItem = createParameterReader(modifyParameters, requiresOrderChoice);

export const modifyBatchOrders = defineCommand({
  name: 'modifyBatchOrders',
  surface: 'fapi',
  method: 'PUT',
  path: '/fapi/v1/batchOrders',
  auth: 'key',
  weight: 5,
  countsAsOrder: true,
  summary: 'Modifies at most five orders, each on its own.',
  parameters: Type.Object({ batchOrders: listParameter({ body: true }) }),
  response: batchResponse,
  ofRequestAlone: true,
  command: (context, { batchOrders: list }) =>
    batchIntent({ list, bound, itemOf: (value) => modifyItem(context, value), lane: 'order' }),
});

function modifyItem(context: Context, value: Value): BatchItem | Failure {
  if (!isFields(value)) return { reason: 'parameterMalformed', name: bound.name };
  const parameters = readItem(value, context.deployment.exchange);
  if (isRefusal(parameters)) return parameters;
  const account = callerOf(context);
  const reference = referenceOf(parameters);
  const command = modifyCommand(account, parameters, reference);
  if ('reason' in command) return command;
  const { symbol: market } = parameters;
  const query = { account, reference, market };
  return {
    command,
    answer: (outcome) => {
      if (outcome.kind === 'rejected') {
        return modifyFailure(context.deployment, query, outcome.rejection);
      }
      const order = must(outcome.order, 'a modified order is in the outcome');
      return orderRecordText(order, market);
    },
  };
}
