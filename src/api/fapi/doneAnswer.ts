// The answer of settings and of what concerns many orders: `{code: 200, msg}`.

import { Type } from 'typebox';

export const doneSchema = Type.Object({ code: Type.Literal(200), msg: Type.String() });

export const success = { code: 200, msg: 'success' };

/** Of an operation that cancels all: one stock client knows the text. */
export const allCancelled = { code: 200, msg: 'The operation of cancel all open order is done.' };
