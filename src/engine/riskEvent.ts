// The events of prices, liquidations, funding and deliveries (event.ts has the others).

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
import type { Fill } from './fill.ts';
import type { Side } from './orderTypes.ts';

/**
 * The liquidation of an account, or of its isolated position in a market, begins or ends (LIQ-1).
 */
export type LiquidationFlagged = {
  readonly kind: 'liquidationFlagged';
  readonly account: AccountId;
  /** The market of an isolated position; undefined for the whole account. */
  readonly market: MarketId | undefined;
  readonly flagged: boolean;
  readonly equity: Money;
  readonly maintenance: Money;
};

/** The insurance fund took over a part of a position at the price of LIQ-3d. */
export type TakenOver = {
  readonly kind: 'takenOver';
  readonly id: OrderId;
  readonly market: MarketId;
  /** The next number of the market: trades, takeovers and deleveragings share them (ID-1). */
  readonly tradeId: number;
  readonly ticks: Ticks;
  /** The closed lots, above 0, and the side that closed them. */
  readonly lots: Lots;
  readonly side: Side;
  /** In both, `order` is the id of this event. */
  readonly account: Fill;
  readonly fund: Fill;
};

/** Why two accounts' positions were closed against each other (LIQ-4, LIQ-6). */
export type DeleveragingKind = 'deleveraging' | 'fund_reduction';

/** One deleveraging, with the inputs of the counterparty's rank at the mark. */
export type Deleveraged = {
  readonly kind: 'deleveraged';
  readonly cause: DeleveragingKind;
  readonly id: OrderId;
  readonly market: MarketId;
  readonly tradeId: number;
  readonly ticks: Ticks;
  readonly mark: Ticks;
  readonly lots: Lots;
  /** The side that closes the bankrupt's position. */
  readonly side: Side;
  /** Equity and Σ maintenance of what was deleveraged, just before the deleveraging (LIQ-4). */
  readonly marginStatus: { readonly equity: Money; readonly maintenance: Money };
  readonly bankrupt: Fill;
  readonly counterparty: Fill;
  /** Before the deleveraging: unrealised profit, notional at the mark, |entry notional|, equity. */
  readonly rank: {
    readonly unrealized: Money;
    readonly notional: Money;
    readonly entry: Money;
    readonly equity: Money;
  };
};

/** Profit taken from a winner for a deficit that no other account could bear (LIQ-4, SYM-2). */
export type ProfitShared = {
  readonly kind: 'profitShared';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** The amount taken, above 0. */
  readonly amount: Money;
  readonly balance: Money;
};

/** A row of the ledger: the fee of one liquidation step, into the insurance fund (LIQ-3). */
export type LiquidationFeePaid = {
  readonly kind: 'liquidationFeePaid';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly amount: Money;
  readonly balance: Money;
};

/** A boundary was settled, or recorded at rate 0 (FUND-3). Its payments precede it. */
export type FundingSettled = {
  readonly kind: 'fundingSettled';
  readonly market: MarketId;
  readonly boundary: Time;
  readonly rate: Rate;
  readonly mark: Ticks;
};

/** A row of the ledger for every position at a boundary, rate 0 included (FUND-3). */
export type FundingPaid = {
  readonly kind: 'fundingPaid';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly boundary: Time;
  readonly rate: Rate;
  /** The lots that would have accrued as much, held for the whole interval (FUND-1c). */
  readonly lots: Lots;
  /** Negative when paid (FUND-4). */
  readonly amount: Money;
  readonly balance: Money;
};

/**
 * The insurance fund paid the unpaid amount of a payer of funding (FUND-3): a row of the fund's
 * ledger.
 */
export type FundingCovered = {
  readonly kind: 'fundingCovered';
  /** The payer. */
  readonly account: AccountId;
  readonly market: MarketId;
  readonly amount: Money;
};

/** A row of the insurance fund's ledger: its share of a market's trading fees (LIQ-8). */
export type FeesShared = {
  readonly kind: 'feesShared';
  readonly id: OrderId;
  readonly market: MarketId;
  /** Above 0; it repays `shortfall` first (LIQ-4). */
  readonly amount: Money;
  /** Of the fund afterwards. */
  readonly balance: Money;
};

/** One position realised at its market's settlement price (SYM-2). */
export type PositionSettled = {
  readonly kind: 'positionSettled';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly lots: Lots;
  readonly pnl: Money;
  readonly balance: Money;
};

export type MarketSettled = {
  readonly kind: 'marketSettled';
  readonly market: MarketId;
  readonly ticks: Ticks;
};

/** The gate refused an index (PRC-2): raise an alarm when this lasts. */
export type IndexRefused = {
  readonly kind: 'indexRefused';
  readonly market: MarketId;
  readonly ticks: Ticks;
};

/** The mark moved too fast: the market is reduce-only until then (PRC-3). */
export type BreakerTripped = {
  readonly kind: 'breakerTripped';
  readonly market: MarketId;
  readonly until: Time;
};

/** A row of the ledger: others bore the unpaid amount of an account's loss. */
export type LossCovered = {
  readonly kind: 'lossCovered';
  readonly account: AccountId;
  readonly market: MarketId;
  /**
   * The parts borne by the insurance fund, by the market's winners and by no account: together the
   * unpaid amount.
   */
  readonly fund: Money;
  readonly shared: Money;
  readonly shortfall: Money;
};

export type RiskEvent =
  | LiquidationFlagged
  | TakenOver
  | Deleveraged
  | ProfitShared
  | LiquidationFeePaid
  | FundingSettled
  | FundingPaid
  | FundingCovered
  | FeesShared
  | PositionSettled
  | MarketSettled
  | IndexRefused
  | BreakerTripped
  | LossCovered;
