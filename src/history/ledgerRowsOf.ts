// The rows of an event in the ledgers of accounts and of the insurance fund (BAL-3).
// ledgerOfStep.ts adds what the fund gets or pays without an event of its own, and the balance
// after each row. docs/rules/history.md explains the kinds.

import type { Event } from '../engine/event.ts';
import type { Fill } from '../engine/fill.ts';
import { insuranceAccount } from '../engine/marginModes.ts';
import type { AccountId, MarketId, Money, OrderId, Time } from '../units/units.ts';
import type { LedgerKind, LedgerRow } from './rows.ts';

/** A row whose number, time and balance the step will set. */
export type LedgerEntry = { -readonly [Field in keyof LedgerRow]: LedgerRow[Field] };

/** A change of a balance; without market, event and trade unless they are set. */
type BalanceChange = {
  readonly account: AccountId;
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly market?: MarketId | undefined;
  readonly event?: OrderId | undefined;
  readonly tradeId?: number;
  readonly reference?: string;
};

export const noMarket = -1 as MarketId;

export function entryOf(change: BalanceChange): LedgerEntry {
  return {
    id: 0,
    account: change.account,
    kind: change.kind,
    market: change.market ?? noMarket,
    amount: change.amount as Money,
    balance: 0 as Money,
    event: change.event ?? (0 as OrderId),
    tradeId: change.tradeId ?? 0,
    reference: change.reference ?? '',
    time: 0 as Time,
  };
}

/**
 * Adds the event's rows to `entries`, and returns it. A row with an amount of 0 is always a row of
 * funding.
 */
export function ledgerRowsOf(event: Event, entries: LedgerEntry[] = []): LedgerEntry[] {
  switch (event.kind) {
    case 'traded': {
      const { id, market, tradeId } = event;
      addFill(entries, event.taker, { id, market, tradeId });
      addFill(entries, event.maker, { id, market, tradeId });
      return entries;
    }
    case 'takenOver':
      addFill(entries, event.account, event);
      addFill(entries, event.fund, event);
      return entries;
    case 'deleveraged':
      addFill(entries, event.bankrupt, event);
      addFill(entries, event.counterparty, event);
      return entries;
    default:
      for (const change of changesOf(event)) {
        if (change.amount !== 0 || change.kind === 'funding') entries.push(entryOf(change));
      }
      return entries;
  }
}

type Close = { readonly id: OrderId; readonly market: MarketId; readonly tradeId: number };

function addFill(entries: LedgerEntry[], fill: Fill, { id, market, tradeId }: Close): void {
  const { account, pnl, fee } = fill;
  if (pnl !== 0) {
    const kind = 'realized_pnl';
    entries.push(entryOf({ account, kind, amount: pnl, market, event: id, tradeId }));
  }
  if (fee !== 0) {
    const kind = 'fee';
    entries.push(entryOf({ account, kind, amount: -fee, market, event: id, tradeId }));
  }
}

type Others = Exclude<Event, { readonly kind: 'traded' | 'takenOver' | 'deleveraged' }>;

function changesOf(event: Others): readonly BalanceChange[] {
  switch (event.kind) {
    case 'credited': {
      const { account, amount, reference, id } = event;
      return [{ account, kind: 'deposit', amount, reference, event: id }];
    }
    case 'insuranceCredited': {
      const { amount, reference, id } = event;
      return [{ account: insuranceAccount, kind: 'deposit', amount, reference, event: id }];
    }
    case 'withdrawalRequested':
      return [changeOf('withdrawal', event, -event.amount)];
    case 'withdrawalResolved':
      return event.completed ? [] : [changeOf('withdrawal_released', event, event.amount)];
    case 'referralClaimed':
      return [changeOf('referral', event, event.amount)];
    case 'profitRealized':
      return [changeOf('realized_pnl', event, event.amount)];
    case 'positionSettled':
      return [changeOf('settlement', event, event.pnl)];
    case 'profitShared':
      return [changeOf('deficit_shared', event, -event.amount)];
    case 'fundingPaid':
      return [changeOf('funding', event, event.amount)];
    case 'liquidationFeePaid':
      return [
        changeOf('liquidation_fee', event, -event.amount),
        ofFund(event, event.amount, event.id),
      ];
    case 'lossCovered': {
      const { account, market, fund, shared, shortfall } = event;
      const amount = fund + shared + shortfall;
      return [{ account, kind: 'loss_covered', market, amount }, ofFund(event, -fund)];
    }
    case 'fundingCovered':
      return [ofFund(event, -event.amount)];
    case 'feesShared':
      return [ofFund(event, event.amount, event.id)];
    default:
      return [];
  }
}

type AccountEvent = {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market?: MarketId;
};

function changeOf(
  kind: LedgerKind,
  { id, account, market }: AccountEvent,
  amount: number,
): BalanceChange {
  return { account, kind, market, amount, event: id };
}

/** What the fund gets from a market, or pays for an account there. */
function ofFund(
  { market }: { readonly market: MarketId },
  amount: number,
  event?: OrderId,
): BalanceChange {
  const kind = amount > 0 ? 'insurance_income' : 'insurance_payment';
  return { account: insuranceAccount, kind, market, amount, event };
}
