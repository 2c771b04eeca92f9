// What the engine answers to one command. The records in it are live: who answers a client copies
// what it needs before the next command is applied.

import type { OrderId, Time } from '../units/units.ts';
import type { Account, ApiKey } from './account.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import type { Rejection } from './rejection.ts';

export type Accepted = {
  readonly kind: 'accepted';
  /** Of placeOrder, modifyOrder, cancelOrder. */
  readonly order?: Order;
  /** Of a repeated idempotent request (ID-3): the order may have ended since. */
  readonly repeatedOrder?: { readonly id: OrderId; readonly createdAt: Time };
  /** Of batch, in request order. */
  readonly items?: readonly Outcome[];
  /** Of cancelAllOrders. */
  readonly cancelled?: number;
  /** Of credit, flagAccount, login. */
  readonly account?: Account;
  /** Of createApiKey, updateApiKey, setRateTier, deleteApiKey. */
  readonly apiKey?: ApiKey;
  /** Of listMarket, changeMarket, setLeverage. */
  readonly market?: Market;
  /** Of indexTick: how many prices were new enough to count. */
  readonly prices?: number;
};

export type Rejected = { readonly kind: 'rejected'; readonly rejection: Rejection };

export type Outcome = Accepted | Rejected;

export function rejected(rejection: Rejection): Rejected {
  return { kind: 'rejected', rejection };
}
