// Notes that the legs of a pair may have to follow a change (ATT-3). After an undone execution the
// list may name pairs that did not change, or that do not exist. undefined is a pair that has
// ended.

import type { Exchange } from './exchange.ts';
import type { Pair } from './pair.ts';

export function stirPair(exchange: Exchange, pair: Pair | undefined): void {
  if (pair === undefined || pair.stirred) return;
  pair.stirred = true;
  exchange.stirred.push(pair);
}
