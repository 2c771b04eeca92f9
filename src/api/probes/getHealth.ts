// GET /health: 200 whenever the process answers; it looks at nothing else.

import { Type } from 'typebox';
import { answerJson, defineQuery } from '../operation.ts';

export const getHealth = defineQuery({
  name: 'getHealth',
  surface: 'probe',
  method: 'GET',
  path: '/health',
  auth: 'none',
  weight: 0,
  summary: 'That the process is up, and its release.',
  parameters: Type.Object({}),
  response: Type.Object({ status: Type.Literal('ok'), version: Type.String() }),
  query: ({ deployment: { version } }) => answerJson({ status: 'ok', version }),
});
