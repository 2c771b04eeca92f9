// DELETE /api/v1/orders: every open order of a symbol or of all, with the waiting triggers of
// FAPI's order route, which are orders too (TRG-2). The answer is a success even if there are none.

import { Type } from 'typebox';
import { callerOf, defineCommand } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { cancelledAnswer, cancelledSchema } from './cancelledAnswer.ts';
import * as routes from './nativeRoutes.ts';

export const cancelAllNativeOrders = defineCommand({
  ...routes.cancelAllNativeOrders,
  name: 'cancelAllNativeOrders',
  surface: 'native',
  weight: 1,
  summary: 'Cancels every open order of a symbol, or of all symbols.',
  parameters: Type.Object({ symbol: optional(symbolParameter({ refuses: 'blank' })) }),
  response: cancelledSchema,
  ofRequestAlone: true,
  command: (context, { symbol }) => ({
    command: { kind: 'cancelAllOrders', account: callerOf(context).id, market: symbol?.id },
    lane: 'reserve',
    answer: cancelledAnswer,
  }),
});
