// GET /operator/fee-tiers (MAR-6): the table in force.

import { Type } from 'typebox';
import { exactObject } from '../answerSchema.ts';
import { feeTierSchema, feeTiersRecord } from '../feeTiersRecord.ts';
import { answerJson, defineQuery } from '../operation.ts';

export const getFeeTiers = defineQuery({
  name: 'getFeeTiers',
  surface: 'operator',
  method: 'GET',
  path: '/operator/fee-tiers',
  auth: 'operator',
  weight: 1,
  summary: 'The table of fee tiers, by rising volume.',
  parameters: Type.Object({}),
  response: exactObject({ tiers: Type.Array(feeTierSchema) }),
  query: ({ deployment: { exchange } }) => answerJson({ tiers: feeTiersRecord(exchange.feeTiers) }),
});
