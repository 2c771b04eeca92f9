// DELETE /fapi/v1/order (conventions, 7.4).

import { type Static, Type } from 'typebox';
import type { Rejection } from '../../engine/rejection.ts';
import type { Deployment } from '../deployment.ts';
import { type OrderQuery, refusalOfMissing } from '../findAnyOrder.ts';
import { type Apart, callerOf, commandOf, defineCommand, type Failure } from '../operation.ts';
import { answerOrder, marketOf, orderOf } from '../orderAnswer.ts';
import { orderRecordSchema } from '../orderRecord.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { orderChoiceParameters, referenceOf, requiresOrderChoice } from './orderChoice.ts';

const parameters = Type.Object({ symbol: symbolParameter(), ...orderChoiceParameters });

const apart: Apart<Static<typeof parameters>> = {
  make: ({ account }, { symbol: market, ...choice }) => ({
    ...{ kind: 'cancelOrder', account: account.id, market: market.id },
    order: referenceOf(choice),
  }),
  intentOf: (context, command) => {
    if (command.kind !== 'cancelOrder' || command.market === undefined) return undefined;
    const market = marketOf(context.deployment, { market: command.market });
    const query = { account: callerOf(context), reference: command.order, market };
    return {
      command,
      lane: 'reserve',
      showsOrder: true,
      answer: (outcome) =>
        outcome.kind === 'rejected'
          ? cancelFailure(context.deployment, query, outcome.rejection)
          : answerOrder(orderOf(outcome), market),
    };
  },
};

export const cancelOrder = defineCommand({
  name: 'cancelOrder',
  surface: 'fapi',
  method: 'DELETE',
  path: '/fapi/v1/order',
  auth: 'key',
  weight: 1,
  summary: 'Cancels an active order, or a trigger of the order route that waits.',
  parameters,
  failures: ['parameterMissing', 'orderUnknown', 'orderEnded'],
  response: orderRecordSchema,
  requires: requiresOrderChoice,
  ofRequestAlone: true,
  apart,
  command: (context, parameters) => commandOf(apart, context, parameters),
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
