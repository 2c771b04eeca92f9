// `evermark referral`: shows the terms of referral, or changes them.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runReferral(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'referral',
      options: ['discount', 'share'],
      ask: ({ operator, words, options }) => {
        const [state, ...more] = words;
        if (more.length > 0 || (state !== undefined && state !== 'on' && state !== 'off')) {
          return undefined;
        }
        const { discount, share } = options;
        const terms = {
          ...(state === undefined ? {} : { enabled: state === 'on' }),
          ...(discount === undefined ? {} : { discount }),
          ...(share === undefined ? {} : { share }),
        };
        return Object.keys(terms).length === 0
          ? operator.getReferralTerms()
          : operator.setReferralTerms(terms);
      },
    },
    args,
    io,
  );
}
