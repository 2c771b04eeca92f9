// What every listener of the crowd offers: it listens, and at the end of a life its copy is held
// against the state.

import type { Prng } from '../../../src/std/prng.ts';
import type { Judge } from '../oracles/createJudge.ts';
import type { ClientWorld, LifeView, Violation } from '../ports.ts';
import type { StreamLine } from './createStreamLine.ts';
import type { Diary } from './diary.ts';

export type Feed = {
  readonly open: () => void;
  /** From now on it stays connected. */
  readonly calm: () => void;
  /** Compares its copy with the state, when it has certainly read all. */
  readonly check: (view: LifeView, judge: Judge) => readonly Violation[];
};

export type FeedMeans = {
  readonly world: ClientWorld;
  readonly diary: Diary;
  readonly prng: Prng;
  readonly address: string;
};

/** Beats of the exchange take less: a question from then on is answered behind all messages. */
const beatMs = 400;

/**
 * Whether all that was ever sent has been read: nothing happened for a while, and a question that
 * was asked in this while has been answered.
 */
export function hasReadAll({ clock }: ClientWorld, line: StreamLine, judge: Judge): boolean {
  const quiet = judge.quietMs();
  return quiet > beatMs && line.readUntil() > clock.now() - quiet + beatMs;
}
