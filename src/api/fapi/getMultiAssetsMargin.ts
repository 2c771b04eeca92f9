// GET /fapi/v1/multiAssetsMargin: there is one collateral asset.

import { Type } from 'typebox';
import { exactObject } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';

export const getMultiAssetsMargin = defineQuery({
  name: 'getMultiAssetsMargin',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/multiAssetsMargin',
  auth: 'key',
  weight: 1,
  summary: 'Whether several assets serve as margin: one does.',
  parameters: Type.Object({}),
  response: exactObject({ multiAssetsMargin: Type.Literal(false) }),
  query: () => answerJson({ multiAssetsMargin: false }),
});
