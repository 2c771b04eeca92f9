// The state as readers see it: a few figures, and records that are found by number or name. How the
// state keeps them is the engine's own matter.

import { type DirectMap, directGet } from '../../std/directMap.ts';
import type { AccountId, MarketId, OrderId } from '../../units/units.ts';
import type {
  CreditRecord,
  Exchange as ExchangeState,
  Funds,
  Withdrawal as WithdrawalState,
} from '../exchange.ts';
import { liveAccounts } from '../liveAccounts.ts';
import type { Account, ApiKey } from './account.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import { stateOf } from './stateOf.ts';
import type { Trigger } from './trigger.ts';

export type Exchange = Readonly<
  Pick<ExchangeState, 'chainId' | 'time' | 'sequence' | 'feeTiers'>
> & {
  readonly funds: Readonly<Omit<Funds, 'epoch'>>;
};

export type Withdrawal = Readonly<WithdrawalState>;

/** In the order of listing. */
export function marketsOf(exchange: Exchange): readonly Market[] {
  return stateOf.exchange(exchange).markets;
}

export function marketById(exchange: Exchange, id: MarketId): Market | undefined {
  return stateOf.exchange(exchange).markets[id];
}

export function marketBySymbol(exchange: Exchange, symbol: string): Market | undefined {
  const { markets, marketBySymbol: ids } = stateOf.exchange(exchange);
  const id = ids.get(symbol);
  return id === undefined ? undefined : markets[id];
}

/** By number, without the numbers of forgotten ones (AUTH-5a). Cost: a list of them. */
export function accountsOf(exchange: Exchange): readonly Account[] {
  return liveAccounts(stateOf.exchange(exchange));
}

/** Undefined also where an account was forgotten (AUTH-5a). */
export function accountById(exchange: Exchange, id: AccountId): Account | undefined {
  return stateOf.exchange(exchange).accounts[id];
}

export function accountByAddress(exchange: Exchange, address: string): Account | undefined {
  const { accounts, accountByAddress: ids } = stateOf.exchange(exchange);
  const id = ids.get(address);
  return id === undefined ? undefined : accounts[id];
}

/** Of live orders alone. */
export function orderById(exchange: Exchange, id: OrderId): Order | undefined {
  const orders: DirectMap<Order> | ReadonlyMap<OrderId, Order> = stateOf.exchange(exchange).orders;
  // An engine that is kept for its part of the log may have them in a Map.
  return orders instanceof Map ? orders.get(id) : directGet(orders as DirectMap<Order>, id);
}

/** Of triggers that wait or whose order is open. */
export function triggerById(exchange: Exchange, id: OrderId): Trigger | undefined {
  return stateOf.exchange(exchange).triggers.get(id);
}

export function apiKeyByText(exchange: Exchange, apiKey: string): ApiKey | undefined {
  return stateOf.exchange(exchange).apiKeys.get(apiKey);
}

export function allApiKeys(exchange: Exchange): Iterable<ApiKey> {
  return stateOf.exchange(exchange).apiKeys.values();
}

export function creditByReference(
  exchange: Exchange,
  reference: string,
): Readonly<CreditRecord> | undefined {
  return stateOf.exchange(exchange).credits.get(reference);
}

/** Those that wait for the chain (NAT-3), by number. */
export function withdrawalsOf(exchange: Exchange): Iterable<Withdrawal> {
  return stateOf.exchange(exchange).withdrawals.values();
}

export function withdrawalById(exchange: Exchange, id: OrderId): Withdrawal | undefined {
  return stateOf.exchange(exchange).withdrawals.get(id);
}

/** The numbers of the connections whose end would end orders (COD-1). */
export function armedConnections(exchange: Exchange): Iterable<number> {
  return stateOf.exchange(exchange).connections.armed.keys();
}

/** How many records of each kind there are. */
export type Sizes = {
  readonly accounts: number;
  readonly orders: number;
  readonly triggers: number;
  readonly markets: number;
  readonly apiKeys: number;
  readonly withdrawals: number;
  readonly nonces: number;
  /** Whose end would end orders (COD-1). */
  readonly armedConnections: number;
};

export function sizesOf(exchange: Exchange): Sizes {
  const state = stateOf.exchange(exchange);
  return {
    accounts: state.accountByAddress.size,
    orders: state.orders.size,
    triggers: state.triggers.size,
    markets: state.markets.length,
    apiKeys: state.apiKeys.size,
    withdrawals: state.withdrawals.size,
    nonces: state.nonces.size,
    armedConnections: state.connections.armed.size,
  };
}
