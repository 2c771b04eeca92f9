// `evermark snapshot`: takes a snapshot now, and answers when it is on the disk.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runSnapshot(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'snapshot',
      ask: ({ operator, words }) => (words.length === 0 ? operator.takeSnapshot() : undefined),
    },
    args,
    io,
  );
}
