// GET /fapi/v1/rpiDepth: the spec lists it with its weight and says that it is not implemented. So
// it answers like a path that does not exist, at weight 5. GET depth shows the whole book.

import { Type } from 'typebox';
import { exactObject } from '../answerSchema.ts';
import { defineQuery } from '../operation.ts';

export const getRpiDepth = defineQuery({
  name: 'getRpiDepth',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/rpiDepth',
  auth: 'none',
  weight: 5,
  summary: 'Not implemented (404): retail price improvement orders do not exist. Use depth.',
  parameters: Type.Object({}),
  failures: ['pathUnknown'],
  response: exactObject({}),
  query: () => ({ reason: 'pathUnknown' }),
});
