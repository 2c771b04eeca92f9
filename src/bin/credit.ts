// `evermark credit`: USDT for an account, once for each reference; it can also make a credit
// smaller.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runCredit(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'credit',
      ask: ({ operator, words }) => {
        if (words[0] === 'correct') {
          const [, address, credit, amount, reference, ...more] = words;
          if (reference === undefined || more.length > 0) return undefined;
          return operator.correctCredit({
            address: address!,
            credit: credit!,
            amount: amount!,
            reference,
          });
        }
        const [address, amount, reference, ...more] = words;
        if (reference === undefined || more.length > 0) return undefined;
        return operator.creditAccount({ address: address!, amount: amount!, reference });
      },
    },
    args,
    io,
  );
}
