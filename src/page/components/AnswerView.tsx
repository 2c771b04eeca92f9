// Shows an answer of the exchange, or that it is awaited, or why there is none.

import type { ComponentChildren } from 'preact';
import { failureText } from '../messages/failureText.ts';
import { generalMessages } from '../messages/generalMessages.ts';
import type { Answered } from './useAnswer.ts';

export type AnswerViewProps<T> = {
  readonly of: Answered<T>;
  readonly children: (answer: T) => ComponentChildren;
};

export function AnswerView<T>({ of: { answer, failure, again }, children }: AnswerViewProps<T>) {
  const text = generalMessages();
  return (
    <>
      {failure !== undefined && (
        <p class="answer-failure" role="alert">
          {failureText(failure)}{' '}
          <button type="button" class="button-small" onClick={again}>
            {text.again}
          </button>
        </p>
      )}
      {answer !== undefined && children(answer)}
      {answer === undefined && failure === undefined && (
        <p class="muted" role="status">
          {text.reading}
        </p>
      )}
    </>
  );
}
