// Where the ticket shows a refusal of the exchange, and in which words.

import { ApiError } from '../../client/apiError.ts';
import { failureText } from '../messages/failureText.ts';
import type { RefusalSentence } from '../messages/refusalSentence.ts';
import { refusalOf } from '../messages/refusals.ts';

export const refusalPlace = (error: unknown): RefusalSentence =>
  error instanceof ApiError ? refusalOf(error) : { part: 'order', text: failureText(error) };
