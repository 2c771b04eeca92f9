// `evermark price`: the index price of a market with the source manual. A price that is far away,
// or that would liquidate an account, must be confirmed with the present index: by `--expect`, or
// at the prompt.

import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runPrice(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'price',
      options: ['expect'],
      confirmedBy: 'expect',
      ask: ({ operator, words, options: { expect }, confirmed }) => {
        const [symbol, price, ...more] = words;
        if (symbol === undefined || price === undefined || more.length > 0) return undefined;
        return operator.setIndexPrice({
          symbol,
          price: price === 'none' ? null : price,
          ...(expect === undefined ? {} : { expected_index: expect }),
          ...confirmed,
        });
      },
    },
    args,
    io,
  );
}
