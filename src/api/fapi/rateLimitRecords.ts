// The advertised limits (spec, exchange-level entries): of the standard tier in exchangeInfo, of
// the key's own in rateLimit/order.

import { Type } from 'typebox';
import type { Ceilings } from '../rateTiers.ts';

export const rateLimitSchema = Type.Object({
  rateLimitType: Type.Enum(['REQUEST_WEIGHT', 'ORDERS']),
  interval: Type.Enum(['MINUTE', 'SECOND']),
  intervalNum: Type.Integer(),
  limit: Type.Integer(),
});

const minute = { interval: 'MINUTE', intervalNum: 1 };
const tenSeconds = { interval: 'SECOND', intervalNum: 10 };

export function weightLimitRecord({ weight }: Ceilings): object {
  return { rateLimitType: 'REQUEST_WEIGHT', ...minute, limit: weight };
}

export function orderLimitRecords({ orders10s, orders1m }: Ceilings): object[] {
  return [
    { rateLimitType: 'ORDERS', ...minute, limit: orders1m },
    { rateLimitType: 'ORDERS', ...tenSeconds, limit: orders10s },
  ];
}
