// GET /fapi/v1/time: the clock that the signature window uses.

import { Type } from 'typebox';
import { exactObject, timeNumber } from '../answerSchema.ts';
import { defineQuery } from '../operation.ts';

export const getTime = defineQuery({
  name: 'getTime',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/time',
  auth: 'none',
  weight: 1,
  summary: 'The server clock in milliseconds.',
  parameters: Type.Object({}),
  response: exactObject({ serverTime: timeNumber() }),
  query: ({ deployment }) => ({
    status: 200,
    text: `{"serverTime":${deployment.clock.now()}}`,
  }),
});
