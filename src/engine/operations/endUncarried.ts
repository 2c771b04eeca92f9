// The equity that an account's waiting triggers need (TRG-7). They freeze nothing, so without this
// they would cost nothing and fill the exchange.

import type { Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { equityOf } from '../clearing/margin.ts';
import { endTrigger } from '../endTrigger.ts';
import type { Exchange } from '../exchange.ts';
import { equityPerWaiting, reducingTriggersFree } from '../limits.ts';
import { onlyReduces, type Trigger, waits } from '../trigger.ts';

/**
 * The equity that one more trigger needs, including this one, 0 when it needs none:
 *   (those that open + max(0, those that only reduce − the free ones)) × 10 USDT.
 * `replaced` is a waiting trigger that does not count any more. Cost: the account's triggers.
 */
export function equityToAdd(account: Account, reduces: boolean, replaced?: Trigger): Money {
  const { opening, reducing } = waitingOf(account, replaced);
  if (reduces && reducing.length < reducingTriggersFree) return 0 as Money;
  const paid = Math.max(reducing.length - reducingTriggersFree, 0);
  return ((opening.length + paid + 1) * equityPerWaiting) as Money;
}

/**
 * Runs after money has left the account. It ends triggers until the equity is enough for the rest:
 * first those that open, then those that reduce beyond the free ones, the newest first.
 */
export function endUncarried(exchange: Exchange, account: Account): void {
  if (account.waitingTriggers === 0) return;
  const { opening, reducing } = waitingOf(account);
  const paying = [...reducing.slice(reducingTriggersFree), ...opening];
  const carried = Math.max(Math.floor(equityOf(exchange, account) / equityPerWaiting), 0);
  for (const trigger of paying.slice(carried).reverse()) {
    endTrigger(exchange, trigger, 'CANCELED');
  }
}

/** By number, which is the order of their age. */
function waitingOf(
  { triggers }: Account,
  except?: Trigger,
): { readonly opening: Trigger[]; readonly reducing: Trigger[] } {
  const waiting = triggers.filter((trigger) => waits(trigger) && trigger !== except);
  return {
    opening: waiting.filter((trigger) => !onlyReduces(trigger)),
    reducing: waiting.filter(onlyReduces),
  };
}
