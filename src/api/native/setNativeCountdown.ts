// POST /api/v1/countdown (ORD-13).

import { Type } from 'typebox';
import { exactObject, symbolText, wholeText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { integerParameter, symbolParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

export const setNativeCountdown = defineCommand({
  ...routes.setNativeCountdown,
  name: 'setNativeCountdown',
  surface: 'native',
  weight: 1,
  summary: 'Cancels all orders of a symbol unless called again in time; 0 stops the countdown.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    countdown_time: integerParameter({ description: 'Milliseconds; 0 stops.' }),
  }),
  failures: commandRejections.setCountdown,
  response: exactObject({ symbol: symbolText(), countdown_time: wholeText() }),
  ofRequestAlone: true,
  command: (context, { symbol: market, countdown_time: milliseconds }) => ({
    command: {
      kind: 'setCountdown',
      account: callerOf(context).id,
      market: market.id,
      milliseconds,
    },
    lane: 'reserve',
    answer: (outcome) => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      return answerJson({ symbol: market.symbol, countdown_time: String(milliseconds) });
    },
  }),
});
