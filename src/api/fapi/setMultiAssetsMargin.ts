// POST /fapi/v1/multiAssetsMargin (conventions, 15). There is one collateral asset: turning the
// mode off changes nothing, and turning it on is refused.

import { Type } from 'typebox';
import { answerJson, defineQuery } from '../operation.ts';
import { flagParameter } from '../parameterSchema.ts';
import { doneSchema, success } from './doneAnswer.ts';

export const setMultiAssetsMargin = defineQuery({
  name: 'setMultiAssetsMargin',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/multiAssetsMargin',
  auth: 'key',
  weight: 1,
  summary: 'Accepts false, the only setting there is.',
  parameters: Type.Object({ multiAssetsMargin: flagParameter() }),
  failures: ['parameterInvalid'],
  response: doneSchema,
  query: (_context, { multiAssetsMargin }) =>
    multiAssetsMargin
      ? { reason: 'parameterInvalid', name: 'multiAssetsMargin' }
      : answerJson(success),
});
