// What the batch operations of both surfaces share (ORD-8). Items are independent. Each item is
// answered in its place by an order or by `{code,msg}`, natively `{code,message}`. The request
// fails as a whole only when its list is malformed.

import { Type } from 'typebox';
import type { Batch } from '../../engine/command.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { must } from '../../std/assert.ts';
import type { Lane } from '../deployment.ts';
import { fapiErrorText } from '../errors/failureAnswer.ts';
import type { Value } from '../fields.ts';
import type { Answer, Answered, Failure, Intent } from '../operation.ts';
import { failureSchema, orderRecordSchema } from '../orderRecord.ts';

export const batchResponse = Type.Array(Type.Union([orderRecordSchema, failureSchema]));

/** An item that became a command, and the function that turns its own outcome into text. */
export type BatchItem = {
  readonly command: Batch['items'][number];
  readonly answer: (outcome: Outcome) => string | Failure | Promise<string | Failure>;
};

/** A command; or why there is none, which only history may know. */
export type BatchEntry = BatchItem | Failure | Promise<Failure>;

type Result = string | Failure | Promise<string | Failure>;

type BatchRequest = {
  readonly list: readonly Value[];
  /** An empty or too long list is malformed (-1102). */
  readonly bound: { readonly name: string; readonly max: number };
  readonly itemOf: (value: Value) => BatchEntry;
  readonly lane: Lane;
  /** Writes an item that failed in the form of the surface. */
  readonly errorText?: (failure: Failure) => string;
};

/**
 * One command for all items that are commands. When no item is a command: the answer, without a
 * command.
 */
export function batchIntent({
  list,
  bound: { name, max },
  itemOf,
  lane,
  errorText = fapiErrorText,
}: BatchRequest): Intent | Answer | Failure | Promise<Answer> {
  if (list.length === 0 || list.length > max) return { reason: 'parameterMalformed', name };
  const items = list.map(itemOf);
  const commands = items.filter((item): item is BatchItem => 'command' in item);
  if (commands.length === 0) return listAnswer(items as Result[], errorText);
  return {
    command: { kind: 'batch', items: commands.map(({ command }) => command) },
    lane,
    isPart: commands.length < items.length,
    answer: (outcome): Answered => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      const outcomes = must(outcome.items, 'a batch has an outcome for each item');
      let next = 0;
      const results = items.map((item) => {
        if (!('command' in item)) return item;
        const own = must(outcomes[next], 'a batch has an outcome for each item');
        next += 1;
        return item.answer(own);
      });
      return listAnswer(results, errorText);
    },
  };
}

function listAnswer(
  results: readonly Result[],
  errorText: (failure: Failure) => string,
): Answer | Promise<Answer> {
  const itemText = (result: string | Failure): string =>
    typeof result === 'string' ? result : errorText(result);
  const answerOf = (made: readonly (string | Failure)[]): Answer => ({
    status: 200,
    text: `[${made.map(itemText).join(',')}]`,
  });
  return results.some((result) => result instanceof Promise)
    ? Promise.all(results).then(answerOf)
    : answerOf(results as (string | Failure)[]);
}
