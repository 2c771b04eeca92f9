// GET /fapi/v1/positionSide/dual: always one-way (spec, model rule 2).

import { Type } from 'typebox';
import { exactObject } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';

export const getPositionMode = defineQuery({
  name: 'getPositionMode',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/positionSide/dual',
  auth: 'key',
  weight: 1,
  summary: 'Whether positions are two-sided: they are not.',
  parameters: Type.Object({}),
  response: exactObject({ dualSidePosition: Type.Literal(false) }),
  query: () => answerJson({ dualSidePosition: false }),
});
