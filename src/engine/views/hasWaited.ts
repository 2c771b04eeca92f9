// Whether a leg that is PENDING has waited for a mark before (ATT-3).

import type { Exchange } from './exchange.ts';
import { orderById, triggerById } from './exchange.ts';
import { stateOf } from './stateOf.ts';
import type { Trigger } from './trigger.ts';

/**
 * A leg gets another place when it begins to wait. Its owner's changes give it one too, so a parent
 * that has filled nothing decides: its legs have never waited.
 */
export function hasWaited(exchange: Exchange, leg: Trigger): boolean {
  const { id, pair, priority } = stateOf.trigger(leg);
  if (pair === null || priority === id) return false;
  const parent = pair.kind === 'trigger' ? triggerById(exchange, pair.id)?.order : pair.id;
  const order = parent === undefined ? undefined : orderById(exchange, parent);
  return order !== undefined && order.filled > 0;
}
