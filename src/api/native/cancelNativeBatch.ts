// DELETE /api/v1/batch-orders (ORD-8): at most ten orders, each by either id.

import { Type } from 'typebox';
import { batchCancelMax } from '../../engine/limits.ts';
import type { Context } from '../deployment.ts';
import { nativeErrorText } from '../errors/failureAnswer.ts';
import { type BatchItem, batchIntent } from '../fapi/batchItems.ts';
import type { Value } from '../fields.ts';
import { callerOf, defineCommand, type Failure } from '../operation.ts';
import { marketOf, orderOf } from '../orderAnswer.ts';
import { listParameter } from '../parameterSchema.ts';
import { nativeBatchResponse } from './nativeBatch.ts';
import { nativeOrderText } from './nativeOrder.ts';
import { readNativeOrderId, refusalOfNative } from './nativeOrderId.ts';
import * as routes from './nativeRoutes.ts';

const bound = { name: 'ids', max: batchCancelMax };

export const cancelNativeBatch = defineCommand({
  ...routes.cancelNativeBatch,
  name: 'cancelNativeBatch',
  surface: 'native',
  weight: 5,
  summary: 'Cancels at most ten orders, each on its own.',
  parameters: Type.Object({
    ids: listParameter({ description: 'Ids of orders, or client order ids, as a JSON array.' }),
  }),
  response: nativeBatchResponse,
  ofRequestAlone: true,
  command: (context, { ids: list }) =>
    batchIntent({
      list,
      bound,
      itemOf: (value) => cancelItem(context, value),
      lane: 'reserve',
      errorText: nativeErrorText,
    }),
});

function cancelItem(context: Context, value: Value): BatchItem | Failure {
  const { deployment } = context;
  if (typeof value !== 'string') return { reason: 'parameterIllegal', name: bound.name };
  const reference = readNativeOrderId(value, bound.name);
  if ('reason' in reference) return reference;
  const account = callerOf(context);
  return {
    command: { kind: 'cancelOrder', account: account.id, market: undefined, order: reference },
    answer: (outcome) => {
      if (outcome.kind !== 'rejected') {
        const order = orderOf(outcome);
        return nativeOrderText(order, marketOf(deployment, order));
      }
      const { rejection } = outcome;
      if (rejection.reason !== 'orderNotFound') return rejection;
      return refusalOfNative(deployment, { account, reference, market: undefined });
    },
  };
}
