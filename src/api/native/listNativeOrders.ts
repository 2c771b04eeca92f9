// GET /api/v1/orders?symbol=&status=: the caller's orders. The engine gives all active ones, and
// history gives those of an ended status, in a window. FAPI's openAlgoOrders lists the waiting
// triggers.

import { Type } from 'typebox';
import { orderStatuses } from '../../engine/order.ts';
import { openOrdersOf } from '../../engine/views/openOrdersOf.ts';
import { hasFailed, type ShownOrderOrTrigger } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { choiceParameter, optional, symbolParameter } from '../parameterSchema.ts';
import { nativeOrderSchema, nativeOrderText } from './nativeOrder.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listNativeOrders = defineProcedure({
  ...routes.listNativeOrders,
  name: 'listNativeOrders',
  surface: 'native',
  weight: 1,
  summary: 'Active orders, oldest first; with an ended status the latest of those, unless asked.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    status: optional(choiceParameter(orderStatuses)),
    ...nativeWindowParameters,
  }),
  failures: ['databaseFailed'],
  response: Type.Array(nativeOrderSchema),
  procedure: async (context, { status, ...sent }) => {
    const { deployment } = context;
    const account = callerOf(context);
    const answer = (orders: readonly ShownOrderOrTrigger[]) => {
      const texts = orders.map((order) => nativeOrderText(order, marketOf(deployment, order)));
      return { status: 200, text: `[${texts.join(',')}]` };
    };
    if (status === undefined || status === 'NEW' || status === 'PARTIALLY_FILLED') {
      const active = openOrdersOf(account, sent.symbol?.id);
      return answer(active.filter((order) => status === undefined || order.status === status));
    }
    const asked = { ...nativeWindow(sent), account: account.id, status };
    const orders = await deployment.history.orders(asked);
    return hasFailed(orders) ? orders : answer(orders);
  },
});
