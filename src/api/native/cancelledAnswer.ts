// The answer of operations that cancel everything: how many orders or triggers they ended.

import type { Outcome } from '../../engine/outcome.ts';
import { must } from '../../std/assert.ts';
import { countNumber, exactObject } from '../answerSchema.ts';
import { type Fields, isSent } from '../fields.ts';
import { type Answered, answerJson } from '../operation.ts';
import type { Refusal } from '../refusal.ts';

export const cancelledSchema = exactObject({ cancelled: countNumber() });

export function cancelledAnswer(outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  return answerJson({ cancelled: must(outcome.cancelled, 'a mass cancel counts what it ended') });
}

/** A symbol that is there without a value must not read as every symbol. */
export function requiresWholeSymbol(_read: unknown, fields: Fields): Refusal | undefined {
  const isEmpty = fields.has('symbol') && !isSent(fields, 'symbol');
  return isEmpty ? { reason: 'parameterMissing', name: 'symbol' } : undefined;
}
