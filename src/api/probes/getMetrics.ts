// GET /metrics: the exposition of the registry that the gateway keeps.

import { Type } from 'typebox';
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
  response: Type.String(),
  procedure: async ({ deployment }) => ({
    status: 200,
    text: await deployment.metrics(),
    contentType,
  }),
});
