// Where the ticket shows a refusal of the exchange, and in which words.

import { ApiError } from '../../client/apiError.ts';
import { failureText } from '../messages/failureText.ts';
import {
  type RefusalSentence,
  type RefusedPart,
  refusalSentence,
} from '../messages/refusalSentence.ts';

const partsByCode: Readonly<Record<string, RefusedPart>> = {
  INSUFFICIENT_BALANCE: 'size',
  OI_CAP_EXCEEDED: 'size',
  POSITION_LIMIT: 'size',
  INVALID_LEVERAGE: 'leverage',
  SLIPPAGE_EXCEEDED: 'slippage',
  ORDER_WOULD_MATCH: 'price',
  PRICE_OUT_OF_BAND: 'price',
  PRICE_REQUIRED: 'price',
  REDUCE_ONLY_REJECTED: 'reduceOnly',
};

export function refusalPlace(error: unknown): RefusalSentence {
  const text = failureText(error);
  if (!(error instanceof ApiError)) return { part: 'order', text };
  const part = refusalSentence(error.detail)?.part ?? partsByCode[String(error.code)];
  return { part: part ?? 'order', text };
}
