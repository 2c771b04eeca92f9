// GET /api/v1/orders?symbol=&status=: the orders of the caller. The engine gives all active orders,
// history gives those of an ended status, in a window. listNativeTriggers.ts
// lists triggers.

import { Type } from 'typebox';
import { orderStatuses } from '../../engine/orderTypes.ts';
import { openOrdersOf } from '../../engine/views/openOrdersOf.ts';
import { type Fields, scalarOf } from '../fields.ts';
import { findAnyOrder } from '../findAnyOrder.ts';
import { hasFailed, type ShownOrderOrTrigger } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import {
  choiceParameter,
  clientOrderIdParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import { nativeOrderSchema, nativeOrderText } from './nativeOrder.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

const activeStatuses = ['NEW', 'PARTIALLY_FILLED'];

function comesFromHistory(query: Fields): boolean {
  const status = scalarOf(query, 'status');
  return status !== undefined && !activeStatuses.includes(status);
}

export const listNativeOrders = defineProcedure({
  ...routes.listNativeOrders,
  name: 'listNativeOrders',
  surface: 'native',
  weight: (query) =>
    scalarOf(query, 'client_order_id') !== undefined || comesFromHistory(query) ? 3 : 1,
  summary: 'Active orders, oldest first; with an ended status the latest of those, unless asked.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    status: optional(choiceParameter(orderStatuses)),
    client_order_id: optional(
      clientOrderIdParameter({ description: 'The last order of that id alone, in any state.' }),
    ),
    ...nativeWindowParameters,
  }),
  failures: ['databaseFailed'],
  response: Type.Array(nativeOrderSchema),
  procedure: async (context, { status, client_order_id: clientOrderId, ...sent }) => {
    const { deployment } = context;
    const account = callerOf(context);
    const answer = (orders: readonly ShownOrderOrTrigger[]) => {
      const texts = orders.map((order) => nativeOrderText(order, marketOf(deployment, order)));
      return { status: 200, text: `[${texts.join(',')}]` };
    };
    if (clientOrderId !== undefined) {
      const query = { account, reference: { clientOrderId }, market: sent.symbol };
      const order = await findAnyOrder(deployment, query);
      if (order === undefined) return answer([]);
      return hasFailed(order) ? order : answer([order]);
    }
    if (status === undefined || activeStatuses.includes(status)) {
      const active = openOrdersOf(account, sent.symbol?.id);
      return answer(active.filter((order) => status === undefined || order.status === status));
    }
    const asked = { ...nativeWindow(sent), account: account.id, status };
    const orders = await deployment.history.orders(asked);
    return hasFailed(orders) ? orders : answer(orders);
  },
});
