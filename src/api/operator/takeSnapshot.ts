// POST /operator/snapshot: the archivist takes a snapshot now; trading does not pause.

import { Type } from 'typebox';
import { countNumber, exactObject } from '../answerSchema.ts';
import { answerJson, defineProcedure } from '../operation.ts';

export const takeSnapshot = defineProcedure({
  name: 'takeSnapshot',
  surface: 'operator',
  method: 'POST',
  path: '/operator/snapshot',
  auth: 'operator',
  weight: 1,
  summary: 'Takes a snapshot; answers when it is on the disk.',
  parameters: Type.Object({}),
  response: exactObject({ position: countNumber() }),
  procedure: async ({ deployment: { archivist } }) => {
    const { position } = await archivist.snapshot();
    return answerJson({ position });
  },
});
