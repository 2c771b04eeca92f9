// PUT /fapi/v1/order (spec; ORD-5).

import type { Outcome } from '../../engine/outcome.ts';
import { must } from '../../std/assert.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { gridFailures } from '../grid.ts';
import { type Answered, callerOf, defineCommand } from '../operation.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { modifyCommand, modifyFailure, modifyParameters } from './modifyParameters.ts';
import { referenceOf, requiresOrderChoice } from './orderChoice.ts';

export const modifyOrder = defineCommand({
  name: 'modifyOrder',
  surface: 'fapi',
  method: 'PUT',
  path: '/fapi/v1/order',
  auth: 'key',
  weight: 1,
  countsAsOrder: true,
  summary: 'Changes price and quantity of a resting LIMIT order; its priority is lost.',
  parameters: modifyParameters,
  failures: [
    ...commandRejections.modifyOrder,
    ...gridFailures,
    'parameterMissing',
    'orderUnknown',
    'orderEnded',
    'orderNotModifiable',
  ],
  response: orderRecordSchema,
  requires: requiresOrderChoice,
  ofRequestAlone: true,
  command: (context, parameters) => {
    const account = callerOf(context);
    const { symbol: market } = parameters;
    const reference = referenceOf(parameters);
    const command = modifyCommand(account, parameters, reference);
    if ('reason' in command) return command;
    const query = { account, reference, market };
    return {
      command,
      lane: 'order',
      answer: (outcome: Outcome): Answered => {
        if (outcome.kind === 'rejected') {
          return modifyFailure(context.deployment, query, outcome.rejection);
        }
        const order = must(outcome.order, 'a modified order is in the outcome');
        return { status: 200, text: orderRecordText(order, market) };
      },
    };
  },
});
