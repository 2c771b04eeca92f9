// The listeners of the crowd: readers of books, of trades, of accounts and of user data. The number
// of each follows from the seed.

import { createPrng, type Prng } from '../../../src/std/prng.ts';
import type { Judge } from '../oracles/createJudge.ts';
import type { ClientWorld, LifeView, Violation } from '../ports.ts';
import type { Actor } from './actor.ts';
import { createAccountListener } from './createAccountListener.ts';
import { createBookReader } from './createBookReader.ts';
import { createDiffBook } from './createDiffBook.ts';
import { createUserListener } from './createUserListener.ts';
import type { Diary } from './diary.ts';
import type { Feed, FeedMeans } from './feed.ts';

export type Listeners = {
  readonly start: () => void;
  /** From now on they stay connected. */
  readonly stop: () => void;
  readonly check: (view: LifeView, judge: Judge) => readonly Violation[];
};

type Parts = {
  readonly diary: Diary;
  readonly prng: Prng;
  readonly actors: readonly Actor[];
};

export function createListeners(world: ClientWorld, { diary, prng, actors }: Parts): Listeners {
  let addresses = 0;
  const means = (): FeedMeans => {
    addresses += 1;
    const address = `203.0.113.${addresses % 250}`;
    return { world, diary, prng: createPrng(prng.below(2 ** 31)), address };
  };
  const drawn = (most: number): Actor[] => actors.slice(0, 1 + prng.below(most));
  const feeds: Feed[] = [createBookReader(means())];
  if (prng.below(2) === 0) feeds.push(createBookReader(means()));
  for (const market of world.markets) {
    if (prng.below(3) > 0) feeds.push(createDiffBook(means(), actors[0]!, market));
  }
  for (const { key } of drawn(4)) {
    if (key.token !== undefined) feeds.push(createAccountListener(means(), key));
  }
  for (const actor of drawn(4)) feeds.push(createUserListener(means(), actor));
  return {
    start: () => {
      for (const { open } of feeds) open();
    },
    stop: () => {
      for (const { calm } of feeds) calm();
    },
    check: (view, judge) => feeds.flatMap(({ check }) => [...check(view, judge)]),
  };
}
