// The questions that rows ask history: about the past that memory does not hold. The gateway makes
// this port from the reader's queries (history/queries/), which know more of each row than the rows
// show. An answer contains everything that was durable when the question came.

import type { OrderStatus } from '../engine/orderTypes.ts';
import type { TriggerStatus } from '../engine/triggerTypes.ts';
import type { Order } from '../engine/views/order.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import type {
  CountedAmendment,
  DepositRow,
  FillRow,
  FundingPaymentRow,
  LedgerKind,
  LedgerRow,
  ReferralDayRow,
  ReportedLedgerRow,
} from '../history/rows.ts';
import type { RowWindow } from '../market-data/rowGroups.ts';
import type { AccountId, MarketId, OrderId, Time } from '../units/units.ts';
import type { Refusal } from './refusal.ts';

/** An order as its record shows it, with its account. */
export type ShownOrder = Omit<
  Order,
  'origin' | 'markAtCreation' | 'leverage' | 'open' | 'freeze' | 'uncovered' | 'priority'
>;

/** An order, or a trigger of the order route while it has no order (TRG-2). */
export type ShownOrderOrTrigger = ShownOrder | Readonly<Trigger>;

/** What a trigger's record shows of the order that the trigger placed. */
export type DerivedOrder = Pick<ShownOrder, 'type' | 'lots' | 'filled' | 'filledNotional'>;

/** null: the trigger has placed no order. */
export type StoredTrigger = Readonly<Trigger> & { readonly derived: DerivedOrder | null };

/**
 * Why there is no answer: the database is down, its tables are behind, or too many queries wait.
 */
export type HistoryFailure = Extract<
  Refusal,
  { readonly reason: 'databaseFailed' | 'historyBehind' | 'overloaded' }
>;

type Answered<Rows> = Promise<Rows | HistoryFailure>;

/** Memory answers at once; history answers what memory has forgotten. */
export type Remembered<Rows> = Rows | Answered<Rows>;

type OfAccount = { readonly account: AccountId };

export type HistoryPort = {
  /** In order of creation. Without a status, orders of every status. */
  readonly orders: (
    asked: RowWindow & OfAccount & { readonly status?: OrderStatus | undefined },
  ) => Answered<readonly ShownOrderOrTrigger[]>;
  /** Of any account. */
  readonly orderById: (asked: { readonly id: OrderId }) => Answered<ShownOrderOrTrigger | null>;
  /** The last order with that client id. An id that the exchange made is found by its number. */
  readonly orderByClientId: (
    asked: OfAccount & {
      readonly clientOrderId: string;
      readonly market?: MarketId | undefined;
    },
  ) => Answered<ShownOrderOrTrigger | null>;
  /** Of both routes, in order of creation. */
  readonly triggers: (
    asked: RowWindow &
      OfAccount & {
        /** undefined: of any status. */
        readonly status?: TriggerStatus | undefined;
        /** No row is older. Unlike `startTime`, it still lets the window count from its end. */
        readonly earliest?: Time | undefined;
      },
  ) => Answered<readonly StoredTrigger[]>;
  readonly triggerById: (
    asked: OfAccount & { readonly id: OrderId },
  ) => Answered<StoredTrigger | null>;
  readonly triggerByClientId: (
    asked: OfAccount & { readonly clientOrderId: string },
  ) => Answered<StoredTrigger | null>;
  /**
   * In order of time. It gives one row more than `limit` rather than part the two sides of one
   * trade.
   */
  readonly fills: (
    asked: Omit<RowWindow, 'from'> &
      OfAccount & {
        readonly order?: { readonly id: OrderId; readonly createdAt: Time } | undefined;
        readonly fromId?: number | undefined;
      },
  ) => Answered<readonly FillRow[]>;
  readonly ledger: (asked: RowWindow & OfAccount) => Answered<readonly LedgerRow[]>;
  /** Page 1 begins at `startTime`; without it, it ends with the last row. */
  readonly income: (
    asked: Omit<RowWindow, 'from'> &
      OfAccount & { readonly kinds: readonly LedgerKind[]; readonly page: number },
  ) => Answered<readonly ReportedLedgerRow[]>;
  /** Of one order, newest first. */
  readonly amendments: (
    asked: Omit<RowWindow, 'market' | 'from'> & { readonly order: OrderId },
  ) => Answered<readonly CountedAmendment[]>;
  readonly fundingPayments: (
    asked: RowWindow & OfAccount,
  ) => Answered<readonly FundingPaymentRow[]>;
  readonly deposits: (asked: RowWindow & OfAccount) => Answered<readonly DepositRow[]>;
  /** What has accrued for a referrer, in order of the days. */
  readonly referralDays: (
    asked: Omit<RowWindow, 'market' | 'from'> & OfAccount,
  ) => Answered<readonly ReferralDayRow[]>;
};

/** Whether history has failed to answer. No row has a member `reason`. */
export function hasFailed(answer: object | null): answer is HistoryFailure {
  return answer !== null && 'reason' in answer;
}
