// The `{id}` of native order paths: the exchange's id or the client's own (ID-2), and what it means
// when the caller has no such active order.

import type { TUnsafe } from 'typebox';
import { isClientOrderId } from '../../engine/clientOrderId.ts';
import type { OrderReference } from '../../engine/command.ts';
import { orderById, triggerById } from '../../engine/views/exchange.ts';
import type { OrderId } from '../../units/units.ts';
import { parseUuid } from '../../units/uuid.ts';
import type { Deployment } from '../deployment.ts';
import { type OrderQuery, refusalOfMissing } from '../findAnyOrder.ts';
import { hasFailed, type ShownOrderOrTrigger } from '../historyPort.ts';
import { textParameter } from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';

const idLengthMax = 36;

export function nativeOrderIdParameter(): TUnsafe<string> {
  const description = "The order's id, or the client's own.";
  return textParameter({ lengthMax: idLengthMax, description });
}

/** A UUID that the engine can have made is an order's id; any other text is a client's id. */
export function readNativeOrderId(text: string, name = 'id'): OrderReference | Refusal {
  const parsed = parseUuid(text);
  if (parsed !== undefined) return { id: parsed.sequence as OrderId, createdAt: parsed.time };
  if (isClientOrderId(text)) return { clientOrderId: text };
  return { reason: 'parameterIllegal', name };
}

/** The reasons for which a row with such a path may fail. */
export const nativeOrderFailures = ['orderNotOwned', 'orderUnknown', 'orderEnded'] as const;

/** The order belongs to another account, has ended, or never existed. */
export async function refusalOfNative(deployment: Deployment, query: OrderQuery): Promise<Refusal> {
  const { account, reference } = query;
  if ('id' in reference) {
    const shown = await shownBy(deployment, reference.id);
    const known = shown !== undefined && shown.createdAt === reference.createdAt;
    if (known && shown.account !== account.id) return { reason: 'orderNotOwned' };
  }
  return refusalOfMissing(deployment, query);
}

/**
 * The order of this number, of any account. A trigger of the order route counts as an order
 * (TRG-2).
 */
async function shownBy(
  { exchange, findEndedOrderById, findEndedTriggerById, history }: Deployment,
  id: OrderId,
): Promise<ShownOrderOrTrigger | undefined> {
  const order = orderById(exchange, id) ?? findEndedOrderById(id);
  if (order !== undefined) return order;
  const trigger = triggerById(exchange, id) ?? findEndedTriggerById(id);
  if (trigger !== undefined) return trigger.route === 'order' ? trigger : undefined;
  const stored = await history.orderById({ id });
  return stored === null || hasFailed(stored) ? undefined : stored;
}
