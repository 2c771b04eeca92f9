// Keeps the fifth of its side's deleveraging ranking in which each position stands (LIQ-7). The
// exchange ranks a whole side for that, and only when it is asked: the account's channel has no
// ranks, so they are read with the positions, seldom, while there are any.

import { computed, effect, type Signal } from '@preact/signals';
import type { Position } from './account.ts';
import { isShort } from './closePosition.ts';
import type { Page } from './page.ts';

/** From 0 to 4, which is closed first; by `rankKey`. What is not known is not in it. */
export type DeleveragingRanks = ReadonlyMap<string, number>;

/** A rank belongs to a side: it says nothing about a position that was reversed since. */
export const rankKey = (position: Pick<Position, 'symbol' | 'position_amt'>): string =>
  `${position.symbol} ${isShort(position) ? 'SELL' : 'BUY'}`;

type Needs = Pick<Page, 'session' | 'requests' | 'account'> & {
  readonly deleveragingRanks: Signal<DeleveragingRanks>;
};

const againMs = 15_000;
/** A ranking is up to a second old: a new position is not in it before. */
const settledMs = 1500;

/** Gives a function that ends it. */
export function keepDeleveragingRanks(page: Needs): () => void {
  const { session, requests, account, deleveragingRanks } = page;
  const held = computed(() => [...account.positions.value.values()].map(rankKey).sort().join());
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers to what was asked before the positions changed are too late. */
  let turn = 0;
  const read = async (): Promise<void> => {
    const mine = turn;
    const ranks = new Map<string, number>();
    try {
      for (const position of await requests.listPositions({})) {
        if (position.adl_quantile !== null) ranks.set(rankKey(position), position.adl_quantile);
      }
    } catch {
      // They are then not known; the next time may be better.
    }
    if (mine !== turn) return;
    deleveragingRanks.value = ranks;
    timer = setTimeout(() => void read(), againMs);
  };
  const stop = effect(() => {
    const isNeeded = held.value !== '' && session.login.value?.address !== undefined;
    turn += 1;
    clearTimeout(timer);
    if (isNeeded) timer = setTimeout(() => void read(), settledMs);
    else deleveragingRanks.value = new Map();
  });
  return () => {
    turn += 1;
    stop();
    clearTimeout(timer);
  };
}
