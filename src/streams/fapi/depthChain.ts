// What events of books share (conventions, 13.4): the numbers that REST's snapshot has too, and the
// chain of numbers of each stream.

import { updateIdOf } from '../../engine/views/depthOfMarket.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatSteps } from '../../units/decimal.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import type { StreamContext } from '../streamContext.ts';

type Levels = readonly (readonly [Ticks, Lots])[];

/**
 * The first members of every event of one stream: the numbers that it covers, and the previous
 * number.
 */
export function depthChain({ clock, exchange }: StreamContext, market: Market): () => object {
  let last = updateIdOf(market);
  return () => {
    const pu = last;
    last = updateIdOf(market);
    return {
      e: 'depthUpdate',
      E: clock.now(),
      T: exchange.time,
      s: market.symbol,
      U: Math.min(pu + 1, last),
      u: last,
      pu,
    };
  };
}

export function depthLevels(
  market: Market,
  { bids, asks }: { readonly bids: Levels; readonly asks: Levels },
): { readonly b: string[][]; readonly a: string[][] } {
  const shown = (levels: Levels): string[][] =>
    levels.map(([ticks, lots]) => [
      formatSteps(ticks, market.tick),
      lots === 0 ? '0' : formatSteps(lots, market.lot),
    ]);
  return { b: shown(bids), a: shown(asks) };
}
