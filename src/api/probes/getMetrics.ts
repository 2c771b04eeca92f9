// GET /metrics: the exposition of the registry that the gateway keeps.

import { Type } from 'typebox';
import { plainText } from '../answerSchema.ts';
import { defineProcedure } from '../operation.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export const getMetrics = defineProcedure({
  name: 'getMetrics',
  surface: 'probe',
  method: 'GET',
  path: '/metrics',
  auth: 'none',
  weight: 0,
  summary: 'Metrics as plain text, for internal networks.',
  parameters: Type.Object({}),
  response: plainText('The exposition format of Prometheus.'),
  procedure: async ({ deployment }) => ({
    status: 200,
    text: await deployment.metrics(),
    contentType,
  }),
});
