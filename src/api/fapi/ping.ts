// GET /fapi/v1/ping.

import { Type } from 'typebox';
import { exactObject } from '../answerSchema.ts';
import { defineQuery } from '../operation.ts';

const empty = { status: 200, text: '{}' };

export const ping = defineQuery({
  name: 'ping',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/ping',
  auth: 'none',
  weight: 1,
  summary: 'Answers an empty object.',
  parameters: Type.Object({}),
  response: exactObject({}),
  query: () => empty,
});
