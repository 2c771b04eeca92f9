// Which waiting triggers of a market fire at its new mark (TRG-1, TRG-4): they leave the waiting
// ones as a wave.

import { type SortedSet, sortedTakeUpTo } from '../../std/sortedSet.ts';
import type { MarketId, Rate, Ticks } from '../../units/units.ts';
import type { Trigger } from '../trigger.ts';
import { rankOf, trailingStop } from './trailing.ts';
import { cutRun, type TrailingRun } from './trailingRun.ts';
import { cutTurned, followMark, type TrailingSide } from './trailingSide.ts';
import type { WaitingTriggers } from './waitingTriggers.ts';
import { addPiece, createWave, isEmpty, type Wave, type WaveBlock } from './wave.ts';

export type Move = {
  readonly market: MarketId;
  readonly markBefore: Ticks;
  readonly mark: Ticks;
  /** Whether the triggers that only reduce are meant, or the others. */
  readonly reduces: boolean;
};

/**
 * The triggers of one kind whose price the mark has reached or passed, as a wave; undefined when
 * there are none. The trailing triggers that do not fire follow the mark. Cost: the groups of
 * trailing ones, and the blocks of those that fire; none of it grows with those that only wait.
 */
export function cutDue(
  triggers: WaitingTriggers,
  { market, markBefore, mark, reduces }: Move,
): Wave | undefined {
  const waiting = reduces ? triggers.reducing : triggers.opening;
  const wave = createWave({ market, markBefore, reduces });
  cutSorted(wave, waiting.rising, mark, markBefore);
  cutSorted(wave, waiting.falling, -mark, -markBefore);
  for (const trailing of [waiting.buying, waiting.selling]) {
    cutTrailing(wave, trailing, mark);
    followMark(trailing, mark);
  }
  return isEmpty(wave) ? undefined : wave;
}

/**
 * Triggers whose key is at most `keyMax`. A market that was not live may have left some behind the
 * mark before: they come in the opposite direction.
 */
function cutSorted(wave: Wave, set: SortedSet<Trigger>, keyMax: number, keyBefore: number): void {
  const trailing = undefined;
  const behind = sortedTakeUpTo(set, Math.min(keyMax, keyBefore));
  if (behind.length > 0) addPiece(wave, { blocks: behind, step: -1, trailing });
  const ahead = sortedTakeUpTo(set, keyMax);
  if (ahead.length > 0) addPiece(wave, { blocks: ahead, step: 1, trailing });
}

function cutTrailing(wave: Wave, side: TrailingSide, mark: Ticks): void {
  const rankBefore = rankOf(side.side, wave.markBefore);
  for (const ahead of cutTurned(side, mark)) {
    const { group } = ahead;
    const trailing = { side: side.side, extreme: group.extreme };
    const isBehind = (callbackRate: Rate): boolean =>
      rankOf(side.side, trailingStop({ ...trailing, callbackRate })) > rankBefore;
    const behind = cutRun(ahead, group, isBehind);
    if (behind.size > 0) addPiece(wave, { blocks: blocksOf(behind), step: -1, trailing });
    if (ahead.size > 0) addPiece(wave, { blocks: blocksOf(ahead), step: 1, trailing });
  }
}

const blocksOf = ({ blocks }: TrailingRun): WaveBlock[] =>
  blocks.map(({ items, callbacks }) => ({ items, keys: callbacks }));
