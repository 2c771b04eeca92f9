// The equity that an account's waiting triggers need (TRG-7). They freeze nothing, so without this
// they would cost nothing and fill the exchange.

import type { Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { equityOf } from '../clearing/margin.ts';
import { endTrigger } from '../endTrigger.ts';
import type { Exchange } from '../exchange.ts';
import { equityPerWaiting, reducingTriggersFree } from '../limits.ts';
import type { Rejection } from '../rejection.ts';
import { onlyReduces, type Trigger, takesPlace } from '../trigger.ts';
import { followPairs } from './followPairs.ts';

/** Numbers of triggers of each kind; below zero for those that go. */
export type Places = { readonly opening: number; readonly reducing: number };

/**
 * Whether the account's equity supports so many more triggers (TRG-7). `replaced` is a waiting
 * trigger that does not count any more.
 */
export function checkEquity(
  exchange: Exchange,
  account: Account,
  added: Places,
  replaced?: Trigger,
): Rejection | undefined {
  const required = equityToAdd(account, added, replaced);
  if (required === 0 || equityOf(exchange, account) >= required) return undefined;
  return { reason: 'equityInsufficient', required };
}

/**
 * The equity that further triggers need, with all that wait, 0 when they need none themselves:
 *   (those that open + max(0, those that only reduce − the free ones)) × 10 USDT.
 * Cost: the account's triggers.
 */
function equityToAdd(account: Account, added: Places, replaced?: Trigger): Money {
  const { opening, reducing } = waitingOf(account, replaced);
  const paid = (count: number): number => Math.max(count - reducingTriggersFree, 0);
  const paidAfter = paid(reducing.length + added.reducing);
  if (added.opening <= 0 && paidAfter <= paid(reducing.length)) return 0 as Money;
  return ((opening.length + added.opening + paidAfter) * equityPerWaiting) as Money;
}

/**
 * Runs after money has left the account. It ends triggers until the equity is enough for the rest:
 * first those that open, then those that reduce beyond the free ones, the newest first.
 */
export function endUncarried(exchange: Exchange, account: Account): void {
  if (account.waitingTriggers === 0) return;
  const carried = Math.max(Math.floor(equityOf(exchange, account) / equityPerWaiting), 0);
  let over = payingOf(account).slice(carried);
  for (let last = over.pop(); last !== undefined; last = over.pop()) {
    endTrigger(exchange, last, 'CANCELED');
    if (last.legs === null) continue;
    // A parent takes its legs along, and then the others may have the equity that they need.
    followPairs(exchange);
    over = payingOf(account).slice(carried);
  }
}

/** The triggers that need equity, in the order in which they keep it. */
function payingOf(account: Account): Trigger[] {
  const { opening, reducing } = waitingOf(account);
  return [...reducing.slice(reducingTriggersFree), ...opening];
}

/** By number, which is the order of their age. */
function waitingOf(
  { triggers }: Account,
  except?: Trigger,
): { readonly opening: Trigger[]; readonly reducing: Trigger[] } {
  const waiting = triggers.filter((trigger) => takesPlace(trigger) && trigger !== except);
  return {
    opening: waiting.filter((trigger) => !onlyReduces(trigger)),
    reducing: waiting.filter(onlyReduces),
  };
}
