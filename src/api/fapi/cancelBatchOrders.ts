// DELETE /fapi/v1/batchOrders (conventions, 8.3): at most ten ids of one symbol.

import { type Static, Type } from 'typebox';
import { isClientOrderId } from '../../engine/clientOrderId.ts';
import type { OrderReference } from '../../engine/command.ts';
import { batchCancelMax } from '../../engine/limits.ts';
import type { Market } from '../../engine/views/market.ts';
import { isUuid } from '../../units/uuid.ts';
import type { Context } from '../deployment.ts';
import { type Fields, isSent, type Value } from '../fields.ts';
import { callerOf, defineCommand, type Failure } from '../operation.ts';
import { orderOf } from '../orderAnswer.ts';
import { orderRecordText } from '../orderRecord.ts';
import { listParameter, optional, symbolParameter } from '../parameterSchema.ts';
import { orderReferenceOf } from '../readParameters.ts';
import type { Refusal } from '../refusal.ts';
import { type BatchItem, batchIntent, batchResponse } from './batchItems.ts';
import { cancelFailure } from './cancelOrder.ts';

const parameters = Type.Object({
  symbol: symbolParameter(),
  orderIdList: optional(listParameter()),
  origClientOrderIdList: optional(listParameter()),
});

export const cancelBatchOrders = defineCommand({
  name: 'cancelBatchOrders',
  surface: 'fapi',
  method: 'DELETE',
  path: '/fapi/v1/batchOrders',
  auth: 'key',
  weight: 5,
  summary: 'Cancels at most ten orders of a symbol, each on its own.',
  parameters,
  failures: ['parameterMissing', 'parameterIllegal'],
  response: batchResponse,
  requires: requiresList,
  ofRequestAlone: true,
  command: (context, { symbol, ...lists }) => {
    const { name, list, read } = chosenList(lists);
    return batchIntent({
      list,
      bound: { name, max: batchCancelMax },
      itemOf: (value) => cancelItem(context, symbol, read(value)),
      lane: 'reserve',
    });
  },
});

/** Neither list was sent: -1102. */
function requiresList(_read: unknown, fields: Fields): Refusal | undefined {
  if (isSent(fields, 'orderidlist') || isSent(fields, 'origclientorderidlist')) return undefined;
  return { reason: 'parameterMissing', name: 'orderIdList' };
}

type Chosen = {
  readonly name: string;
  readonly list: readonly Value[];
  readonly read: (value: Value) => OrderReference | Failure;
};

/** When both lists are sent, the ids of orders count. */
function chosenList({
  orderIdList,
  origClientOrderIdList = [],
}: Omit<Static<typeof parameters>, 'symbol'>): Chosen {
  if (orderIdList !== undefined) return { name: 'orderIdList', list: orderIdList, read: byId };
  return { name: 'origClientOrderIdList', list: origClientOrderIdList, read: byClientId };
}

function byId(value: Value): OrderReference | Failure {
  if (typeof value === 'string' && isUuid(value)) return orderReferenceOf(value);
  return { reason: 'parameterIllegal', name: 'orderIdList' };
}

function byClientId(value: Value): OrderReference | Failure {
  if (typeof value === 'string' && isClientOrderId(value)) return { clientOrderId: value };
  return { reason: 'parameterIllegal', name: 'origClientOrderIdList' };
}

function cancelItem(
  context: Context,
  market: Market,
  reference: OrderReference | Failure,
): BatchItem | Failure {
  if ('reason' in reference) return reference;
  const account = callerOf(context);
  const query = { account, reference, market };
  return {
    command: {
      kind: 'cancelOrder',
      account: account.id,
      market: market.id,
      order: reference,
    },
    answer: (outcome) => {
      if (outcome.kind === 'rejected') {
        return cancelFailure(context.deployment, query, outcome.rejection);
      }
      return orderRecordText(orderOf(outcome), market);
    },
  };
}
