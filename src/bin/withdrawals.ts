// `evermark withdrawals`: the withdrawals that wait to be paid out, and how to end one of them.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runWithdrawals(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'withdrawals',
      options: ['limit'],
      ask: ({ operator, words, options }) => {
        const [action, id, ...more] = words;
        const { limit } = options;
        if (action === undefined) {
          return operator.listPendingWithdrawals(limit === undefined ? {} : { limit });
        }
        if (action !== 'complete' && action !== 'release') return undefined;
        if (id === undefined || more.length > 0 || limit !== undefined) return undefined;
        return operator.resolveWithdrawal({ id, action });
      },
    },
    args,
    io,
  );
}
