// Every command of the log. A command is a request; the engine decides. Values are already in
// units: the gateway has parsed, floored and normalised them.

import type {
  AccountId,
  Lots,
  MarketId,
  Money,
  OrderId,
  Rate,
  Ticks,
  Time,
} from '../units/units.ts';
import type { ConnectionCommand } from './connectionCommand.ts';
import type { FeeTier } from './feeTier.ts';
import type { ApiKeyStatus, MarginMode, RateTier } from './marginModes.ts';
import type { Grid, IndexSource, MarketStatus, MarketTerms } from './marketTerms.ts';
import type { OrderType, SelfTradeMode, Side, TimeInForce, WorkingType } from './orderTypes.ts';
import type { ReferralCommand } from './referralCommand.ts';
import type { TriggerRoute, TriggerType } from './triggerTypes.ts';
import type { VaultCommand } from './vaultCommand.ts';

/** An order by its id (with the time inside its UUID) or by the client's own id. */
export type OrderReference =
  | { readonly id: OrderId; readonly createdAt: Time }
  | { readonly clientOrderId: string };

/** One leg as a command names it (ATT-1); `ticks` is 0 for a leg that becomes a MARKET order. */
export type LegTerms = { readonly stopTicks: Ticks; readonly ticks: Ticks };

/** The legs of a parent: at least one. */
export type AttachedTerms = {
  readonly takeProfit: LegTerms | undefined;
  readonly stopLoss: LegTerms | undefined;
};

export type PlaceOrder = {
  readonly kind: 'placeOrder';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Whole lots, floored; 0 when `quote` gives the size, or when the quantity is below one lot. */
  readonly lots: Lots;
  /** quoteOrderQty of a MARKET order, else 0. */
  readonly quote: Money;
  /** The limit price; 0 for MARKET. */
  readonly ticks: Ticks;
  readonly reduceOnly: boolean;
  /** undefined: the market's default (ORD-4). */
  readonly selfTradeMode: SelfTradeMode | undefined;
  readonly workingType: WorkingType;
  readonly priceProtect: boolean;
  /** Empty: derived from the id. */
  readonly clientOrderId: string;
  /** Native max_slippage of MARKET (ORD-3); undefined when the client set none. */
  readonly maxSlippage: Rate | undefined;
  /** Not of an order that only reduces. */
  readonly attached?: AttachedTerms | undefined;
  /** Idempotency-Key and request as hashes (ID-3); empty when none was sent. */
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

/** A trigger; fields that its type does not use are 0 (TRG-1 … TRG-5). */
export type PlaceTrigger = {
  readonly kind: 'placeTrigger';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly route: TriggerRoute;
  readonly side: Side;
  readonly type: TriggerType;
  /** GTC, IOC, FOK, GTX of the order that it places. */
  readonly timeInForce: TimeInForce;
  /** Whole lots, floored; 0 with closePosition, or below one lot. */
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly stopTicks: Ticks;
  readonly callbackRate: Rate;
  /** 0: the present mark. */
  readonly activationTicks: Ticks;
  readonly goodTillDate: Time;
  readonly reduceOnly: boolean;
  readonly closePosition: boolean;
  readonly selfTradeMode: SelfTradeMode | undefined;
  readonly workingType: WorkingType;
  readonly priceProtect: boolean;
  readonly clientOrderId: string;
  /** Not of a trigger that only reduces. */
  readonly attached?: AttachedTerms | undefined;
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

/** Ends one waiting trigger of either route, by its id or the client's own. */
export type CancelTrigger = {
  readonly kind: 'cancelTrigger';
  readonly account: AccountId;
  readonly market: MarketId | undefined;
  readonly order: OrderReference;
};

/** Ends every waiting trigger of a route on a market (TRG-2). */
export type CancelAllTriggers = {
  readonly kind: 'cancelAllTriggers';
  readonly account: AccountId;
  /** undefined: on every market. */
  readonly market: MarketId | undefined;
  /** undefined: of both routes. */
  readonly route: TriggerRoute | undefined;
};

/** Changes terms of a waiting trigger of either route (TRG-9); undefined keeps a term. */
export type ModifyTrigger = {
  readonly kind: 'modifyTrigger';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly order: OrderReference;
  /** Whole lots, at least 1. */
  readonly lots: Lots | undefined;
  readonly ticks: Ticks | undefined;
  readonly stopTicks: Ticks | undefined;
  readonly callbackRate: Rate | undefined;
};

export type ModifyOrder = {
  readonly kind: 'modifyOrder';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly order: OrderReference;
  /** When present it must equal the order's side. */
  readonly side: Side | undefined;
  readonly lots: Lots;
  readonly ticks: Ticks;
};

export type CancelOrder = {
  readonly kind: 'cancelOrder';
  readonly account: AccountId;
  /** undefined: an order on any market (native route). */
  readonly market: MarketId | undefined;
  readonly order: OrderReference;
};

export type CancelAllOrders = {
  readonly kind: 'cancelAllOrders';
  readonly account: AccountId;
  /** undefined: on every market. */
  readonly market: MarketId | undefined;
};

/** Independent items at one place of the log; each has its own outcome (ORD-8). */
export type Batch = {
  readonly kind: 'batch';
  readonly items: readonly (PlaceOrder | PlaceTrigger | ModifyOrder | CancelOrder)[];
};

/**
 * Sets the pair that protects a position (ATT-9): terms replace a leg, null removes it, undefined
 * keeps it.
 */
export type SetProtection = {
  readonly kind: 'setProtection';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly takeProfit: LegTerms | null | undefined;
  readonly stopLoss: LegTerms | null | undefined;
};

export type SetLeverage = {
  readonly kind: 'setLeverage';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly leverage: number;
};

/** Starts, replaces or (0) removes the countdown of an account on a market (ORD-13). */
export type SetCountdown = {
  readonly kind: 'setCountdown';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly milliseconds: number;
};

/** One price of one source. */
export type IndexPrice = {
  readonly market: MarketId;
  readonly source: string;
  readonly ticks: Ticks;
  readonly observedAt: Time;
};

export type IndexTick = { readonly kind: 'indexTick'; readonly prices: readonly IndexPrice[] };

export type ListMarket = {
  readonly kind: 'listMarket';
  readonly symbol: string;
  readonly baseAsset: string;
  readonly tick: Grid;
  readonly lot: Grid;
  readonly terms: MarketTerms;
  readonly status: MarketStatus;
};

export type ChangeMarket = {
  readonly kind: 'changeMarket';
  readonly market: MarketId;
  readonly terms: Partial<MarketTerms>;
  readonly status: MarketStatus | undefined;
  /** undefined: not judged, because the command does not come from an operator's request. */
  readonly judged?: JudgedChange | undefined;
};

/**
 * The values by which the operator's request was judged (OPS-4): the engine refuses it when they
 * have changed.
 */
export type JudgedChange = {
  readonly indexSources: readonly IndexSource[];
  readonly markClamp: Rate;
  readonly status: MarketStatus;
  /** Whether the operator has confirmed that accounts may be liquidated at once. */
  readonly mayLiquidate: boolean;
};

export type Credit = {
  readonly kind: 'credit';
  readonly address: string;
  readonly amount: Money;
  readonly reference: string;
};

/** Makes an account's credit smaller and takes the difference back (OPS-1b). */
export type CorrectCredit = {
  readonly kind: 'correctCredit';
  readonly address: string;
  /** The reference of the credit. */
  readonly credit: string;
  /** The new amount of the credit: at least 0, and less than before. */
  readonly amount: Money;
  /** The reference of the correction itself. */
  readonly reference: string;
};

export type FlagAccount = {
  readonly kind: 'flagAccount';
  readonly address: string;
  readonly house: boolean | undefined;
  readonly feeTier: number | undefined;
};

/** A deposit into the insurance fund, once per reference (OPS-1). */
export type CreditInsurance = {
  readonly kind: 'creditInsurance';
  readonly amount: Money;
  readonly reference: string;
};

/** Settles a market's funding now: the boundary is the present (OPS-1). */
export type SettleFunding = { readonly kind: 'settleFunding'; readonly market: MarketId };

export type SetMarginMode = {
  readonly kind: 'setMarginMode';
  readonly account: AccountId;
  readonly mode: MarginMode;
};

/** Moves money between available and an isolated position's collateral (MAR-7). */
export type TransferCollateral = {
  readonly kind: 'transferCollateral';
  readonly account: AccountId;
  readonly market: MarketId;
  /** Positive adds, negative removes. */
  readonly delta: Money;
};

export type RequestWithdrawal = {
  readonly kind: 'requestWithdrawal';
  readonly account: AccountId;
  readonly amount: Money;
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

/**
 * A pending withdrawal has left, or goes back to its account (NAT-3): the operator's word, which
 * counts only without a vault.
 */
export type ResolveWithdrawal = {
  readonly kind: 'resolveWithdrawal';
  readonly id: OrderId;
  readonly action: 'complete' | 'release';
};

/** Replaces the fee table (MAR-6). */
export type SetFeeTiers = { readonly kind: 'setFeeTiers'; readonly tiers: readonly FeeTier[] };

/** A login whose signature the gateway has verified; creates the account (AUTH-5). */
export type Login = {
  readonly kind: 'login';
  readonly address: string;
  readonly nonce: string;
  readonly expiresAt: Time;
  /** The network address of the client, and what it calls itself (AUTH-11). */
  readonly client?: string;
  readonly agent?: string;
};

/** Ends one session of an account, or without one all but `kept`, 0 for none (AUTH-11). */
export type EndSessions = {
  readonly kind: 'endSessions';
  readonly account: AccountId;
  readonly session: { readonly id: OrderId; readonly createdAt: Time } | undefined;
  readonly kept: OrderId;
};

export type CreateApiKey = {
  readonly kind: 'createApiKey';
  readonly account: AccountId;
  readonly apiKey: string;
  readonly profile: string;
};

export type UpdateApiKey = {
  readonly kind: 'updateApiKey';
  readonly account: AccountId;
  readonly id: OrderId;
  readonly createdAt: Time;
  readonly status: ApiKeyStatus | undefined;
  readonly profile: string | undefined;
  /** Beside a profile: the one that it was made from, which must still be in force. Absent: any. */
  readonly before?: string;
};

export type DeleteApiKey = {
  readonly kind: 'deleteApiKey';
  readonly account: AccountId;
  readonly id: OrderId;
  readonly createdAt: Time;
};

export type SetRateTier = {
  readonly kind: 'setRateTier';
  readonly apiKey: string;
  readonly rateTier: RateTier;
};

export type Command =
  | PlaceOrder
  | PlaceTrigger
  | CancelTrigger
  | CancelAllTriggers
  | ModifyTrigger
  | ModifyOrder
  | CancelOrder
  | CancelAllOrders
  | Batch
  | SetProtection
  | SetLeverage
  | SetCountdown
  | IndexTick
  | ListMarket
  | ChangeMarket
  | Credit
  | CorrectCredit
  | CreditInsurance
  | SettleFunding
  | SetMarginMode
  | TransferCollateral
  | RequestWithdrawal
  | ResolveWithdrawal
  | SetFeeTiers
  | ReferralCommand
  | ConnectionCommand
  | VaultCommand
  | FlagAccount
  | Login
  | EndSessions
  | CreateApiKey
  | UpdateApiKey
  | DeleteApiKey
  | SetRateTier;
