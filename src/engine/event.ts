// Every event of the engine: what has happened, in the past tense. Readers (history, streams,
// tickers) compute everything they show from events. An event never changes after creation.

import type { AccountId, Lots, MarketId, Money, OrderId, Ticks, Time } from '../units/units.ts';
import type { ConnectionEvent } from './connectionEvent.ts';
import type { FeeTier } from './feeTier.ts';
import type { Fill } from './fill.ts';
import type { ApiKeyStatus, MarginMode, RateTier } from './marginModes.ts';
import type { MarketStatus, MarketTerms } from './marketTerms.ts';
import type { Side } from './orderTypes.ts';
import type { ReferralTerms } from './referral.ts';
import type { Reason } from './rejection.ts';
import type { RiskEvent } from './riskEvent.ts';
import type { VaultEvent } from './vaultEvent.ts';
import type { Order } from './views/order.ts';
import type { Trigger } from './views/trigger.ts';

/**
 * An account that is kept for ever, because its wallet was credited for the first time (AUTH-5a).
 */
export type AccountCreated = {
  readonly kind: 'accountCreated';
  readonly account: AccountId;
  readonly address: string;
};

/** An unknown wallet has logged in: its account is forgotten unless something keeps it. */
export type GuestCreated = {
  readonly kind: 'guestCreated';
  readonly account: AccountId;
  readonly address: string;
};

/** The number belongs to no account any more, and another account will get it. */
export type AccountForgotten = {
  readonly kind: 'accountForgotten';
  readonly account: AccountId;
};

export type LoggedIn = { readonly kind: 'loggedIn'; readonly account: AccountId };

/** The token of this session gives no access any more (AUTH-11). */
export type SessionEnded = {
  readonly kind: 'sessionEnded';
  readonly account: AccountId;
  readonly id: OrderId;
};

export type AccountFlagged = {
  readonly kind: 'accountFlagged';
  readonly account: AccountId;
  readonly house: boolean;
  readonly feeTier: number;
};

/** A row of the ledger (BAL-3): a deposit; below zero when a credit is corrected. */
export type Credited = {
  readonly kind: 'credited';
  readonly account: AccountId;
  readonly amount: Money;
  readonly balance: Money;
  readonly reference: string;
  readonly id: OrderId;
};

/** An order was accepted; its fills and its end follow as events of their own. */
export type OrderPlaced = {
  readonly kind: 'orderPlaced';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly clientOrderId: string;
};

export type OrderModified = {
  readonly kind: 'orderModified';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly ticksBefore: Ticks;
  readonly lotsBefore: Lots;
  readonly ticks: Ticks;
  readonly lots: Lots;
};

/** A reduce-only order was cut to the remaining position (ORD-6). */
export type OrderCut = {
  readonly kind: 'orderCut';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly lots: Lots;
};

/** The order is final; the record never changes again. Its status is the way in which it ended. */
export type OrderEnded = { readonly kind: 'orderEnded'; readonly order: Readonly<Order> };

export type Traded = {
  readonly kind: 'traded';
  readonly id: OrderId;
  readonly market: MarketId;
  readonly tradeId: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly takerSide: Side;
  /** Whether the exchange itself was the taker: such a trade never enters the mark (PRC-1). */
  readonly liquidation: boolean;
  readonly taker: Fill;
  readonly maker: Fill;
};

/** Unrealised profit became balance to pay a debt (BAL-4): a REALIZED_PNL row. */
export type ProfitRealized = {
  readonly kind: 'profitRealized';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly amount: Money;
  readonly balance: Money;
};

/** A trigger waits. Its record stays live: copy what must not change. */
export type TriggerPlaced = { readonly kind: 'triggerPlaced'; readonly trigger: Readonly<Trigger> };

/** A waiting trigger has new terms and waits anew (TRG-9). Its record stays live, as above. */
export type TriggerModified = {
  readonly kind: 'triggerModified';
  readonly trigger: Readonly<Trigger>;
};

/** A leg has other lots, or begins or ceases to wait (ATT-3). */
export type TriggerResized = {
  readonly kind: 'triggerResized';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** 0 while it is PENDING. */
  readonly lots: Lots;
};

/** A trigger's price was reached and its order accepted; the order's own events follow. */
export type TriggerFired = {
  readonly kind: 'triggerFired';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** The order that it places. */
  readonly order: OrderId;
  readonly mark: Ticks;
};

/**
 * A trigger that only reduces was tried, and its order could fill nothing: it waits and is tried
 * again (TRG-8).
 */
export type TriggerTried = {
  readonly kind: 'triggerTried';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly reason: Reason;
  /** The cost of the try for the engine, in units of work (ORD-14). */
  readonly work: number;
};

/**
 * The trigger is final; the record never changes again. Its status is the way in which it ended.
 */
export type TriggerEnded = { readonly kind: 'triggerEnded'; readonly trigger: Readonly<Trigger> };

/** A deposit into the insurance fund (OPS-1). */
export type InsuranceCredited = {
  readonly kind: 'insuranceCredited';
  readonly id: OrderId;
  readonly amount: Money;
  readonly balance: Money;
  readonly reference: string;
};

export type WithdrawalRequested = {
  readonly kind: 'withdrawalRequested';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly amount: Money;
  readonly balance: Money;
};

export type WithdrawalResolved = {
  readonly kind: 'withdrawalResolved';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly amount: Money;
  readonly balance: Money;
  /** Whether it left for good; else it went back. */
  readonly completed: boolean;
};

export type MarginModeSet = {
  readonly kind: 'marginModeSet';
  readonly account: AccountId;
  readonly mode: MarginMode;
};

export type CollateralTransferred = {
  readonly kind: 'collateralTransferred';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly delta: Money;
  /** The position's collateral after the transfer. */
  readonly collateral: Money;
};

export type FeeTiersSet = { readonly kind: 'feeTiersSet'; readonly tiers: readonly FeeTier[] };

export type ReferralCodeSet = {
  readonly kind: 'referralCodeSet';
  readonly account: AccountId;
  readonly code: string;
};

export type ReferralBound = {
  readonly kind: 'referralBound';
  readonly account: AccountId;
  readonly referrer: AccountId;
};

/**
 * A share of a referee's fee of one fill. No balance changes until the referrer claims it (NAT-4).
 */
export type ReferralAccrued = {
  readonly kind: 'referralAccrued';
  /** The referrer. */
  readonly account: AccountId;
  readonly referee: AccountId;
  readonly market: MarketId;
  readonly amount: Money;
  /** The UTC day, since the epoch, and what has accrued for the referrer on it so far. */
  readonly day: number;
  readonly today: Money;
};

/** A row of the ledger (BAL-3): what had accrued became available. */
export type ReferralClaimed = {
  readonly kind: 'referralClaimed';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly amount: Money;
  readonly balance: Money;
};

export type ReferralTermsSet = {
  readonly kind: 'referralTermsSet';
  readonly terms: ReferralTerms;
};

export type ReferralEvent =
  | ReferralCodeSet
  | ReferralBound
  | ReferralAccrued
  | ReferralClaimed
  | ReferralTermsSet;

export type LeverageSet = {
  readonly kind: 'leverageSet';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly leverage: number;
};

export type CountdownSet = {
  readonly kind: 'countdownSet';
  readonly account: AccountId;
  readonly market: MarketId;
  /** 0: removed. */
  readonly expiresAt: Time;
};

export type MarketListed = {
  readonly kind: 'marketListed';
  readonly market: MarketId;
  readonly symbol: string;
  readonly terms: MarketTerms;
  readonly status: MarketStatus;
};

export type MarketChanged = {
  readonly kind: 'marketChanged';
  readonly market: MarketId;
  readonly terms: MarketTerms;
  readonly status: MarketStatus;
};

export type Priced = {
  readonly kind: 'priced';
  readonly market: MarketId;
  readonly index: Ticks;
  readonly mark: Ticks;
};

export type ApiKeyCreated = {
  readonly kind: 'apiKeyCreated';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly apiKey: string;
};

export type ApiKeyUpdated = {
  readonly kind: 'apiKeyUpdated';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly apiKey: string;
  readonly status: ApiKeyStatus;
  readonly rateTier: RateTier;
  readonly profile: string;
};

export type ApiKeyDeleted = {
  readonly kind: 'apiKeyDeleted';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly apiKey: string;
};

/** A command of the log was rejected; this event is its only effect. */
export type Rejected = { readonly kind: 'rejected'; readonly reason: Reason };

export type Event =
  | AccountCreated
  | GuestCreated
  | AccountForgotten
  | LoggedIn
  | SessionEnded
  | AccountFlagged
  | Credited
  | OrderPlaced
  | OrderModified
  | OrderCut
  | OrderEnded
  | Traded
  | ProfitRealized
  | TriggerPlaced
  | TriggerResized
  | TriggerModified
  | TriggerFired
  | TriggerTried
  | TriggerEnded
  | RiskEvent
  | InsuranceCredited
  | WithdrawalRequested
  | WithdrawalResolved
  | MarginModeSet
  | CollateralTransferred
  | FeeTiersSet
  | ReferralEvent
  | LeverageSet
  | CountdownSet
  | ConnectionEvent
  | VaultEvent
  | MarketListed
  | MarketChanged
  | Priced
  | ApiKeyCreated
  | ApiKeyUpdated
  | ApiKeyDeleted
  | Rejected;
