// `evermark price`: the index price of a market with the source manual.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runPrice(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'price',
      ask: ({ operator, words }) => {
        const [symbol, price, ...more] = words;
        if (symbol === undefined || price === undefined || more.length > 0) return undefined;
        return operator.setIndexPrice({ symbol, price: price === 'none' ? null : price });
      },
    },
    args,
    io,
  );
}
