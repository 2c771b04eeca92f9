// Finding a live order of an account by either id (ID-2).

import { directGet } from '../std/directMap.ts';
import type { MarketId, OrderId } from '../units/units.ts';
import type { Account } from './account.ts';
import { parseGeneratedClientOrderId } from './clientOrderId.ts';
import type { OrderReference } from './command.ts';
import type { Exchange } from './exchange.ts';
import type { Order } from './order.ts';

/** The live order, if it belongs to this account and, when a market is given, to that market. */
export function findOrder(
  exchange: Exchange,
  account: Account,
  reference: OrderReference,
  market?: MarketId,
): Order | undefined {
  const id = 'id' in reference ? reference.id : idOf(account, reference.clientOrderId);
  const order = id === undefined ? undefined : directGet(exchange.orders, id);
  if (order === undefined || order.account !== account.id) return undefined;
  if (market !== undefined && order.market !== market) return undefined;
  if ('id' in reference) return order.createdAt === reference.createdAt ? order : undefined;
  const given = order.clientOrderId;
  return given === '' || given === reference.clientOrderId ? order : undefined;
}

function idOf(account: Account, clientOrderId: string): OrderId | undefined {
  const given = account.clientOrderIds.get(clientOrderId);
  return given ?? parseGeneratedClientOrderId(clientOrderId);
}
