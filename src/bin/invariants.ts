// `evermark invariants`: every figure of the full check; exit code 1 when a check fails.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runInvariants(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'invariants',
      ask: ({ operator, words }) => (words.length === 0 ? operator.getInvariants() : undefined),
      bad: (answer) => (answer as { readonly ok: boolean }).ok !== true,
    },
    args,
    io,
  );
}
