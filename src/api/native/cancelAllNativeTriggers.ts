// DELETE /api/v1/triggers: every waiting trigger of a symbol or of all, of both routes (TRG-2). The
// answer is a success even if there are none.

import { Type } from 'typebox';
import { callerOf, defineCommand } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { cancelledAnswer, cancelledSchema } from './cancelledAnswer.ts';
import * as routes from './nativeRoutes.ts';

export const cancelAllNativeTriggers = defineCommand({
  ...routes.cancelAllNativeTriggers,
  name: 'cancelAllNativeTriggers',
  surface: 'native',
  weight: 1,
  summary: 'Cancels every waiting trigger of a symbol, or of all symbols.',
  parameters: Type.Object({ symbol: optional(symbolParameter({ refuses: 'blank' })) }),
  response: cancelledSchema,
  ofRequestAlone: true,
  command: (context, { symbol }) => ({
    command: {
      kind: 'cancelAllTriggers',
      account: callerOf(context).id,
      market: symbol?.id,
      route: undefined,
    },
    lane: 'reserve',
    answer: cancelledAnswer,
  }),
});
