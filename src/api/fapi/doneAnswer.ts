// The answer of settings, and of operations on many orders: `{code: 200, msg}`.

import { Type } from 'typebox';
import { exactObject, plainText } from '../answerSchema.ts';

export const doneSchema = exactObject({
  code: Type.Literal(200),
  msg: plainText('A confirmation.'),
});

export const success = { code: 200, msg: 'success' };

/** For operations that cancel everything: one stock client expects this text. */
export const allCancelled = { code: 200, msg: 'The operation of cancel all open order is done.' };
