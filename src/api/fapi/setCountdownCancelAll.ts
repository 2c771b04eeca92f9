// POST /fapi/v1/countdownCancelAll (ORD-13).

import { Type } from 'typebox';
import { exactObject, symbolText, wholeText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { integerParameter, symbolParameter } from '../parameterSchema.ts';

export const setCountdownCancelAll = defineCommand({
  name: 'setCountdownCancelAll',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/countdownCancelAll',
  auth: 'key',
  weight: 1,
  summary: 'Cancels all orders of a symbol unless called again in time; 0 stops the countdown.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    countdownTime: integerParameter({ description: 'Milliseconds; 0 stops.' }),
  }),
  failures: commandRejections.setCountdown,
  response: exactObject({ symbol: symbolText(), countdownTime: wholeText() }),
  ofRequestAlone: true,
  command: (context, { symbol, countdownTime }) => ({
    command: {
      kind: 'setCountdown',
      account: callerOf(context).id,
      market: symbol.id,
      milliseconds: countdownTime,
    },
    lane: 'reserve',
    answer: (outcome) =>
      outcome.kind === 'rejected'
        ? outcome.rejection
        : answerJson({ symbol: symbol.symbol, countdownTime: String(countdownTime) }),
  }),
});
