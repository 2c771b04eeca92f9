// DELETE /fapi/v1/algoOrder (conventions, 9.5): -2011 for a trigger that does not wait any more,
// -2013 for one that never existed.

import { Type } from 'typebox';
import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { must } from '../../std/assert.ts';
import { formatUuid } from '../../units/uuid.ts';
import { clientIdText, exactObject, idText } from '../answerSchema.ts';
import { type Answered, answerJson, callerOf, defineCommand } from '../operation.ts';
import {
  algoChoiceParameters,
  algoReferenceOf,
  refusalOfMissingTrigger,
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
  failures: ['parameterMissing', 'orderUnknown', 'orderEnded'],
  response: exactObject({
    algoId: idText(),
    clientAlgoId: clientIdText(),
    // A text on this operation only, because the convention demands it.
    code: Type.Literal('200'),
    msg: Type.Literal('success'),
  }),
  requires: requiresAlgoChoice,
  ofRequestAlone: true,
  command: (context, parameters) => {
    const account = callerOf(context);
    const order = algoReferenceOf(parameters);
    return {
      command: { kind: 'cancelTrigger', account: account.id, market: undefined, order },
      lane: 'reserve',
      answer: (outcome: Outcome): Answered => {
        if (outcome.kind === 'rejected') {
          const { rejection } = outcome;
          if (rejection.reason !== 'orderNotFound') return rejection;
          return refusalOfMissingTrigger(context.deployment, account, order);
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
