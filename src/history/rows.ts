// The rows of history, one type for each table: whole numbers in the units of the engine (ticks,
// lots, 1e-6 USDT, 1e-8, milliseconds), names as the field says them. What tables they make, with
// which keys and indexes, stands in tables.ts; which events they come from, in takeStep.ts. Rows
// that memory remembers too are the views' own (market-data/).

import type { MarketStatus } from '../engine/marketTerms.ts';
import type { Side } from '../engine/orderTypes.ts';
import type { Order } from '../engine/views/order.ts';
import type { TriggerRecord } from '../engine/views/trigger.ts';
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

/** A market as it is now: what makes ticks and lots into prices and quantities. */
export type MarketRow = {
  readonly id: MarketId;
  readonly symbol: string;
  /** Decimals. */
  readonly tickSize: string;
  readonly lotSize: string;
  readonly status: MarketStatus;
};

/** An order in its last state, live or ended. */
export type OrderRow = Pick<
  Order,
  | 'id'
  | 'account'
  | 'market'
  | 'side'
  | 'type'
  | 'timeInForce'
  | 'reduceOnly'
  | 'selfTradeMode'
  | 'workingType'
  | 'priceProtect'
  | 'origin'
  | 'clientOrderId'
  | 'createdAt'
  | 'markAtCreation'
  | 'ticks'
  | 'lots'
  | 'leverage'
  | 'status'
  | 'cancelReason'
  | 'updatedAt'
  | 'open'
  | 'filled'
  | 'filledNotional'
> & {
  /** The trigger that it came from; 0: none. */
  readonly trigger: OrderId;
};

/** A trigger in its last state. */
export type TriggerRow = TriggerRecord;

/** What made a fill. */
export const fillKinds = ['trade', 'takeover', 'deleveraging', 'fund_reduction'] as const;
export type FillKind = (typeof fillKinds)[number];

/** One side of a trade, or of another close of a position. */
export type FillRow = {
  readonly account: AccountId;
  readonly market: MarketId;
  /** The next number of the market. */
  readonly tradeId: number;
  /** Whether this side waited in the book; of a takeover or deleveraging: whoever took it over. */
  readonly maker: boolean;
  readonly kind: FillKind;
  readonly side: Side;
  /** Of an order, or of the takeover or deleveraging itself. */
  readonly order: OrderId;
  /** When what `order` numbers was made: with the number it makes the UUID. */
  readonly orderCreatedAt: Time;
  readonly orderType: Order['type'];
  /** The mark when the order was placed; what slippage is measured against. */
  readonly markAtCreation: Ticks;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly notional: Money;
  /** Before the fee. */
  readonly pnl: Money;
  /** Negative for a rebate. */
  readonly fee: Money;
  /** The position afterwards. */
  readonly position: Lots;
  /** Of what changed hands, which with `time` makes tranId. */
  readonly event: OrderId;
  /** The number of its first row of the ledger; without one, of the row that comes next. */
  readonly ledgerId: number;
  /** After those rows; 0 when there are none. */
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
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/**
 * A change of a balance. The rows of an account sum up to its balance, those of the insurance fund
 * too. Rows that come from a fill have numbers like all others but are not stored: they are made
 * again from the fill, first `realized_pnl`, then `fee`, neither when it is 0 (placeFills.ts).
 */
export type LedgerRow = {
  /** Rows are numbered from 1 in the order of the log; a rebuild gives the same numbers. */
  readonly id: number;
  readonly account: AccountId;
  readonly kind: LedgerKind;
  /** -1: of no market. */
  readonly market: MarketId;
  readonly amount: Money;
  /** Afterwards. */
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
export type ToldLedgerRow = LedgerRow & { readonly second: number };

/** A row that no fill tells; it is of no trade. */
export type OwnLedgerRow = Omit<LedgerRow, 'tradeId'>;

/** A change of an order by its owner. */
export type AmendmentRow = {
  /** Numbered as rows of the ledger are, on their own. */
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

/** `count` says which amendment of its order it is, from 1. */
export type CountedAmendment = AmendmentRow & { readonly count: number };

/** What a position paid or got at a boundary (FUND-3). */
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
  /** Lots and money: more than a number holds, so whole numbers as text. */
  readonly volume: string;
  readonly quoteVolume: string;
  readonly count: number;
  /** -1 without trades. */
  readonly firstId: number;
  readonly lastId: number;
};

/** The rows of one table each, by the table's name. */
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
  readonly candles: CandleRow;
};

export type TableName = keyof RowsByTable;

/** What is written when it begins and again when it changes. */
export type ChangingTable = 'orders' | 'triggers' | 'withdrawals' | 'markets';
