// GET /fapi/v1/allOrders (conventions, 10.1; ORD-12): orders of any state on a symbol, triggers of
// the order route (TRG-2), and the takeovers and deleveragings that closed the account's positions
// outside the book, ordered by creation.

import { Type } from 'typebox';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import type { AccountId } from '../../units/units.ts';
import type { Deployment } from '../deployment.ts';
import { forcedOrder } from '../forcedOrder.ts';
import { type HistoryFailure, hasFailed, type ShownOrderOrTrigger } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { optional, orderIdParameter, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 500, most: 1000 };

export const getAllOrders = defineProcedure({
  name: 'getAllOrders',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/allOrders',
  auth: 'key',
  weight: 5,
  summary: 'Orders of a symbol, whatever their state, ascending; the latest unless asked.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    orderId: optional(orderIdParameter({ description: 'This one and those after it.' })),
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['databaseFailed'],
  response: Type.Array(orderRecordSchema),
  procedure: async (context, { orderId, ...sent }) => {
    const { id: account } = callerOf(context);
    const asked = { ...windowOf(sent, bounds), account, from: orderId };
    const orders = await ordersIn(context.deployment, asked);
    if (hasFailed(orders)) return orders;
    const texts = orders.map((order) => orderRecordText(order, sent.symbol));
    return { status: 200, text: `[${texts.join(',')}]` };
  },
});

/**
 * Merges two lists: the first (or last) rows of both together are among the first (or last) rows of
 * each. An order of the exchange that was in the book is in both lists.
 */
async function ordersIn(
  { history, forceOrdersOf }: Deployment,
  asked: RowWindow & { readonly account: AccountId },
): Promise<readonly ShownOrderOrTrigger[] | HistoryFailure> {
  const { account, startTime, from, limit } = asked;
  const orders = await history.orders(asked);
  if (hasFailed(orders)) return orders;
  const forced = await forceOrdersOf(account, asked);
  if (hasFailed(forced)) return forced;
  const known = new Set(orders.map(({ id }) => id));
  const outside = forced.filter(({ id }) => !known.has(id)).map(forcedOrder);
  const all = [...orders, ...outside].sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const forward = startTime !== undefined || from !== undefined;
  return forward ? all.slice(0, limit) : all.slice(-limit);
}
