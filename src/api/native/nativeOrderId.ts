// The `{id}` of native order paths: the exchange's id or the client's own (ID-2), and what it means
// when the caller has no such live order.

import type { TUnsafe } from 'typebox';
import { isClientOrderId } from '../../engine/clientOrderId.ts';
import type { OrderReference } from '../../engine/command.ts';
import type { OrderId } from '../../units/units.ts';
import { parseUuid } from '../../units/uuid.ts';
import type { Deployment } from '../deployment.ts';
import { type OrderQuery, refusalOfMissing, type ShownOrder } from '../findAnyOrder.ts';
import { textParameter } from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';

const idLengthMax = 36;

export function nativeOrderIdParameter(): TUnsafe<string> {
  const description = "The order's id, or the client's own.";
  return textParameter({ lengthMax: idLengthMax, description });
}

/** A UUID that the engine can have made is an order's id; any other text is the client's. */
export function readNativeOrderId(text: string): OrderReference | Refusal {
  const parsed = parseUuid(text);
  if (parsed !== undefined) return { id: parsed.sequence as OrderId, createdAt: parsed.time };
  if (isClientOrderId(text)) return { clientOrderId: text };
  return { reason: 'parameterIllegal', name: 'id' };
}

/** Another account's order, one that has ended, or one that never was. */
export function refusalOfNative(deployment: Deployment, query: OrderQuery): Refusal {
  const { account, reference } = query;
  if ('id' in reference) {
    const shown = shownBy(deployment, reference.id);
    const known = shown !== undefined && shown.createdAt === reference.createdAt;
    if (known && shown.account !== account.id) return { reason: 'orderNotOwned' };
  }
  return refusalOfMissing(deployment, query);
}

/** The order of this number, whoever's it is; a trigger of the order route is one (TRG-2). */
function shownBy(deployment: Deployment, id: OrderId): ShownOrder | undefined {
  const { exchange, findEndedOrderById, findEndedTriggerById } = deployment;
  const order = exchange.orders.get(id) ?? findEndedOrderById(id);
  if (order !== undefined) return order;
  const trigger = exchange.triggers.get(id) ?? findEndedTriggerById(id);
  return trigger?.route === 'order' ? trigger : undefined;
}
