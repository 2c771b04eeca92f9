// An account and its API keys as readers see them. Positions and orders stand in files of their
// own.

import type { Money, OrderId } from '../../units/units.ts';
import {
  type Account as AccountState,
  type ApiKey as ApiKeyState,
  balanceOf as balanceIn,
  isFlagged as isFlaggedIn,
} from '../account.ts';
import {
  type FeeRates,
  feeRatesOf as ratesOf,
  tierOf as tierIn,
  volumeOf as volumeIn,
} from '../clearing/fees.ts';
import type { Session } from '../session.ts';
import type { Exchange } from './exchange.ts';
import type { Market } from './market.ts';
import type { Position } from './position.ts';
import { stateOf } from './stateOf.ts';

export type Account = Readonly<
  Pick<
    AccountState,
    | 'id'
    | 'address'
    | 'createdAt'
    | 'available'
    | 'freezes'
    | 'collateral'
    | 'house'
    | 'feeTier'
    | 'updatedAt'
    | 'marginMode'
    | 'uncovered'
    | 'flagged'
    | 'waitingTriggers'
    | 'waitingWithdrawals'
    | 'funded'
  >
>;

export type ApiKey = Readonly<ApiKeyState>;

/** By number of creation. */
export function apiKeysOf(account: Account): readonly ApiKey[] {
  return stateOf.account(account).apiKeys;
}

/** Its logins that have not ended, oldest first; they may have expired (AUTH-11). */
export function sessionsOf(account: Account): readonly Readonly<Session>[] {
  return stateOf.account(account).sessions;
}

/** Whether the account has this session; 0 stands for a token from before there were any. */
export function hasSession(account: Account, session: OrderId): boolean {
  return session === 0 || stateOf.account(account).sessions.some(({ id }) => id === session);
}

/** Available plus frozen: the wallet balance (BAL-1). */
export function balanceOf(account: Account): Money {
  return balanceIn(stateOf.account(account));
}

/** Whether what the position belongs to is being liquidated: no order may open (LIQ-1). */
export function isFlagged(account: Account, position: Position): boolean {
  return isFlaggedIn(stateOf.account(account), stateOf.position(position));
}

/** The account's fee tier since 00:00 UTC (MAR-6). */
export function tierOf(exchange: Exchange, account: Account): number {
  return tierIn(stateOf.exchange(exchange), stateOf.account(account));
}

/** What the account has traded in the fourteen days before today (MAR-6). */
export function volumeOf(exchange: Exchange, account: Account): Money {
  return volumeIn(stateOf.exchange(exchange), stateOf.account(account));
}

/** The rates that an account pays on a market today; undefined: the market's own, tier 0. */
export function feeRatesOf(
  exchange: Exchange,
  market: Market,
  account: Account | undefined,
): FeeRates {
  return ratesOf(
    stateOf.exchange(exchange),
    stateOf.market(market),
    account && stateOf.account(account),
  );
}
