// What every listener of the crowd offers: it listens, and at the end of a run its copy is compared
// with the state.

import type { Prng } from '../../../src/std/prng.ts';
import type { Judge } from '../oracles/createJudge.ts';
import type { ClientWorld, LifeView, Violation } from '../ports.ts';
import type { StreamLine } from './createStreamLine.ts';
import type { Diary } from './diary.ts';

export type Feed = {
  readonly open: () => void;
  /** From now on it stays connected. */
  readonly calm: () => void;
  /** Compares its copy with the state, when it has certainly read everything. */
  readonly check: (view: LifeView, judge: Judge) => readonly Violation[];
};

export type FeedMeans = {
  readonly world: ClientWorld;
  readonly diary: Diary;
  readonly prng: Prng;
  readonly address: string;
};

/** Beats of the exchange take less time: a question after that is answered behind all messages. */
const beatMs = 400;

/**
 * Whether everything that was ever sent has been read: nothing happened for a while, and a question
 * in that time has got its answer.
 */
export function hasReadAll({ clock }: ClientWorld, line: StreamLine, judge: Judge): boolean {
  const quiet = judge.quietMs();
  return quiet > beatMs && line.readUntil() > clock.now() - quiet + beatMs;
}
