// An account: one wallet of the deployment (spec, model rule 1).

import type { AccountId, MarketId, Money, OrderId, Time } from '../units/units.ts';
import {
  type ApiKeyStatus,
  insuranceAccount,
  type MarginMode,
  type RateTier,
} from './marginModes.ts';
import { createPosition, type Position } from './position.ts';
import type { Referral } from './referral.ts';
import type { Session } from './session.ts';
import type { Trigger } from './trigger.ts';

/** What few orders touch stands last, as in a position. */
export type Account = {
  /** Free money. Only ledger.post changes the three buckets (BAL-1). */
  available: Money;
  /** Sum of the freezes of its open orders. */
  freezes: Money;
  /** Sum of the collateral of its positions. */
  collateral: Money;
  /**
   * Σ unified-margin offsets: what orders and positions owe instead of holding it, only in unified
   * mode (MAR-7).
   */
  uncovered: Money;
  /** By market number; undefined for a market that the account has never used. */
  readonly positions: (Position | undefined)[];
  marginMode: MarginMode;
  /**
   * Set by the operator: an internal account, such as a market maker's. Open interest does not
   * count it (FUND-1).
   */
  house: boolean;
  /** null until it has a code or a referrer (NAT-4). */
  referral: Referral | null;
  /**
   * Being liquidated: no order may add risk (LIQ-1). Isolated positions have flags of their own.
   */
  flagged: boolean;
  /** Whether it is in `exchange.dirty`. Transient. */
  dirty: boolean;
  epoch: number;
  updatedAt: Time;
  readonly id: AccountId;
  /** Whether it ever took part in a trade of the book: then it can no longer be bound (NAT-4). */
  traded: boolean;
  readonly volume: Volume;
  /** Live orders by the client's own id (ID-2). */
  readonly clientOrderIds: Map<string, OrderId>;
  /** Idempotency keys in memory (ID-3), oldest first. */
  readonly idempotency: Map<string, Idempotency>;
  /** The fee tier that the operator set: the account never has a lower one (MAR-6). */
  feeTier: number;
  /** The wallet address, `0x` and 40 lower-case hex digits. */
  readonly address: string;
  readonly createdAt: Time;
  /** API keys, by number of creation. */
  readonly apiKeys: ApiKey[];
  /** When the last whole liquidation step was taken, 0 before the first. */
  steppedAt: Time;
  /** Triggers that wait or have a live order, by number. */
  readonly triggers: Trigger[];
  /** The number of those that wait, for a mark or for a parent (ORD-9, ATT-6). */
  waitingTriggers: number;
  /**
   * The number of its withdrawals that wait for the chain (NAT-3). Counted from the list of all.
   */
  waitingWithdrawals: number;
  /** Whether it was ever credited: only then it is kept for ever (AUTH-5a). */
  funded: boolean;
  /** For an account that may be forgotten, the time when its day began; 0 for any other. */
  guestSince: Time;
  /** Its place among the guests. Transient. */
  guestSlot: number;
  /** Its logins, oldest first; expired ones stay until the next login (AUTH-11). */
  readonly sessions: Session[];
  /** The number of its armed connections (COD-3). Counted from the list of all. */
  armedConnections: number;
};

/**
 * The trading volume of an account, for its fee tier (MAR-6). Days are UTC days since the epoch.
 */
export type Volume = {
  day: number;
  today: Money;
  /** The volumes of the fourteen days before `day`, oldest first; empty when there was none. */
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

/** An API key as the engine knows it; secret, label and whitelist lie in the secret store. */
export type ApiKey = {
  /** Number from the sequence; with `createdAt` it makes the UUID on the wire. */
  readonly id: OrderId;
  readonly account: AccountId;
  /** 64 hex characters. */
  readonly apiKey: string;
  readonly createdAt: Time;
  status: ApiKeyStatus;
  rateTier: RateTier;
  /** The row of the secret store with the profile in force. */
  profile: string;
};

export function createAccount(id: AccountId, address: string, time: Time): Account {
  return {
    available: 0 as Money,
    freezes: 0 as Money,
    collateral: 0 as Money,
    uncovered: 0 as Money,
    positions: [],
    marginMode: 'cross',
    house: false,
    referral: null,
    flagged: false,
    dirty: false,
    epoch: 0,
    updatedAt: time,
    id,
    traded: false,
    volume: { day: 0, today: 0 as Money, past: [], tier: 0 },
    clientOrderIds: new Map(),
    idempotency: new Map(),
    feeTier: 0,
    address,
    createdAt: time,
    apiKeys: [],
    steppedAt: 0 as Time,
    triggers: [],
    waitingTriggers: 0,
    waitingWithdrawals: 0,
    funded: false,
    guestSince: 0 as Time,
    guestSlot: -1,
    sessions: [],
    armedConnections: 0,
  };
}

/** Available plus frozen: the wallet balance (BAL-1). */
export function balanceOf(account: Account): Money {
  return (account.available + account.freezes + account.collateral) as Money;
}

/**
 * Whether the account, or the isolated position, is being liquidated: then no order may open
 * (LIQ-1).
 */
export function isFlagged(account: Account, position: Position): boolean {
  return account.marginMode === 'isolated' ? position.flagged : account.flagged;
}

/**
 * The number of its positions with lots. The length of the list is none that may count: a refused
 * or tested order leaves a blank record, which no snapshot has.
 */
export function openPositions({ positions }: Account): number {
  let open = 0;
  for (const position of positions) if (position !== undefined && position.lots !== 0) open += 1;
  return open;
}

/** The account that earns by this account's fees (NAT-4); the fund when there is none. */
export function referrerOf({ house, referral }: Account): AccountId {
  return referral === null || house ? insuranceAccount : referral.referrer;
}

/** The account's record for a market; a blank one is made when there is none yet. */
export function positionIn(account: Account, market: MarketId): Position {
  const found = account.positions[market];
  if (found !== undefined) return found;
  while (account.positions.length < market) account.positions.push(undefined);
  const position = createPosition(account.id, market);
  account.positions[market] = position;
  return position;
}
