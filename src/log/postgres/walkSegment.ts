// Walks one segment that may be damaged, to where it stops being a part of the log.

import { followsHead } from '../file/frame.ts';
import { createFrameCursor, nextFrame } from '../file/frameCursor.ts';
import { readSeal, type Segment } from '../file/segment.ts';
import { LogDamaged, type LogHead } from '../log.ts';

export type Walked = {
  readonly head: LogHead;
  /** Where its sound frames end. */
  readonly offset: number;
  /** They are sound up to a seal that belongs to them. */
  readonly whole: boolean;
};

export function walkSegment(segment: Segment): Walked {
  const cursor = createFrameCursor(segment);
  try {
    while (typeof nextFrame(cursor) !== 'string');
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
  }
  const { head, offset } = cursor;
  const seal = readSeal(segment);
  return { head, offset, whole: typeof seal !== 'string' && followsHead(seal, head) };
}
