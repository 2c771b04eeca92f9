// Refusals of the exchange, explained once the explanations are there. Before that, and when they
// cannot be had, they are in the exchange's own words.

import type { ApiError } from '../../client/apiError.ts';
import type { RefusalSentence } from './refusalSentence.ts';

let explain: ((error: ApiError) => RefusalSentence) | undefined;
let reading: Promise<void> | undefined;

/** Reads the explanations once; it never rejects. */
export function readRefusals(): Promise<void> {
  reading ??= import('./explainRefusal.ts').then(
    (part) => {
      explain = part.explainRefusal;
    },
    () => {},
  );
  return reading;
}

export const refusalOf = (error: ApiError): RefusalSentence =>
  explain?.(error) ?? { part: 'order', text: error.detail };
