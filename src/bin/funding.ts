// `evermark funding`: settles a market's funding now, if the market uses the deployment's own
// prices.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runFunding(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'funding',
      ask: ({ operator, words }) => {
        const [symbol, ...more] = words;
        if (symbol === undefined || more.length > 0) return undefined;
        return operator.settleFunding({ symbol });
      },
    },
    args,
    io,
  );
}
