// POST /fapi/v1/marginType (MAR-7): CROSSED is a success that changes nothing; ISOLATED is -4046.

import { Type } from 'typebox';
import { answerJson, defineQuery } from '../operation.ts';
import { choiceParameter, symbolParameter } from '../parameterSchema.ts';
import { doneSchema, success } from './doneAnswer.ts';

export const setMarginType = defineQuery({
  name: 'setMarginType',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/marginType',
  auth: 'key',
  weight: 1,
  summary: 'Accepts CROSSED, the only margin type of this surface.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    marginType: choiceParameter(['CROSSED', 'ISOLATED']),
  }),
  failures: ['isolatedUnavailable'],
  response: doneSchema,
  query: (_context, { marginType }) =>
    marginType === 'CROSSED' ? answerJson(success) : { reason: 'isolatedUnavailable' },
});
