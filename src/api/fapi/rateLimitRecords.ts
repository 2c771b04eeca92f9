// The advertised limits (spec, exchange-level entries): exchangeInfo shows those of the standard
// tier, rateLimit/order those of the key's own tier.

import { countNumber, exactObject, wordsText } from '../answerSchema.ts';
import type { Ceilings } from '../rateTiers.ts';

export const rateLimitSchema = exactObject({
  rateLimitType: wordsText(['REQUEST_WEIGHT', 'ORDERS']),
  interval: wordsText(['MINUTE', 'SECOND']),
  intervalNum: countNumber(),
  limit: countNumber(),
});

const minute = { interval: 'MINUTE', intervalNum: 1 };
const tenSeconds = { interval: 'SECOND', intervalNum: 10 };

export function weightLimitRecord({ weight }: Pick<Ceilings, 'weight'>): object {
  return { rateLimitType: 'REQUEST_WEIGHT', ...minute, limit: weight };
}

export function orderLimitRecords({ orders10s, orders1m }: Ceilings): [object, object] {
  return [
    { rateLimitType: 'ORDERS', ...minute, limit: orders1m },
    { rateLimitType: 'ORDERS', ...tenSeconds, limit: orders10s },
  ];
}
