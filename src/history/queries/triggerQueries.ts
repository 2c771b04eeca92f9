// Triggers of both routes, in any state, each with the order that came from it.

import { parseGeneratedClientOrderId } from '../../engine/clientOrderId.ts';
import {
  type TriggerRoute,
  type TriggerStatus,
  triggerRoutes,
  triggerStatuses,
} from '../../engine/triggerTypes.ts';
import type { AccountId, MarketId, OrderId, Time } from '../../units/units.ts';
import type { HistoryDatabase } from '../historyTables.ts';
import type { OrderRow, TriggerRow } from '../rows.ts';
import { byCreation, lastOfName, type Window } from './rowsInWindow.ts';
import { type CreatedPart, rowsOfParts } from './rowsOfParts.ts';

/** What a trigger's record shows of its order. */
export type DerivedOrder = Pick<OrderRow, 'type' | 'lots' | 'filled' | 'filledNotional'>;

/** null: it has no order. */
export type StoredTrigger = TriggerRow & { readonly derived: DerivedOrder | null };

async function triggers(
  database: HistoryDatabase,
  asked: Window & {
    readonly account: AccountId;
    /** undefined: on every market. */
    readonly market?: MarketId | undefined;
    /** undefined: of any status. */
    readonly status?: TriggerStatus | undefined;
    /** No row is older than this. Unlike `startTime` it leaves the window counted from its end. */
    readonly earliest?: Time | undefined;
  },
): Promise<StoredTrigger[]> {
  const { account, market, status, earliest } = asked;
  const statuses = status === undefined ? triggerStatuses : [status];
  const parts = triggerParts(database, { account, market, routes: triggerRoutes, statuses });
  const recent =
    earliest === undefined ? parts : parts.map((part) => part.where('createdAt', '>=', earliest));
  return withOrders(database, await rowsOfParts(database, 'triggers', recent, asked));
}

/** The account's triggers, one part for each route and status. */
export function triggerParts(
  database: HistoryDatabase,
  asked: {
    readonly account: AccountId;
    /** undefined: on every market. */
    readonly market: MarketId | undefined;
    readonly routes: readonly TriggerRoute[];
    readonly statuses: readonly TriggerStatus[];
  },
): CreatedPart<'triggers'>[] {
  const { account, market, routes, statuses } = asked;
  const ofAll = database.selectFrom('triggers').select(byCreation).where('account', '=', account);
  const chosen = market === undefined ? ofAll : ofAll.where('market', '=', market);
  return routes.flatMap((route) =>
    statuses.map((status) => chosen.where('route', '=', route).where('status', '=', status)),
  );
}

/** The account's trigger of this number. */
async function triggerById(
  database: HistoryDatabase,
  { account, id }: { readonly account: AccountId; readonly id: OrderId },
): Promise<StoredTrigger | null> {
  const row = await database
    .selectFrom('triggers')
    .selectAll()
    .where('id', '=', id)
    .where('account', '=', account)
    .executeTakeFirst();
  return row === undefined ? null : (await withOrders(database, [row]))[0]!;
}

/** The account's last trigger with that name. */
async function triggerByClientId(
  database: HistoryDatabase,
  { account, clientOrderId }: { readonly account: AccountId; readonly clientOrderId: string },
): Promise<StoredTrigger | null> {
  const query = database
    .selectFrom('triggers')
    .selectAll()
    .where('account', '=', account)
    .where('clientOrderId', '=', clientOrderId);
  const rows = await lastOfName(query, 1);
  if (rows.length > 0) return (await withOrders(database, rows))[0]!;
  const id = parseGeneratedClientOrderId(clientOrderId);
  const trigger = id === undefined ? null : await triggerById(database, { account, id });
  return trigger?.clientOrderId === '' ? trigger : null;
}

async function withOrders(
  database: HistoryDatabase,
  rows: readonly TriggerRow[],
): Promise<StoredTrigger[]> {
  const ids = rows.map(({ order }) => order).filter((order) => order !== 0);
  const orders =
    ids.length === 0
      ? []
      : await database
          .selectFrom('orders')
          .select(['id', 'type', 'lots', 'filled', 'filledNotional'])
          .where('id', 'in', ids)
          .execute();
  const byId = new Map(orders.map(({ id, ...order }) => [id, order]));
  return rows.map((row) => ({ ...row, derived: byId.get(row.order) ?? null }));
}

export const triggerQueries = { triggers, triggerById, triggerByClientId } as const;
