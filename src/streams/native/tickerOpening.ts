// The channel `ticker:<symbol>` (spec, Events): the ticker when it is subscribed, then every two
// seconds, changed or not. Its messages have the spec's members only, so it cannot be resumed.

import type { Market } from '../../engine/views/market.ts';
import { tickerOf } from '../../market-data/tickerOf.ts';
import { type Opening, publish } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';

export function tickerOpening(context: StreamContext, market: Market): Opening {
  const { fanout, rhythms, bounds, exchange } = context;
  const name = `ticker:${market.symbol}`;
  /** undefined before the first index: there is no price to tell. */
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
      // The snapshot is the first.
      const stop = addRhythm(rhythms, { everyMs: bounds.tickerMs, run }, context.clock.now());
      return { snapshot: text, close: stop };
    },
  };
}
