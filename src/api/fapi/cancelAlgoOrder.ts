// DELETE /fapi/v1/algoOrder (conventions, 9.5): -2011 for a trigger that waits no longer, -2013 for
// one that never was.

import { Type } from 'typebox';
import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { must } from '../../std/assert.ts';
import { formatUuid } from '../../units/uuid.ts';
import { type Answer, answerJson, callerOf, defineCommand, type Failure } from '../operation.ts';
import {
  algoChoiceParameters,
  algoReferenceOf,
  findAnyTrigger,
  requiresAlgoChoice,
} from './algoChoice.ts';

export const cancelAlgoOrder = defineCommand({
  name: 'cancelAlgoOrder',
  surface: 'fapi',
  method: 'DELETE',
  path: '/fapi/v1/algoOrder',
  auth: 'key',
  weight: 1,
  summary: 'Cancels a waiting trigger of either route.',
  parameters: Type.Object(algoChoiceParameters),
  response: Type.Object({
    algoId: Type.String({ format: 'uuid' }),
    clientAlgoId: Type.String(),
    // A text on this operation alone, as the convention has it.
    code: Type.Literal('200'),
    msg: Type.Literal('success'),
  }),
  requires: requiresAlgoChoice,
  command: (context, parameters) => {
    const account = callerOf(context);
    const order = algoReferenceOf(parameters);
    return {
      command: { kind: 'cancelTrigger', account: account.id, market: undefined, order },
      lane: 'reserve',
      answer: (outcome: Outcome): Answer | Failure => {
        if (outcome.kind === 'rejected') {
          const { rejection } = outcome;
          if (rejection.reason !== 'orderNotFound') return rejection;
          const known = findAnyTrigger(context.deployment, account, order);
          return { reason: known === undefined ? 'orderUnknown' : 'orderEnded' };
        }
        const trigger = must(outcome.trigger, 'a cancelled trigger is in the outcome');
        return answerJson({
          algoId: formatUuid(trigger.createdAt, trigger.id),
          clientAlgoId: clientOrderIdOf(trigger),
          code: '200',
          msg: 'success',
        });
      },
    };
  },
});
