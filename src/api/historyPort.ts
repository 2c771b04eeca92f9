// What rows ask history for: questions about what has been, that memory cannot answer. The gateway
// makes the port of the reader's queries (history/queries/), which know more of each row than is
// shown. An answer contains everything that was durable when it was asked for.

import type { OrderStatus } from '../engine/orderTypes.ts';
import type { Order } from '../engine/views/order.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import type {
  CountedAmendment,
  DepositRow,
  FillRow,
  FundingPaymentRow,
  LedgerKind,
  LedgerRow,
  ToldLedgerRow,
} from '../history/rows.ts';
import type { RowWindow } from '../market-data/rowGroups.ts';
import type { AccountId, MarketId, OrderId, Time } from '../units/units.ts';
import type { Refusal } from './refusal.ts';

/** An order as its record shows it, and whose it is. */
export type ShownOrder = Readonly<
  Pick<
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
    | 'clientOrderId'
    | 'createdAt'
    | 'ticks'
    | 'lots'
    | 'updatedAt'
    | 'filled'
    | 'filledNotional'
    | 'status'
    | 'cancelReason'
    | 'trigger'
  >
>;

/** An order, or a trigger of the order route as long as it has none (TRG-2). */
export type ShownOrderOrTrigger = ShownOrder | Readonly<Trigger>;

/** What a trigger's record shows of the order that came of it. */
export type DerivedOrder = Pick<ShownOrder, 'type' | 'lots' | 'filled' | 'filledNotional'>;

/** null: no order has come of it. */
export type StoredTrigger = Readonly<Trigger> & { readonly derived: DerivedOrder | null };

/** Why there is no answer: the database is down, its tables are behind, or too many ask. */
export type HistoryFailure = Extract<
  Refusal,
  { readonly reason: 'databaseFailed' | 'historyBehind' | 'overloaded' }
>;

type Answered<Rows> = Promise<Rows | HistoryFailure>;

/** What memory answers at once, and history where memory has forgotten. */
export type Remembered<Rows> = Rows | Answered<Rows>;

type OfAccount = { readonly account: AccountId };

export type HistoryPort = {
  /** By their creation. Without a status those of every one. */
  readonly orders: (
    asked: RowWindow & OfAccount & { readonly status?: OrderStatus | undefined },
  ) => Answered<readonly ShownOrderOrTrigger[]>;
  /** Of whatever account. */
  readonly orderById: (asked: { readonly id: OrderId }) => Answered<ShownOrderOrTrigger | null>;
  /** The last one of that name; an id that was never given is found by its number. */
  readonly orderByClientId: (
    asked: OfAccount & {
      readonly clientOrderId: string;
      readonly market?: MarketId | undefined;
    },
  ) => Answered<ShownOrderOrTrigger | null>;
  /** Of both routes, by their creation. */
  readonly triggers: (
    asked: RowWindow &
      OfAccount & {
        readonly market: MarketId;
        /** None is older; unlike `startTime` it leaves the window to be counted from its end. */
        readonly earliest?: Time | undefined;
      },
  ) => Answered<readonly StoredTrigger[]>;
  readonly triggerById: (
    asked: OfAccount & { readonly id: OrderId },
  ) => Answered<StoredTrigger | null>;
  readonly triggerByClientId: (
    asked: OfAccount & { readonly clientOrderId: string },
  ) => Answered<StoredTrigger | null>;
  /** By their time. One more than `limit` where it would part the two sides of one trade. */
  readonly fills: (
    asked: Omit<RowWindow, 'from'> &
      OfAccount & {
        readonly order?: { readonly id: OrderId; readonly createdAt: Time } | undefined;
        readonly fromId?: number | undefined;
      },
  ) => Answered<readonly FillRow[]>;
  readonly ledger: (asked: RowWindow & OfAccount) => Answered<readonly LedgerRow[]>;
  /** Page 1 begins at `startTime`, or ends with the last row. */
  readonly income: (
    asked: Omit<RowWindow, 'from'> &
      OfAccount & { readonly kinds: readonly LedgerKind[]; readonly page: number },
  ) => Answered<readonly ToldLedgerRow[]>;
  /** Of one order, newest first. */
  readonly amendments: (
    asked: Omit<RowWindow, 'market' | 'from'> & { readonly order: OrderId },
  ) => Answered<readonly CountedAmendment[]>;
  readonly fundingPayments: (
    asked: RowWindow & OfAccount,
  ) => Answered<readonly FundingPaymentRow[]>;
  readonly deposits: (asked: RowWindow & OfAccount) => Answered<readonly DepositRow[]>;
};

/** Whether history has failed to answer. No row has a member `reason`. */
export function hasFailed(answer: object | null): answer is HistoryFailure {
  return answer !== null && 'reason' in answer;
}
