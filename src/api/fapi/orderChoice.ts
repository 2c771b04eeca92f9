// How requests name one order: by `orderId` or `origClientOrderId`, where the first wins (7.3).

import type { OrderReference } from '../../engine/command.ts';
import { type Fields, isSent } from '../fields.ts';
import { clientOrderIdParameter, optional, orderIdParameter } from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';

export const orderChoiceParameters = {
  orderId: optional(orderIdParameter()),
  origClientOrderId: optional(clientOrderIdParameter()),
};

type OrderChoice = {
  readonly orderId?: Extract<OrderReference, { readonly id: unknown }> | undefined;
  readonly origClientOrderId?: string | undefined;
};

/** Neither id was sent: -1102. */
export function requiresOrderChoice(_read: unknown, fields: Fields): Refusal | undefined {
  if (isSent(fields, 'orderid') || isSent(fields, 'origclientorderid')) return undefined;
  return { reason: 'parameterMissing', name: 'orderId' };
}

/** The order that a request names. When both ids are sent, `orderId` counts. */
export function referenceOf({ orderId, origClientOrderId }: OrderChoice): OrderReference {
  return orderId ?? { clientOrderId: origClientOrderId ?? '' };
}
