// `<symbol>@depth5|10|20` (conventions, 13.4): the best prices of a book, whenever they have
// changed.

import { depthOfMarket, updateIdOf } from '../../engine/views/depthOfMarket.ts';
import type { Opening } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';
import { depthChain, depthLevels } from './depthChain.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

export function partialDepthStream(
  context: StreamContext,
  { name, market, levels, everyMs }: Extract<NamedStream, { kind: 'partialDepth' }>,
): Opening {
  return publicOpening(context, name, (send) => {
    const next = depthChain(context, market);
    let reported = '';
    let seen = -1;
    const run = (): boolean => {
      const updateId = updateIdOf(market);
      if (updateId === seen) return false;
      seen = updateId;
      const shown = depthLevels(market, depthOfMarket(market, levels));
      const text = JSON.stringify(shown);
      if (text === reported) return false;
      reported = text;
      send({ ...next(), ...shown });
      return true;
    };
    return addRhythm(context.rhythms, { everyMs, run });
  });
}
