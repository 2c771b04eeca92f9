// How the waiting triggers of a settled market end (SYM-2b): account by account, as many at once as
// the work allows, the others at the beginning of the next batches. Until then they have no effect:
// no trigger of a settled market fires.

import type { AccountId } from '../../units/units.ts';
import { endTrigger } from '../endTrigger.ts';
import type { Exchange } from '../exchange.ts';
import { takesPlace } from '../trigger.ts';
import { workOf } from '../work.ts';

/**
 * Ends them until the exchange's work reaches `workMax`: markets in the order of settlement, then
 * by account, then by number, due or not. Cost: the accounts that it looks at, and the ends.
 */
export function expireSettled(exchange: Exchange, workMax: number): void {
  const { accounts, expiring } = exchange;
  for (let first = expiring[0]; first !== undefined; first = expiring[0]) {
    while (first.account < accounts.length && exchange.work < workMax) {
      exchange.work += workOf.visited;
      const account = accounts[first.account];
      first.account = (first.account + 1) as AccountId;
      if (account === undefined || account.waitingTriggers === 0) continue;
      for (const trigger of account.triggers.filter(takesPlace)) {
        if (trigger.market === first.market) endTrigger(exchange, trigger, 'EXPIRED');
      }
    }
    if (first.account < accounts.length) return;
    expiring.shift();
  }
}
