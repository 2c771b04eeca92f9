// Orders of accounts in any state, and triggers of the order route as long as they have no order
// (TRG-2): lists by creation, and one by either id. An order that came from a trigger comes with
// it, because its record shows the trigger's type and prices.

import { parseGeneratedClientOrderId } from '../../engine/clientOrderId.ts';
import { type OrderStatus, orderStatuses } from '../../engine/orderTypes.ts';
import type { TriggerStatus } from '../../engine/triggerTypes.ts';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import type { AccountId, MarketId, OrderId } from '../../units/units.ts';
import type { HistoryDatabase } from '../historyTables.ts';
import type { OrderRow, TriggerRow } from '../rows.ts';
import { byCreation, isForward, lastOfName, namesakesMax, readTogether } from './rowsInWindow.ts';
import { rowsOfParts } from './rowsOfParts.ts';
import { triggerParts } from './triggerQueries.ts';

export type StoredOrder = Omit<OrderRow, 'trigger'> & { readonly trigger: TriggerRow | null };

/** An order, or a trigger of the order route that has no order. */
export type StoredOrderOrTrigger = StoredOrder | TriggerRow;

export type OrdersAsked = RowWindow & {
  readonly account: AccountId;
  /** undefined: any status. */
  readonly status?: OrderStatus | undefined;
};

/** The states of a trigger without an order that appear as an order of this status (TRG-2). */
const unfired: Record<OrderStatus, readonly TriggerStatus[]> = {
  NEW: ['NEW'],
  PARTIALLY_FILLED: [],
  FILLED: [],
  CANCELED: ['CANCELED', 'EXPIRED'],
  REJECTED: ['FAILED'],
};
const unfiredStatuses = Object.values(unfired).flat();

async function orders(
  database: HistoryDatabase,
  asked: OrdersAsked,
): Promise<StoredOrderOrTrigger[]> {
  // From one state of the tables: a trigger that fires between two reads would appear as an order
  // in one list and as waiting in the other.
  return readTogether(database, async (together) => {
    const found = await ordersAsked(together, asked);
    const waiting = await triggersAsked(together, asked);
    const both = [...(await withTriggers(together, found)), ...waiting].sort(
      (a, b) => a.createdAt - b.createdAt || a.id - b.id,
    );
    return isForward(asked) ? both.slice(0, asked.limit) : both.slice(-asked.limit);
  });
}

function ordersAsked(database: HistoryDatabase, asked: OrdersAsked): Promise<OrderRow[]> {
  const { account, market, status } = asked;
  const statuses = status === undefined ? orderStatuses : [status];
  const parts = statuses.map((each) => {
    const part = database
      .selectFrom('orders')
      .select(byCreation)
      .where('account', '=', account)
      .where('status', '=', each);
    return market === undefined ? part : part.where('market', '=', market);
  });
  return rowsOfParts(database, 'orders', parts, asked);
}

async function triggersAsked(database: HistoryDatabase, asked: OrdersAsked): Promise<TriggerRow[]> {
  const { account, market, status } = asked;
  const statuses = status === undefined ? unfiredStatuses : unfired[status];
  if (statuses.length === 0) return [];
  const parts = triggerParts(database, { account, market, routes: ['order'], statuses });
  return rowsOfParts(database, 'triggers', parts, asked);
}

/** Whether the trigger appears as an order: it is of the order route and has none. */
function isUnfired({ route, status }: TriggerRow): boolean {
  return route === 'order' && unfiredStatuses.includes(status);
}

/** The terms of a trigger that has fired never change, so it may be read after its order. */
async function withTriggers(
  database: HistoryDatabase,
  rows: readonly OrderRow[],
): Promise<StoredOrder[]> {
  const ids = rows.map(({ trigger }) => trigger).filter((trigger) => trigger !== 0);
  const triggers =
    ids.length === 0
      ? []
      : await database.selectFrom('triggers').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(triggers.map((trigger) => [trigger.id, trigger]));
  return rows.map((row) => ({ ...row, trigger: byId.get(row.trigger) ?? null }));
}

/** The order of this number, of any account; null: it never existed. */
async function orderById(
  database: HistoryDatabase,
  { id }: { readonly id: OrderId },
): Promise<StoredOrderOrTrigger | null> {
  // Read the trigger first: if it fires in between, its order exists when it is looked up.
  const trigger = await database
    .selectFrom('triggers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  const order = await database
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (order === undefined) return trigger !== undefined && isUnfired(trigger) ? trigger : null;
  return (await withTriggers(database, [order]))[0]!;
}

/**
 * The account's last order with that name, on that market if one is given; null also when it is not
 * among the last `namesakesMax` of that name.
 */
async function orderByClientId(
  database: HistoryDatabase,
  asked: {
    readonly account: AccountId;
    readonly clientOrderId: string;
    readonly market?: MarketId | undefined;
  },
): Promise<StoredOrderOrTrigger | null> {
  const { account, clientOrderId, market } = asked;
  const fits = (row: OrderRow | TriggerRow): boolean =>
    market === undefined || row.market === market;
  const triggers = database
    .selectFrom('triggers')
    .selectAll()
    .where('account', '=', account)
    .where('clientOrderId', '=', clientOrderId);
  const orders = database
    .selectFrom('orders')
    .selectAll()
    .where('account', '=', account)
    .where('clientOrderId', '=', clientOrderId);
  const trigger = (await lastOfName(triggers, namesakesMax)).find(
    (each) => isUnfired(each) && fits(each),
  );
  const order = (await lastOfName(orders, namesakesMax)).find(fits);
  if (order === undefined && trigger === undefined) return orderOfGenerated(database, asked);
  if (order === undefined || (trigger !== undefined && trigger.id > order.id)) return trigger!;
  return (await withTriggers(database, [order]))[0]!;
}

/** An id that the client did not send is derived from the order's number, and contains it. */
async function orderOfGenerated(
  database: HistoryDatabase,
  { account, clientOrderId }: { readonly account: AccountId; readonly clientOrderId: string },
): Promise<StoredOrderOrTrigger | null> {
  const id = parseGeneratedClientOrderId(clientOrderId);
  const order = id === undefined ? null : await orderById(database, { id });
  return order?.account === account && order.clientOrderId === '' ? order : null;
}

export const orderQueries = { orders, orderById, orderByClientId } as const;
