// What the three native batch operations share besides batchItems.ts (ORD-8): their answer, and the
// names of their lists.

import { Type } from 'typebox';
import { exactObject, namedAnswerSchema, plainText } from '../answerSchema.ts';
import { nativeOrderSchema } from './nativeOrder.ts';

const nativeErrorSchema = namedAnswerSchema(
  'NativeItemError',
  exactObject({
    code: plainText('As in the envelope of an error.'),
    message: plainText('As in the envelope of an error.'),
  }),
);

/** Each item in its place: the order, or why there is none. */
export const nativeBatchResponse = Type.Array(Type.Union([nativeOrderSchema, nativeErrorSchema]));
