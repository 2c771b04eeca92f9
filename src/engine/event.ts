// Every event of the engine: what has happened, in the past tense. Readers (history, streams,
// tickers) compute everything they show from these; nothing in them changes after creation.

import type { AccountId, Lots, MarketId, Money, OrderId, Ticks, Time } from '../units/units.ts';
import type { ApiKeyStatus, RateTier } from './account.ts';
import type { MarketStatus, MarketTerms } from './market.ts';
import type { Order, Side } from './order.ts';
import type { Reason } from './rejection.ts';

export type AccountCreated = {
  readonly kind: 'accountCreated';
  readonly account: AccountId;
  readonly address: string;
};

export type LoggedIn = { readonly kind: 'loggedIn'; readonly account: AccountId };

export type AccountFlagged = {
  readonly kind: 'accountFlagged';
  readonly account: AccountId;
  readonly house: boolean;
  readonly feeTier: number;
};

/** A row of the ledger (BAL-3): money from outside. */
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

/** A reduce-only order was cut to the position that is left (ORD-6). */
export type OrderCut = {
  readonly kind: 'orderCut';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly lots: Lots;
};

/** The order is final; the record never changes again. Its status says how it ended. */
export type OrderEnded = { readonly kind: 'orderEnded'; readonly order: Readonly<Order> };

/** One side of a trade. The ledger's rows of a trade are its pnl and its fee (BAL-3). */
export type Fill = {
  readonly account: AccountId;
  readonly order: OrderId;
  /** Realised PnL, before the fee. */
  readonly pnl: Money;
  /** What was really collected; negative for a rebate. */
  readonly fee: Money;
  /** The account's balance and position after the fill. */
  readonly balance: Money;
  readonly position: Lots;
};

export type Traded = {
  readonly kind: 'traded';
  readonly id: OrderId;
  readonly market: MarketId;
  readonly tradeId: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly takerSide: Side;
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

/** What an account could not pay of a loss fell on the fund, and beyond it on `shortfall`. */
export type LossCovered = {
  readonly kind: 'lossCovered';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly fund: Money;
  readonly shortfall: Money;
};

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

/** A command of the log was rejected; nothing but this event came of it. */
export type Rejected = { readonly kind: 'rejected'; readonly reason: Reason };

export type Event =
  | AccountCreated
  | LoggedIn
  | AccountFlagged
  | Credited
  | OrderPlaced
  | OrderModified
  | OrderCut
  | OrderEnded
  | Traded
  | ProfitRealized
  | LossCovered
  | LeverageSet
  | CountdownSet
  | MarketListed
  | MarketChanged
  | Priced
  | ApiKeyCreated
  | ApiKeyUpdated
  | ApiKeyDeleted
  | Rejected;
