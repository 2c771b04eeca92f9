// The channel `depth:<symbol>:<levels>` (WS-1): the best prices of a book, all of them in each
// message, whenever they have changed, at most four times a second. All numbers of levels are cut
// from one picture of the book, which is made once for all readers.

import { depthOfMarket, updateIdOf } from '../../engine/views/depthOfMarket.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Time } from '../../units/units.ts';
import { type Opening, publish } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';
import { levelTexts } from './depthOpening.ts';

/** How many prices of each side a reader can choose. */
export const levelCounts = [5, 10, 20, 50] as const;
export type LevelCount = (typeof levelCounts)[number];

const levelsMax = Math.max(...levelCounts);

/** A book as it was at a moment; each level as text, best first. */
export type BookPicture = {
  readonly updateId: number;
  readonly madeAt: number;
  readonly time: Time;
  readonly bids: readonly string[];
  readonly asks: readonly string[];
};

export type LevelChoice = { readonly market: Market; readonly levels: LevelCount };

export function levelsOpening(context: StreamContext, { market, levels }: LevelChoice): Opening {
  const { fanout, rhythms, bounds } = context;
  const { symbol } = market;
  const name = `depth:${symbol}:${levels}`;
  const sidesOf = ({ bids, asks }: BookPicture): string =>
    `"bids":[${bids.slice(0, levels).join(',')}],"asks":[${asks.slice(0, levels).join(',')}]`;
  const text = (time: Time, sides: string): string =>
    `{"type":"levels","channel":"${name}","symbol":"${symbol}","time":${time},${sides}}`;
  return {
    key: name,
    name,
    resumable: false,
    open: (channel) => {
      let seen = pictureOf(context, market);
      let reported = sidesOf(seen);
      const run = (): boolean => {
        const picture = pictureOf(context, market);
        if (picture === seen) return false;
        seen = picture;
        const sides = sidesOf(picture);
        if (sides === reported) return false;
        reported = sides;
        publish(fanout, channel(), () => text(picture.time, sides));
        return true;
      };
      // How old the picture is decides when the next one comes, at once for all readers.
      const stop = addRhythm(rhythms, { everyMs: bounds.levelsMs, run });
      return { snapshot: () => text(seen.time, reported), close: stop };
    },
  };
}

/** The last picture of the book, or a new one when the book has changed and it is time. */
function pictureOf(context: StreamContext, market: Market): BookPicture {
  const { pictures, clock, bounds, exchange } = context;
  const known = pictures.get(market.id);
  const updateId = updateIdOf(market);
  const madeAt = clock.now();
  if (known !== undefined) {
    const age = madeAt - known.madeAt;
    // After a clock was set back, the next picture is made now.
    const isYoung = age >= 0 && age < bounds.levelsMs;
    if (known.updateId === updateId || isYoung) return known;
  }
  const { bids, asks } = depthOfMarket(market, levelsMax);
  const picture = {
    updateId,
    madeAt,
    time: exchange.time,
    bids: levelTexts(market, bids),
    asks: levelTexts(market, asks),
  };
  pictures.set(market.id, picture);
  return picture;
}
