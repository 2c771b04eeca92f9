// The engine's answer to one command. The records in it are live: copy what a client's answer needs
// before the next command is applied.

import type { Money, OrderId, Time } from '../units/units.ts';
import type { Rejection } from './rejection.ts';
import type { Session } from './session.ts';
import type { Account, ApiKey } from './views/account.ts';
import type { Withdrawal } from './views/exchange.ts';
import type { Market } from './views/market.ts';
import type { Order } from './views/order.ts';
import type { Trigger } from './views/trigger.ts';

export type Accepted = {
  readonly kind: 'accepted';
  /** Of placeOrder, modifyOrder, cancelOrder. */
  readonly order?: Order;
  /** Of placeTrigger, modifyTrigger, cancelTrigger, and cancelOrder when it found a trigger. */
  readonly trigger?: Trigger;
  /** Of setProtection: those in force. */
  readonly legs?: readonly Trigger[];
  /** Of requestWithdrawal, resolveWithdrawal. */
  readonly withdrawal?: Withdrawal;
  /** Of a repeated idempotent request (ID-3): the thing that it made may have ended since. */
  readonly repeated?: {
    readonly kind: 'order' | 'trigger' | 'withdrawal';
    readonly id: OrderId;
    readonly createdAt: Time;
  };
  /** Of batch, in request order. */
  readonly items?: readonly Outcome[];
  /** Of cancelAllOrders, cancelAllTriggers, endSessions: their number. */
  readonly cancelled?: number;
  /** Of claimReferral: what became available. */
  readonly amount?: Money;
  /** Of credit, flagAccount, login. */
  readonly account?: Account;
  /** Of login. */
  readonly session?: Session;
  /** Of createApiKey, updateApiKey, setRateTier, deleteApiKey. */
  readonly apiKey?: ApiKey;
  /** Of listMarket, changeMarket, setLeverage. */
  readonly market?: Market;
  /** Of indexTick: the number of prices that were new enough to count. */
  readonly prices?: number;
};

export type Rejected = { readonly kind: 'rejected'; readonly rejection: Rejection };

export type Outcome = Accepted | Rejected;

export function rejected(rejection: Rejection): Rejected {
  return { kind: 'rejected', rejection };
}
