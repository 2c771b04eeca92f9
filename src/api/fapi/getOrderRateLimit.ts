// GET /fapi/v1/rateLimit/order (conventions, 15): the order ceilings of the key's own tier.

import { Type } from 'typebox';
import { must } from '../../std/assert.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { tierCeilings } from '../rateTiers.ts';
import { orderLimitRecords, rateLimitSchema } from './rateLimitRecords.ts';

export const getOrderRateLimit = defineQuery({
  name: 'getOrderRateLimit',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/rateLimit/order',
  auth: 'key',
  weight: 1,
  summary: 'The order ceilings of the API key.',
  parameters: Type.Object({}),
  response: Type.Array(rateLimitSchema),
  query: ({ apiKey }) => {
    const { rateTier } = must(apiKey, 'a signed request has a key');
    return answerJson(orderLimitRecords(tierCeilings[rateTier]));
  },
});
