// An account: one wallet of the deployment (spec, model rule 1).

import type { AccountId, MarketId, Money, OrderId, Time } from '../units/units.ts';
import { createPosition, type Position } from './position.ts';

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
  feeTier: number;
  updatedAt: Time;
  /** By market number; undefined where the account never was. */
  readonly positions: (Position | undefined)[];
  /** Live orders by the client's own id (ID-2). */
  readonly clientOrderIds: Map<string, OrderId>;
  /** Remembered idempotency keys (ID-3), oldest first. */
  readonly idempotency: Map<string, Idempotency>;
  /** API keys, by number of creation. */
  readonly apiKeys: ApiKey[];
  epoch: number;
};

export type Idempotency = {
  readonly request: string;
  readonly order: OrderId;
  readonly time: Time;
};

export const apiKeyStatuses = ['active', 'disabled'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

export const rateTiers = ['standard', 'ext-mm', 'house'] as const;
export type RateTier = (typeof rateTiers)[number];

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
    clientOrderIds: new Map(),
    idempotency: new Map(),
    apiKeys: [],
    epoch: 0,
  };
}

/** Available plus frozen: the wallet balance (BAL-1). */
export function balanceOf(account: Account): Money {
  return (account.available + account.freezes + account.collateral) as Money;
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
