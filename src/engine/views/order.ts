// An order as readers see it: its values, not its places in the book and in its account's queue.

import type { MarketId } from '../../units/units.ts';
import type { OrderReference } from '../command.ts';
import { findOrder as findLive } from '../findOrder.ts';
import type { Order as OrderState, OrderTerms } from '../order.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';
import type { LegNumbers, Trigger } from './trigger.ts';

export type Order = Readonly<
  Pick<
    OrderState,
    | Exclude<keyof OrderTerms, 'trigger' | 'legs'>
    | 'status'
    | 'cancelReason'
    | 'open'
    | 'filled'
    | 'filledNotional'
    | 'freeze'
    | 'uncovered'
  >
> & {
  /** The trigger that it came from, or null. */
  readonly trigger: Trigger | null;
  /**
   * Its take-profit and stop-loss (ATT-1). Rows of tables and events of earlier engines have none.
   */
  readonly legs?: LegNumbers | null | undefined;
};

/** The live order, when it is this account's and, if given, on this market (ID-2). */
export function findOrder(
  exchange: Exchange,
  account: Account,
  reference: OrderReference,
  market?: MarketId,
): Order | undefined {
  return findLive(stateOf.exchange(exchange), stateOf.account(account), reference, market);
}
