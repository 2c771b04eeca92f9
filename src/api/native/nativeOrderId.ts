// The `{id}` of native order paths: the exchange's id or the client's own (ID-2), and what it means
// when the caller has no such live order.

import type { TUnsafe } from 'typebox';
import { isClientOrderId } from '../../engine/clientOrderId.ts';
import type { OrderReference } from '../../engine/command.ts';
import type { OrderId } from '../../units/units.ts';
import { parseUuid } from '../../units/uuid.ts';
import type { Deployment } from '../deployment.ts';
import { type OrderQuery, refusalOfMissing } from '../findAnyOrder.ts';
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
    const { id, createdAt } = reference;
    const order = deployment.exchange.orders.get(id) ?? deployment.findEndedOrderById(id);
    const known = order !== undefined && order.createdAt === createdAt;
    if (known && order.account !== account.id) return { reason: 'orderNotOwned' };
  }
  return refusalOfMissing(deployment, query);
}
