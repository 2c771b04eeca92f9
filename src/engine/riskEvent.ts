// What prices, liquidations, funding and deliveries do, as events (event.ts has the others).

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

/** An account, or its isolated position in a market, is being liquidated, or no longer (LIQ-1). */
export type LiquidationFlagged = {
  readonly kind: 'liquidationFlagged';
  readonly account: AccountId;
  /** Of an isolated position; undefined for the whole account. */
  readonly market: MarketId | undefined;
  readonly flagged: boolean;
  readonly equity: Money;
  readonly maintenance: Money;
};

/** The insurance fund took over a part of a position at its bankruptcy price (LIQ-3). */
export type TakenOver = {
  readonly kind: 'takenOver';
  readonly id: OrderId;
  readonly market: MarketId;
  /** The next number of the market: trades, takeovers and deleveragings share them (ID-1). */
  readonly tradeId: number;
  readonly ticks: Ticks;
  /** What was closed, above 0, and the side that closed it. */
  readonly lots: Lots;
  readonly side: Side;
  /** `order` is the id of this event in both. */
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
  /** Equity and Σ maintenance of what was deleveraged, when it came to that (LIQ-4). */
  readonly standing: { readonly equity: Money; readonly maintenance: Money };
  readonly bankrupt: Fill;
  readonly counterparty: Fill;
  /** Before: unrealised profit, notional at the mark, |entry notional|, equity. */
  readonly rank: {
    readonly unrealized: Money;
    readonly notional: Money;
    readonly entry: Money;
    readonly equity: Money;
  };
};

/** Profit taken from a winner for a deficit that nobody else could bear (LIQ-4, SYM-2). */
export type ProfitShared = {
  readonly kind: 'profitShared';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** What was taken, above 0. */
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
  /** The position. */
  readonly lots: Lots;
  /** Negative when paid (FUND-4). */
  readonly amount: Money;
  readonly balance: Money;
};

/** The insurance fund paid what a payer of funding could not (FUND-3): a row of the fund's ledger. */
export type FundingCovered = {
  readonly kind: 'fundingCovered';
  /** The payer. */
  readonly account: AccountId;
  readonly market: MarketId;
  readonly amount: Money;
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

/** The gate refused an index (PRC-2): alarm when it lasts. */
export type IndexRefused = {
  readonly kind: 'indexRefused';
  readonly market: MarketId;
  readonly ticks: Ticks;
};

/** The mark moved too fast: reduce-only until then (PRC-3). */
export type BreakerTripped = {
  readonly kind: 'breakerTripped';
  readonly market: MarketId;
  readonly until: Time;
};

/** A row of the ledger: what an account could not pay of a loss was borne by others. */
export type LossCovered = {
  readonly kind: 'lossCovered';
  readonly account: AccountId;
  readonly market: MarketId;
  /** By the insurance fund, by the market's winners, by nobody: together what lacked. */
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
  | PositionSettled
  | MarketSettled
  | IndexRefused
  | BreakerTripped
  | LossCovered;
