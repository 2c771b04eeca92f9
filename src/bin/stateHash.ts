// `evermark state-hash`: position and hashes of the state.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runStateHash(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'state-hash',
      ask: ({ operator, words }) => (words.length === 0 ? operator.getStateHash() : undefined),
    },
    args,
    io,
  );
}
