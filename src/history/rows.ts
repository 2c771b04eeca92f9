// The rows of history, one type for each table: whole numbers in the units of the engine (ticks,
// lots, 1e-6 USDT, 1e-8, milliseconds), with the field's names. tables.ts has their tables, keys
// and indexes; takeStep.ts the events from which they come. Rows that memory holds too are defined
// by the views (market-data/).

import type { MarketStatus } from '../engine/marketTerms.ts';
import type { Side } from '../engine/orderTypes.ts';
import type { Order } from '../engine/views/order.ts';
import type { LegColumns, TriggerRecord } from '../engine/views/trigger.ts';
import type { Deleveraging } from '../market-data/deleveragings.ts';
import type { ForceOrder } from '../market-data/forceOrders.ts';
import type { CandleKind } from '../market-data/marketData.ts';
import type { SettledBoundary } from '../market-data/settledFunding.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import type { NativeInterval } from '../units/interval.ts';
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

export type AccountRow = {
  readonly id: AccountId;
  readonly address: string;
  readonly createdAt: Time;
};

/** A market in its present state: what converts ticks and lots into prices and quantities. */
export type MarketRow = {
  readonly id: MarketId;
  readonly symbol: string;
  /** Decimals. */
  readonly tickSize: string;
  readonly lotSize: string;
  readonly status: MarketStatus;
};

/** An order in its last state, live or ended. */
export type OrderRow = Omit<Order, 'trigger' | 'legs' | 'freeze' | 'uncovered' | 'priority'> & {
  /** The trigger from which it came; 0: none. */
  readonly trigger: OrderId;
} & LegColumns;

/** A trigger in its last state. */
export type TriggerRow = TriggerRecord;

/** The kinds of events that make a fill. */
export const fillKinds = ['trade', 'takeover', 'deleveraging', 'fund_reduction'] as const;
export type FillKind = (typeof fillKinds)[number];

/** One side of a trade, or of another close of a position. */
export type FillRow = {
  readonly account: AccountId;
  readonly market: MarketId;
  /** The next number of the market. */
  readonly tradeId: number;
  /**
   * Whether this side rested in the book; for a takeover or a deleveraging: whether it took the
   * position over.
   */
  readonly maker: boolean;
  readonly kind: FillKind;
  readonly side: Side;
  /** The number of an order, or of the takeover or deleveraging itself. */
  readonly order: OrderId;
  /** When the thing numbered `order` was made: with the number it makes the UUID. */
  readonly orderCreatedAt: Time;
  readonly orderType: Order['type'];
  /** The mark when the order was placed, for the measure of slippage. */
  readonly markAtCreation: Ticks;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly notional: Money;
  /** Before the fee. */
  readonly pnl: Money;
  /** Negative for a rebate. */
  readonly fee: Money;
  /** The position after the fill. */
  readonly position: Lots;
  /** The number of the trade, takeover or deleveraging; with `time` it makes tranId. */
  readonly event: OrderId;
  /** The number of its first row of the ledger; if it has none, the number of the next row. */
  readonly ledgerId: number;
  /** The balance after those rows; 0 when there are none. */
  readonly balance: Money;
  readonly time: Time;
};

/** A public trade. */
export type TradeRow = {
  readonly market: MarketId;
  readonly tradeId: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly takerSide: Side;
  readonly liquidation: boolean;
  /** Trades of one order at one price and time make an aggregate. */
  readonly aggregateId: number;
  readonly time: Time;
};

/** What changed a balance (BAL-3). */
export const ledgerKinds = [
  'deposit',
  'withdrawal',
  'withdrawal_released',
  'realized_pnl',
  'fee',
  'funding',
  'liquidation_fee',
  'settlement',
  'deficit_shared',
  'loss_covered',
  'insurance_income',
  'insurance_payment',
  'referral',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/**
 * A change of a balance. The rows of an account sum up to its balance, and so do those of the
 * insurance fund. Rows that come from a fill have numbers like all others but are not stored. They
 * are made again from the fill, first `realized_pnl`, then `fee`, each only when it is not 0
 * (placeFills.ts).
 */
export type LedgerRow = {
  /** Rows are numbered from 1 in the order of the log; a rebuild gives the same numbers. */
  readonly id: number;
  readonly account: AccountId;
  readonly kind: LedgerKind;
  /** -1: no market. */
  readonly market: MarketId;
  readonly amount: Money;
  /** The balance after the change. */
  readonly balance: Money;
  /** The event's number, which with `time` makes tranId; 0: none. */
  readonly event: OrderId;
  /** 0: no trade. */
  readonly tradeId: number;
  /** The operator's or the chain's reference of a deposit, else empty. */
  readonly reference: string;
  readonly time: Time;
};

/** `second`: 1 for the maker's side of a trade with oneself (ORD-4), 0 for every other row. */
export type ReportedLedgerRow = LedgerRow & { readonly second: number };

/** A row that comes from no fill, and so from no trade. */
export type OwnLedgerRow = Omit<LedgerRow, 'tradeId'>;

/** A change of an order by its owner. */
export type AmendmentRow = {
  /** Numbered like the rows of the ledger, in a sequence of its own. */
  readonly id: number;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly order: OrderId;
  readonly orderCreatedAt: Time;
  readonly clientOrderId: string;
  readonly ticksBefore: Ticks;
  readonly lotsBefore: Lots;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly time: Time;
};

/** `count` says which amendment of its order it is, from 1 to `amendmentsCountedMax`. */
export type CountedAmendment = AmendmentRow & { readonly count: number };

/** What a position paid or received at a boundary (FUND-3). */
export type FundingPaymentRow = {
  /** The event's number: with `time` it makes tranId. */
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly boundary: Time;
  readonly rate: Rate;
  /** The position. */
  readonly lots: Lots;
  /** Negative when paid. */
  readonly amount: Money;
  readonly time: Time;
};

export type DepositRow = {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly amount: Money;
  readonly reference: string;
  readonly time: Time;
};

/** What has accrued for a referrer on a UTC day (NAT-4d). */
export type ReferralDayRow = {
  readonly account: AccountId;
  /** The day's beginning. */
  readonly day: Time;
  readonly amount: Money;
};

/** A closed candle. */
export type CandleRow = {
  readonly market: MarketId;
  readonly kind: CandleKind;
  readonly interval: NativeInterval;
  readonly openTime: Time;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Lots and money: they may exceed a safe integer, so they are whole numbers as text. */
  readonly volume: string;
  readonly quoteVolume: string;
  readonly count: number;
  /** -1 without trades. */
  readonly firstId: number;
  readonly lastId: number;
};

/** The row type of each table, by the table's name. */
export type RowsByTable = {
  readonly accounts: AccountRow;
  readonly markets: MarketRow;
  readonly orders: OrderRow;
  readonly triggers: TriggerRow;
  readonly fills: FillRow;
  readonly trades: TradeRow;
  readonly ledger: OwnLedgerRow;
  readonly amendments: AmendmentRow;
  readonly fundingPayments: FundingPaymentRow;
  readonly fundingRates: SettledBoundary;
  readonly forceOrders: ForceOrder;
  readonly deleveragings: Deleveraging;
  readonly withdrawals: WithdrawalRow;
  readonly deposits: DepositRow;
  readonly referralDays: ReferralDayRow;
  readonly candles: CandleRow;
};

export type TableName = keyof RowsByTable;

/** Tables whose rows are written at their beginning and again at each change. */
export type ChangingTable = 'orders' | 'triggers' | 'withdrawals' | 'markets' | 'referralDays';
