// The operator's feed: a price that an operator has set. The feed states it again at every poll
// until it is replaced or withdrawn (PRC-2). It does not survive a restart.

import { parseDecimal } from '../units/decimal.ts';
import type { IndexFeed } from './indexFeed.ts';

/** The bound on symbols with a price; beyond it a new one is refused. */
const manualPricesMax = 512;

export type ManualFeed = IndexFeed & {
  /**
   * Sets the price of a canonical symbol, or withdraws it with null. False, without any change,
   * when the text is not a decimal above 0 or too many symbols have a price.
   */
  readonly set: (symbol: string, price: string | null) => boolean;
  /** The present price of a canonical symbol; undefined when there is none. */
  readonly standing: (symbol: string) => string | undefined;
};

/** A feed without any price. */
export function createManualFeed(): ManualFeed {
  const source = 'manual';
  const prices = new Map<string, string>();
  return {
    source,
    set: (symbol, price) => {
      if (price === null) {
        prices.delete(symbol);
        return true;
      }
      const decimal = parseDecimal(price);
      if (decimal === undefined || decimal.negative || decimal.digits === 0n) return false;
      if (!prices.has(symbol) && prices.size >= manualPricesMax) return false;
      prices.set(symbol, price);
      return true;
    },
    standing: (symbol) => prices.get(symbol),
    poll: (now) =>
      Array.from(prices, ([symbol, price]) => ({ symbol, source, price, observedAt: now })),
    close: async () => prices.clear(),
  };
}
