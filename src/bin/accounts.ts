// `evermark accounts`: the operator's flags of an account.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runAccounts(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'accounts',
      options: ['house', 'fee-tier'],
      ask: ({ operator, words, options }) => {
        const [address, ...more] = words;
        const { house, 'fee-tier': feeTier } = options;
        if (address === undefined || more.length > 0) return undefined;
        if (house !== undefined && house !== 'true' && house !== 'false') return undefined;
        if (house === undefined && feeTier === undefined) return undefined;
        return operator.changeAccount({
          address,
          ...(house === undefined ? {} : { house: house === 'true' }),
          ...(feeTier === undefined ? {} : { fee_tier: feeTier }),
        });
      },
    },
    args,
    io,
  );
}
