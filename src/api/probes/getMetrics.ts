// GET /metrics: the text of the registry that the gateway keeps. The clients' listener serves it to
// the deployment's own networks, the operator's listener to the holder of its token (CON-3).

import { Type } from 'typebox';
import { plainText } from '../answerSchema.ts';
import type { Deployment } from '../deployment.ts';
import { type Answer, defineProcedure } from '../operation.ts';

/** The text is long, so it counts as this many requests (CON-3). */
const textWeight = 10;
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

const shown = {
  method: 'GET',
  path: '/metrics',
  parameters: Type.Object({}),
  response: plainText('The exposition format of Prometheus.'),
  procedure: async ({ deployment }: { readonly deployment: Deployment }): Promise<Answer> => ({
    status: 200,
    text: await deployment.metrics(),
    contentType,
  }),
} as const;

export const getMetrics = defineProcedure({
  ...shown,
  name: 'getMetrics',
  surface: 'probe',
  auth: 'none',
  weight: textWeight,
  internal: true,
  failures: ['pathUnknown'],
  summary:
    'Metrics as plain text, for internal networks; for all others there is nothing here. ' +
    "The operator's listener has the same, for its token.",
});

/** The same on the operator's listener. */
export const getOperatorMetrics = defineProcedure({
  ...shown,
  name: 'getOperatorMetrics',
  surface: 'operator',
  auth: 'operator',
  weight: 0,
  summary: 'Metrics as plain text.',
});
