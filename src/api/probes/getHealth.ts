// GET /health: 200 whenever the process answers; it checks nothing else.

import { Type } from 'typebox';
import { exactObject, plainText } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';

export const getHealth = defineQuery({
  name: 'getHealth',
  surface: 'probe',
  method: 'GET',
  path: '/health',
  auth: 'none',
  weight: 1,
  summary: 'Shows that the process is up, and its release.',
  parameters: Type.Object({}),
  response: exactObject({ status: Type.Literal('ok'), version: plainText('Of the release.') }),
  query: ({ deployment: { version } }) => answerJson({ status: 'ok', version }),
});
