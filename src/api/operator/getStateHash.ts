// GET /operator/state-hash: two replicas at the same position must have the same hash.

import { Type } from 'typebox';
import { countNumber, exactObject, hexText } from '../answerSchema.ts';
import { answerJson, defineProcedure } from '../operation.ts';

export const getStateHash = defineProcedure({
  name: 'getStateHash',
  surface: 'operator',
  method: 'GET',
  path: '/operator/state-hash',
  auth: 'operator',
  // Another thread hashes its own whole state.
  weight: 5,
  summary: 'Position in the log, hash of the state, hash of prices and timers.',
  parameters: Type.Object({}),
  response: exactObject({
    position: countNumber(),
    state_hash: hexText(16),
    price_hash: hexText(16),
  }),
  procedure: async ({ deployment: { archivist } }) => {
    const { position, stateHash, priceHash } = await archivist.stateHash();
    return answerJson({ position, state_hash: stateHash, price_hash: priceHash });
  },
});
