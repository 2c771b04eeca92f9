// How a tree is made: in short steps of this thread, or by a process of its own
// (createTreeProcess.ts).

import type { Liabilities } from '../engine/views/liabilities.ts';
import type { Clock } from '../std/clock.ts';
import { growTree, type TreePlace } from './tree.ts';
import { type FiledTree, readTree, type TreeDirectory, writeTree } from './writeTree.ts';

/** `more`: there is more to do here; `waiting`: it is done elsewhere. */
export type Grown = FiledTree | 'more' | 'waiting';

/** A tree that is being made or read. */
export type Growing = {
  /** Throws when there will be no tree. */
  readonly step: (until: number) => Grown;
  /** Its file stays unfinished. */
  readonly stop: () => void;
};

/** One tree at a time. It writes files and publishes none. */
export type TreeGrower = {
  /** `owed` stays as it is until the tree is there. */
  readonly make: (at: TreePlace, owed: Liabilities) => Growing;
  readonly read: (position: number) => Growing;
};

/** In this thread; without a directory nothing is written. */
export const growHere = (place: TreeDirectory | undefined, clock: Clock): TreeGrower => ({
  make: (at, owed) => stepping(makeTree(place, at, owed), clock),
  read: (position) => stepping(readTree(place!, position), clock),
});

/** In short steps. Throws as `growTree` and `writeTree`. */
export function* makeTree(
  place: TreeDirectory | undefined,
  at: TreePlace,
  owed: Liabilities,
): Generator<void, FiledTree> {
  return yield* writeTree(place, yield* growTree(at, owed));
}

const stepping = (steps: Generator<void, FiledTree>, clock: Clock): Growing => ({
  step: (until) => {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (clock.now() >= until) return 'more';
    }
  },
  // Lets it close its file.
  stop: () => void steps.return(undefined as never),
});
