// An account: one wallet of the deployment (spec, model rule 1).

import type { AccountId, MarketId, Money, OrderId, Time } from '../units/units.ts';
import type { ApiKeyStatus, MarginMode, RateTier } from './marginModes.ts';
import { createPosition, type Position } from './position.ts';
import type { Trigger } from './trigger.ts';

/** What few orders touch stands last, as in a position. */
export type Account = {
  readonly id: AccountId;
  /** The wallet address, `0x` and 40 lower-case hex digits. */
  readonly address: string;
  readonly createdAt: Time;
  /** Free money. The three buckets change through ledger.post only (BAL-1). */
  available: Money;
  /** Sum of the freezes of its open orders. */
  freezes: Money;
  /** Sum of the collateral of its positions. */
  collateral: Money;
  /** Set by the operator: a market maker of the house, not counted in open interest (FUND-1). */
  house: boolean;
  /** The operator's fee tier: the lowest that the account has (MAR-6). */
  feeTier: number;
  updatedAt: Time;
  /** By market number; undefined where the account never was. */
  readonly positions: (Position | undefined)[];
  marginMode: MarginMode;
  /** Σ of what orders and positions owe instead of holding it: unified mode only (MAR-7). */
  uncovered: Money;
  /** Being liquidated: no order may add risk (LIQ-1). Isolated positions have their own flag. */
  flagged: boolean;
  /** Whether it stands among `exchange.dirty`. Transient. */
  dirty: boolean;
  /** Live orders by the client's own id (ID-2). */
  readonly clientOrderIds: Map<string, OrderId>;
  /** Remembered idempotency keys (ID-3), oldest first. */
  readonly idempotency: Map<string, Idempotency>;
  /** API keys, by number of creation. */
  readonly apiKeys: ApiKey[];
  epoch: number;
  /** When the last whole liquidation step was taken, 0 before the first. */
  steppedAt: Time;
  readonly volume: Volume;
  /** Triggers that wait or whose order lives, by number. */
  readonly triggers: Trigger[];
  /** Those of them that wait (ORD-9). */
  waitingTriggers: number;
  /** Its withdrawals that wait for the chain (NAT-3). Counted from the list of all. */
  waitingWithdrawals: number;
  /** Whether it was ever credited: only then is it kept for good (AUTH-5a). */
  funded: boolean;
  /** Of an account that may be forgotten, the time its day began; 0 of any other. */
  guestSince: Time;
  /** Its place among the guests. Transient. */
  guestSlot: number;
};

/** What an account has traded, for its fee tier (MAR-6). Days are UTC days since the epoch. */
export type Volume = {
  day: number;
  today: Money;
  /** Of the fourteen days before `day`, oldest first; empty when there was nothing. */
  past: readonly Money[];
  /** The tier that `past` gives. */
  tier: number;
};

export type Idempotency = {
  readonly request: string;
  readonly kind: 'order' | 'trigger' | 'withdrawal';
  readonly order: OrderId;
  readonly time: Time;
};

/** An API key as the engine knows it; secret, label and whitelist lie in the vault. */
export type ApiKey = {
  /** Number from the sequence; with `createdAt` it makes the UUID of the wire. */
  readonly id: OrderId;
  readonly account: AccountId;
  /** 64 hex characters. */
  readonly apiKey: string;
  readonly createdAt: Time;
  status: ApiKeyStatus;
  rateTier: RateTier;
  /** The vault's profile row in force. */
  profile: string;
};

export function createAccount(id: AccountId, address: string, time: Time): Account {
  return {
    id,
    address,
    createdAt: time,
    available: 0 as Money,
    freezes: 0 as Money,
    collateral: 0 as Money,
    house: false,
    feeTier: 0,
    updatedAt: time,
    positions: [],
    marginMode: 'cross',
    uncovered: 0 as Money,
    flagged: false,
    dirty: false,
    clientOrderIds: new Map(),
    idempotency: new Map(),
    apiKeys: [],
    epoch: 0,
    steppedAt: 0 as Time,
    volume: { day: 0, today: 0 as Money, past: [], tier: 0 },
    triggers: [],
    waitingTriggers: 0,
    waitingWithdrawals: 0,
    funded: false,
    guestSince: 0 as Time,
    guestSlot: -1,
  };
}

/** Available plus frozen: the wallet balance (BAL-1). */
export function balanceOf(account: Account): Money {
  return (account.available + account.freezes + account.collateral) as Money;
}

/** Whether what the position belongs to is being liquidated: no order may open (LIQ-1). */
export function isFlagged(account: Account, position: Position): boolean {
  return account.marginMode === 'isolated' ? position.flagged : account.flagged;
}

/** The account's record for a market, made blank when it has none yet. */
export function positionIn(account: Account, market: MarketId): Position {
  const found = account.positions[market];
  if (found !== undefined) return found;
  while (account.positions.length < market) account.positions.push(undefined);
  const position = createPosition(account.id, market);
  account.positions[market] = position;
  return position;
}
