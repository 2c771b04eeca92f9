// POST /fapi/v1/positionSide/dual: one-way is the only mode; `true` is -4059.

import { Type } from 'typebox';
import { answerJson, defineQuery } from '../operation.ts';
import { flagParameter } from '../parameterSchema.ts';
import { doneSchema, success } from './doneAnswer.ts';

export const setPositionMode = defineQuery({
  name: 'setPositionMode',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/positionSide/dual',
  auth: 'key',
  weight: 1,
  summary: 'Accepts one-way mode, the only one there is.',
  parameters: Type.Object({ dualSidePosition: flagParameter() }),
  failures: ['hedgeUnavailable'],
  response: doneSchema,
  query: (_context, { dualSidePosition }) =>
    dualSidePosition ? { reason: 'hedgeUnavailable' } : answerJson(success),
});
