// DELETE /fapi/v1/order (conventions, 7.4).

import { Type } from 'typebox';
import type { Outcome } from '../../engine/outcome.ts';
import type { Rejection } from '../../engine/rejection.ts';
import type { Deployment } from '../deployment.ts';
import { type OrderQuery, refusalOfMissing } from '../findAnyOrder.ts';
import { type Answered, callerOf, defineCommand, type Failure } from '../operation.ts';
import { orderOf } from '../orderAnswer.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { orderChoiceParameters, referenceOf, requiresOrderChoice } from './orderChoice.ts';

export const cancelOrder = defineCommand({
  name: 'cancelOrder',
  surface: 'fapi',
  method: 'DELETE',
  path: '/fapi/v1/order',
  auth: 'key',
  weight: 1,
  summary: 'Cancels an active order, or a trigger of the order route that waits.',
  parameters: Type.Object({ symbol: symbolParameter(), ...orderChoiceParameters }),
  failures: ['parameterMissing', 'orderUnknown', 'orderEnded'],
  response: orderRecordSchema,
  requires: requiresOrderChoice,
  ofRequestAlone: true,
  command: (context, parameters) => {
    const { symbol: market } = parameters;
    const query = { account: callerOf(context), reference: referenceOf(parameters), market };
    const { account, reference: order } = query;
    return {
      command: { kind: 'cancelOrder', account: account.id, market: market.id, order },
      lane: 'reserve',
      answer: (outcome: Outcome): Answered => {
        if (outcome.kind === 'rejected') {
          return cancelFailure(context.deployment, query, outcome.rejection);
        }
        return { status: 200, text: orderRecordText(orderOf(outcome), market) };
      },
    };
  },
});

/**
 * The rejection of a cancel when the order is missing: -2011 it has ended, -2013 it never existed.
 */
export function cancelFailure(
  deployment: Deployment,
  query: OrderQuery,
  rejection: Rejection,
): Failure | Promise<Failure> {
  return rejection.reason === 'orderNotFound' ? refusalOfMissing(deployment, query) : rejection;
}
