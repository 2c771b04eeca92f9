// The answer of settings and of what concerns many orders: `{code: 200, msg}`.

import { Type } from 'typebox';
import { exactObject, plainText } from '../answerSchema.ts';

export const doneSchema = exactObject({
  code: Type.Literal(200),
  msg: plainText('That it is done.'),
});

export const success = { code: 200, msg: 'success' };

/** Of an operation that cancels all: one stock client knows the text. */
export const allCancelled = { code: 200, msg: 'The operation of cancel all open order is done.' };
