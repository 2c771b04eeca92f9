// POST /fapi/v1/order (conventions, 7.2).

import type { Outcome } from '../../engine/outcome.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Context } from '../deployment.ts';
import { type Answered, type Apart, callerOf, commandOf, defineCommand } from '../operation.ts';
import { answerAccepted, answerOrder, marketOf } from '../orderAnswer.ts';
import { orderRecordSchema } from '../orderRecord.ts';
import {
  type PlaceParameters,
  placeCommand,
  placeFailures,
  placeParameters,
  requiresOfPlace,
} from './placeParameters.ts';

const apart: Apart<PlaceParameters> = {
  make: (asking, parameters) => placeCommand({ ...asking, parameters }),
  intentOf: (context, command) => {
    if (command.kind !== 'placeOrder' && command.kind !== 'placeTrigger') return undefined;
    const market = marketOf(context.deployment, command);
    return {
      command,
      lane: 'order',
      showsOrder: true,
      answer: (outcome) => placed(context, market, outcome),
    };
  },
};

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
  failures: [...placeFailures, 'databaseFailed'],
  response: orderRecordSchema,
  requires: requiresOfPlace,
  ofRequestAlone: true,
  apart,
  command: (context, parameters) => commandOf(apart, context, parameters),
});

function placed(context: Context, market: Market, outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  return answerAccepted(context.deployment, callerOf(context), outcome, (order) =>
    answerOrder(order, market),
  );
}
