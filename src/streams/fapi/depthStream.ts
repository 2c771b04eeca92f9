// `<symbol>@depth` (conventions, 13.4): the changes of a book, at the speed in the name.

import type { Opening } from '../fanout.ts';
import { followBook, isUnchanged } from '../marketFeed.ts';
import { takeChanges } from '../native/depthOpening.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';
import { depthChain, depthLevels } from './depthChain.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

export function depthStream(
  context: StreamContext,
  { name, market, everyMs }: Extract<NamedStream, { kind: 'depth' }>,
): Opening {
  return publicOpening(context, name, (send) => {
    const { changes, end } = followBook(context.markets, market.id);
    const next = depthChain(context, market);
    const run = (): boolean => {
      if (isUnchanged(changes)) return false;
      send({ ...next(), ...depthLevels(market, takeChanges(market, changes)) });
      return true;
    };
    const stop = addRhythm(context.rhythms, { everyMs, run });
    return () => {
      stop();
      end();
    };
  });
}
