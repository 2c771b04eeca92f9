// The channel `ticker:<symbol>` (spec, Events): the ticker at subscription, then every two seconds,
// even without changes. Its messages have only the spec's members, so it cannot be resumed.

import type { Market } from '../../engine/views/market.ts';
import { tickerOf } from '../../market-data/tickerOf.ts';
import { type Opening, publish } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';

export function tickerOpening(context: StreamContext, market: Market): Opening {
  const { fanout, rhythms, bounds, exchange } = context;
  const name = `ticker:${market.symbol}`;
  /** undefined before the first index, because there is no price yet. */
  const text = (): string | undefined => {
    const ticker = tickerOf(market, dataOf(context, market), exchange.time);
    return ticker === undefined ? undefined : JSON.stringify(ticker);
  };
  return {
    key: name,
    name,
    resumable: false,
    open: (channel) => {
      const run = (): boolean => {
        const ticker = text();
        if (ticker === undefined) return false;
        publish(fanout, channel(), () => ticker);
        return true;
      };
      // The snapshot is the first message.
      const stop = addRhythm(rhythms, { everyMs: bounds.tickerMs, run }, context.clock.now());
      return { snapshot: text, close: stop };
    },
  };
}
