// The client's own order ids (ID-2). An id that the client did not send is derived from the order's
// number and never stored, so that it costs neither memory nor an index.

import type { OrderId } from '../units/units.ts';
import type { Order } from './order.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const generatedLength = 22;
const prefix = 'em';
const pattern = /^[.A-Z:/a-z0-9_-]{1,36}$/;

/** Whether a client may use this text as an order id. */
export function isClientOrderId(text: string): boolean {
  return pattern.test(text);
}

/** Twenty-two characters of [A-Za-z0-9] that encode the order's number. */
export function generatedClientOrderId(id: OrderId): string {
  let rest: number = id;
  let digits = '';
  while (rest > 0) {
    digits = alphabet[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return prefix + digits.padStart(generatedLength - prefix.length, '0');
}

/** The order number in a generated id; undefined for any other text. */
export function parseGeneratedClientOrderId(text: string): OrderId | undefined {
  if (text.length !== generatedLength || !text.startsWith(prefix)) return undefined;
  let id = 0;
  for (let i = prefix.length; i < text.length; i += 1) {
    const digit = alphabet.indexOf(text[i]!);
    if (digit < 0) return undefined;
    id = id * 62 + digit;
  }
  return Number.isSafeInteger(id) && id > 0 ? (id as OrderId) : undefined;
}

/**
 * The client order id of an order or a trigger: the client's own, else the one derived from its
 * number.
 */
export function clientOrderIdOf({
  id,
  clientOrderId,
}: Readonly<Pick<Order, 'id' | 'clientOrderId'>>): string {
  return clientOrderId === '' ? generatedClientOrderId(id) : clientOrderId;
}
