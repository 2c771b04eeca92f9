// `evermark fund`: money from outside for the insurance fund, once for each reference. The fund's
// balance is public: GET /api/v1/insurance-fund.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runFund(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'fund',
      ask: ({ operator, words }) => {
        const [what, amount, reference, ...more] = words;
        if (what !== 'credit' || reference === undefined || more.length > 0) return undefined;
        return operator.creditInsurance({ amount: amount!, reference });
      },
    },
    args,
    io,
  );
}
