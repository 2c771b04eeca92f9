// DELETE /fapi/v1/algoOpenOrders (spec): cancels the waiting triggers of the algo route.
// allOpenOrders cancels those of the order route (TRG-2). The answer is a success even if there are
// none.

import { Type } from 'typebox';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { allCancelled, doneSchema } from './doneAnswer.ts';

export const cancelAlgoOpenOrders = defineCommand({
  name: 'cancelAlgoOpenOrders',
  surface: 'fapi',
  method: 'DELETE',
  path: '/fapi/v1/algoOpenOrders',
  auth: 'key',
  weight: 1,
  summary: 'Cancels every waiting trigger of a symbol that algoOrder has placed.',
  parameters: Type.Object({ symbol: symbolParameter() }),
  response: doneSchema,
  ofRequestAlone: true,
  command: (context, { symbol }) => ({
    command: {
      kind: 'cancelAllTriggers',
      account: callerOf(context).id,
      market: symbol.id,
      route: 'algo',
    },
    lane: 'reserve',
    answer: (outcome) =>
      outcome.kind === 'rejected' ? outcome.rejection : answerJson(allCancelled),
  }),
});
