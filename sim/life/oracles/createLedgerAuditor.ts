// Money, by events alone: every row of a ledger leads from the balance before it to the one that it
// states and the last to the account's (BAL-3, test/engine/ledgerWatch.ts); and what each account
// has paid and got, booked apart from the engine (shadowLedger.ts), is its balance less the signed
// entry notional of its positions (BAL-2).

import { balanceOf, insuranceAccount } from '../../../src/engine/account.ts';
import type { Event } from '../../../src/engine/event.ts';
import type { Exchange } from '../../../src/engine/exchange.ts';
import { notionalOf } from '../../../src/units/notional.ts';
import type { Rate, Ticks } from '../../../src/units/units.ts';
import { createLedgerWatch, watchLedger } from '../../../test/engine/ledgerWatch.ts';
import { bookEvent, createShadowLedger, type ShadowLedger } from '../../shadowLedger.ts';
import type { Auditor } from './witness.ts';

/** For a deployment with at most so many accounts. */
export function createLedgerAuditor(accountsMax: number): Auditor {
  const rows = createLedgerWatch();
  const ledger = createShadowLedger(accountsMax, { grain: 1 as never, maintenanceRate: 0 as Rate });
  return ({ events, exchange }) => {
    if (events.length === 0) return [];
    const wrong = watchLedger(rows, events, exchange);
    for (const event of events) bookOne(ledger, { event, events, exchange });
    return [...wrong, ...differences(ledger, exchange)];
  };
}

type Booked = {
  readonly event: Event;
  /** Of the same step. */
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
      // Sold at the settlement price, which the step's last word on the market names (SYM-2).
      const { account, market, lots, pnl } = event;
      const settled = events.find(
        (each) => each.kind === 'marketSettled' && each.market === market,
      );
      const ticks = settled?.kind === 'marketSettled' ? settled.ticks : (0 as Ticks);
      ledger.cash[account]! += notionalOf(ticks, lots, exchange.markets[market]!.grain);
      // What the fund earns repays the shortfall first (LIQ-4).
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
  for (const account of exchange.accounts) {
    let own: number = balanceOf(account);
    for (const position of account.positions) own -= position?.entry ?? 0;
    const due = ledger.cash[account.id];
    if (own !== due) wrong.push(`account ${account.id} has ${own} in cash, by events ${due}`);
  }
  const { feeRevenue, shortfall } = exchange.funds;
  if (feeRevenue !== ledger.feeRevenue) {
    wrong.push(`fee revenue is ${feeRevenue}, by events ${ledger.feeRevenue}`);
  }
  if (shortfall !== ledger.shortfall) {
    wrong.push(`shortfall is ${shortfall}, by events ${ledger.shortfall}`);
  }
  return wrong;
}
