// The answer of operations that cancel everything: how many orders or triggers they ended.

import type { Outcome } from '../../engine/outcome.ts';
import { must } from '../../std/assert.ts';
import { countNumber, exactObject } from '../answerSchema.ts';
import { type Answered, answerJson } from '../operation.ts';

export const cancelledSchema = exactObject({ cancelled: countNumber() });

export function cancelledAnswer(outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  return answerJson({ cancelled: must(outcome.cancelled, 'a mass cancel counts what it ended') });
}
