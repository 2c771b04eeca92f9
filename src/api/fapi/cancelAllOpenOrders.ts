// DELETE /fapi/v1/allOpenOrders (spec), with the triggers of the order route (TRG-2). The answer is
// a success even if there is no open order.

import { Type } from 'typebox';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { allCancelled, doneSchema } from './doneAnswer.ts';

export const cancelAllOpenOrders = defineCommand({
  name: 'cancelAllOpenOrders',
  surface: 'fapi',
  method: 'DELETE',
  path: '/fapi/v1/allOpenOrders',
  auth: 'key',
  weight: 1,
  summary: 'Cancels every open order of a symbol.',
  parameters: Type.Object({ symbol: symbolParameter() }),
  response: doneSchema,
  ofRequestAlone: true,
  command: (context, { symbol }) => ({
    command: { kind: 'cancelAllOrders', account: callerOf(context).id, market: symbol.id },
    lane: 'reserve',
    answer: (outcome) =>
      outcome.kind === 'rejected' ? outcome.rejection : answerJson(allCancelled),
  }),
});
