// The rows that an event is in the ledgers of accounts and of the insurance fund (BAL-3). What comes
// to the fund or leaves it without an event of its own, and the balance after each row, stand in
// ledgerOfStep.ts; what the kinds mean, in docs/rules/history.md.

import { insuranceAccount } from '../engine/account.ts';
import type { Event } from '../engine/event.ts';
import type { Fill } from '../engine/fill.ts';
import type { AccountId, MarketId, Money, OrderId, Time } from '../units/units.ts';
import type { LedgerKind, LedgerRow } from './rows.ts';

/** A row whose number, time and balance the step has yet to give. */
export type LedgerEntry = { -readonly [Field in keyof LedgerRow]: LedgerRow[Field] };

/** What an entry says itself; of no market, no event and no trade unless it says so. */
export type Amount = {
  readonly account: AccountId;
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly market?: MarketId | undefined;
  readonly event?: OrderId | undefined;
  readonly tradeId?: number;
  readonly reference?: string;
};

export const noMarket = -1 as MarketId;

export function entryOf(amount: Amount): LedgerEntry {
  return {
    id: 0,
    account: amount.account,
    kind: amount.kind,
    market: amount.market ?? noMarket,
    amount: amount.amount as Money,
    balance: 0 as Money,
    event: amount.event ?? (0 as OrderId),
    tradeId: amount.tradeId ?? 0,
    reference: amount.reference ?? '',
    time: 0 as Time,
  };
}

/** Adds the event's rows to `entries`, which it gives. An amount of 0 is a row of funding only. */
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
      for (const amount of amountsOf(event)) {
        if (amount.amount !== 0 || amount.kind === 'funding') entries.push(entryOf(amount));
      }
      return entries;
  }
}

type Close = { readonly id: OrderId; readonly market: MarketId; readonly tradeId: number };

function addFill(entries: LedgerEntry[], fill: Fill, { id, market, tradeId }: Close): void {
  const { account, pnl, fee } = fill;
  const of = { account, market, event: id, tradeId };
  if (pnl !== 0) entries.push(entryOf({ ...of, kind: 'realized_pnl', amount: pnl }));
  if (fee !== 0) entries.push(entryOf({ ...of, kind: 'fee', amount: -fee }));
}

type Others = Exclude<Event, { readonly kind: 'traded' | 'takenOver' | 'deleveraged' }>;

function amountsOf(event: Others): readonly Amount[] {
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
      return [amountOf('withdrawal', event, -event.amount)];
    case 'withdrawalResolved':
      return event.completed ? [] : [amountOf('withdrawal_released', event, event.amount)];
    case 'profitRealized':
      return [amountOf('realized_pnl', event, event.amount)];
    case 'positionSettled':
      return [amountOf('settlement', event, event.pnl)];
    case 'profitShared':
      return [amountOf('deficit_shared', event, -event.amount)];
    case 'fundingPaid':
      return [amountOf('funding', event, event.amount)];
    case 'liquidationFeePaid':
      return [
        amountOf('liquidation_fee', event, -event.amount),
        ofFund(event, event.amount, event.id),
      ];
    case 'lossCovered': {
      const { account, market, fund, shared, shortfall } = event;
      const amount = fund + shared + shortfall;
      return [{ account, kind: 'loss_covered', market, amount }, ofFund(event, -fund)];
    }
    case 'fundingCovered':
      return [ofFund(event, -event.amount)];
    default:
      return [];
  }
}

type Told = { readonly id: OrderId; readonly account: AccountId; readonly market?: MarketId };

function amountOf(kind: LedgerKind, { id, account, market }: Told, amount: number): Amount {
  return { account, kind, market, amount, event: id };
}

/** What the fund gets of a market, or pays for somebody there. */
function ofFund(
  { market }: { readonly market: MarketId },
  amount: number,
  event?: OrderId,
): Amount {
  const kind = amount > 0 ? 'insurance_income' : 'insurance_payment';
  return { account: insuranceAccount, kind, market, amount, event };
}
