// GET /operator/invariants: the full check of the state (BAL-2) by the archivist, every figure
// listed, whether it holds or not.

import { Type } from 'typebox';
import { answerJson, defineProcedure } from '../operation.ts';

export const getInvariants = defineProcedure({
  name: 'getInvariants',
  surface: 'operator',
  method: 'GET',
  path: '/operator/invariants',
  auth: 'operator',
  weight: 1,
  summary: 'Runs the full check of every invariant and lists its figures.',
  parameters: Type.Object({}),
  response: Type.Record(Type.String(), Type.Unknown()),
  procedure: async ({ deployment: { archivist } }) => answerJson(await archivist.invariants()),
});
