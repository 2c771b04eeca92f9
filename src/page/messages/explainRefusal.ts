// What a refusal of the exchange means in the person's language, and the part of an order that it
// concerns. Most visits see none, so this is loaded with the first one (refusals.ts).

import type { ApiError } from '../../client/apiError.ts';
import { refusalMessages } from './refusalMessages.ts';
import { type RefusalSentence, type RefusedPart, refusalSentence } from './refusalSentence.ts';

/** Codes whose own words name what is wrong. */
const detailed: ReadonlySet<string> = new Set([
  'INVALID_PARAMETER',
  'INVALID_AMOUNT',
  'LIMIT_REACHED',
  'OI_CAP_EXCEEDED',
  'CONFLICT',
  'CIRCUIT_OPEN',
  'REFERRAL_NOT_ELIGIBLE',
]);

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

export function explainRefusal({ code: given, detail }: ApiError): RefusalSentence {
  const sentence = refusalSentence(detail);
  if (sentence !== undefined) return sentence;
  const code = String(given);
  return { part: partsByCode[code] ?? 'order', text: textOf(code, detail) };
}

function textOf(code: string, detail: string): string {
  const said = (refusalMessages() as Readonly<Record<string, string>>)[code];
  if (said === undefined) return detail;
  return detailed.has(code) ? `${said} ${detail}` : said;
}
