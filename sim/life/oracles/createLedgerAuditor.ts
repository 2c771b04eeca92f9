// Money, from events alone. Every row of a ledger leads from the previous balance to its own, and
// the last row to the account's balance (BAL-3, test/engine/ledgerWatch.ts). What each account has
// paid and received is booked apart from the engine (shadowLedger.ts). It must equal the balance
// minus the signed entry notional of its positions (BAL-2).

import { moneyText } from '../../../src/api/grid.ts';
import { balanceOf } from '../../../src/engine/account.ts';
import type { Event } from '../../../src/engine/event.ts';
import type { Exchange } from '../../../src/engine/exchange.ts';
import { liveAccounts } from '../../../src/engine/liveAccounts.ts';
import { insuranceAccount } from '../../../src/engine/marginModes.ts';
import type { LedgerRow } from '../../../src/history/rows.ts';
import { notionalOf } from '../../../src/units/notional.ts';
import type { Rate, Ticks } from '../../../src/units/units.ts';
import { formatUuid } from '../../../src/units/uuid.ts';
import { createLedgerWatch, watchLedger } from '../../../test/engine/ledgerWatch.ts';
import { bookEvent, createShadowLedger, type ShadowLedger } from '../../shadowLedger.ts';
import { ledgerKey, ledgerRowKey, ledgerRowValue } from './keys.ts';
import { noteValue, type Timelines } from './timelines.ts';
import type { Auditor, Step } from './witness.ts';

/** For a deployment with at most this many accounts. Notes every row as a client sees it. */
export function createLedgerAuditor(accountsMax: number, timelines: Timelines): Auditor {
  const watch = createLedgerWatch();
  const counts: number[] = [];
  const ledger = createShadowLedger(accountsMax, { grain: 1 as never, maintenanceRate: 0 as Rate });
  return (step) => {
    const { events, exchange } = step;
    if (events.length === 0) return [];
    const wrong = watchLedger(watch, events, exchange);
    for (const row of watch.rows) noteRow(timelines, counts, step, row);
    for (const event of events) bookOne(ledger, { event, events, exchange });
    return [...wrong, ...differences(ledger, exchange)];
  };
}

function noteRow(
  timelines: Timelines,
  counts: number[],
  { exchange, index }: Step,
  { account, id, time, kind, market, amount, balance }: LedgerRow,
): void {
  const shown = formatUuid(time, id);
  const count = (counts[account] ?? 0) + 1;
  counts[account] = count;
  const symbol = market < 0 ? null : exchange.markets[market]!.symbol;
  const value = { kind, symbol, amount: moneyText(amount), balance: moneyText(balance) };
  noteValue(timelines, ledgerRowKey(shown), index, ledgerRowValue(value));
  noteValue(timelines, ledgerKey(account), index, `${count} ${shown}`);
}

type Booked = {
  readonly event: Event;
  /** The events of the same step. */
  readonly events: readonly Event[];
  readonly exchange: Exchange;
};

function bookOne(ledger: ShadowLedger, { event, events, exchange }: Booked): void {
  switch (event.kind) {
    case 'withdrawalRequested':
      ledger.cash[event.account]! -= event.amount;
      ledger.deposits -= event.amount;
      return;
    case 'withdrawalResolved':
      if (event.completed) return;
      ledger.cash[event.account]! += event.amount;
      ledger.deposits += event.amount;
      return;
    case 'positionSettled': {
      // Sold at the settlement price, which the step's last event about the market names (SYM-2).
      const { account, market, lots, pnl } = event;
      const settled = events.find(
        (each) => each.kind === 'marketSettled' && each.market === market,
      );
      const ticks = settled?.kind === 'marketSettled' ? settled.ticks : (0 as Ticks);
      ledger.cash[account]! += notionalOf(ticks, lots, exchange.markets[market]!.grain);
      // Income of the fund repays the shortfall first (LIQ-4).
      if (account === insuranceAccount && pnl > 0) repay(ledger, pnl);
      return;
    }
    default:
      if ('market' in event && typeof event.market === 'number') {
        ledger.grain = exchange.markets[event.market]!.grain;
      }
      bookEvent(ledger, event);
  }
}

function repay(ledger: ShadowLedger, earned: number): void {
  const repaid = Math.min(ledger.shortfall, earned);
  ledger.shortfall -= repaid;
  ledger.cash[insuranceAccount]! -= repaid;
}

function differences(ledger: ShadowLedger, exchange: Exchange): string[] {
  const wrong: string[] = [];
  for (const account of liveAccounts(exchange)) {
    let own: number = balanceOf(account);
    for (const position of account.positions) own -= position?.entry ?? 0;
    const due = ledger.cash[account.id];
    if (own !== due) wrong.push(`account ${account.id} has ${own} in cash, by events ${due}`);
  }
  const { feeRevenue, referralPayable, shortfall } = exchange.funds;
  if (feeRevenue !== ledger.feeRevenue) {
    wrong.push(`fee revenue is ${feeRevenue}, by events ${ledger.feeRevenue}`);
  }
  if (referralPayable !== ledger.referralPayable) {
    wrong.push(`referral payable is ${referralPayable}, by events ${ledger.referralPayable}`);
  }
  if (shortfall !== ledger.shortfall) {
    wrong.push(`shortfall is ${shortfall}, by events ${ledger.shortfall}`);
  }
  return wrong;
}
