// The acceptance rule of signed requests (AUTH-2; conventions, section 2): the signature is over
// the query followed by the body, as received or decoded, however the client sends its parameters.

import type { Refusal } from '../api/refusal.ts';
import { type HmacKey, hmacMatches } from './identity/hmacSignature.ts';
import { cutPair, type Pair, type Pairs, rejoinDecoded } from './parsePairs.ts';
import type { RequestBody } from './requestBody.ts';

/** How far a timestamp may be from the clock, either way, in milliseconds. */
export const timestampWindowMs = 60_000;

export type SignedRequest = {
  readonly query: Pairs;
  readonly body: RequestBody;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

const invalid: Refusal = { reason: 'signatureInvalid' };
const outsideWindow: Refusal = { reason: 'timestampOutsideWindow' };
const timestampPattern = /^\d{1,16}$/;

type Found = { readonly pair: Pair | undefined; readonly inForm: boolean; readonly count: number };

function findPair(key: string, query: Pairs, form: Pairs): Found {
  let pair: Pair | undefined;
  let inForm = false;
  let count = 0;
  for (const item of query.items) {
    if (item.key !== key) continue;
    pair ??= item;
    count += 1;
  }
  for (const item of form.items) {
    if (item.key !== key) continue;
    if (pair === undefined) {
      pair = item;
      inForm = true;
    }
    count += 1;
  }
  return { pair, inForm, count };
}

/**
 * undefined when the signature matches and the timestamp is inside the window. signatureInvalid:
 * the signature or timestamp is missing or there twice, the HMAC is wrong, or the border of query
 * and form may have been moved. timestampOutsideWindow: a good signature with a stale timestamp.
 * `matches` gives the result of `signatureMatches`, now or from before.
 */
export function checkSignature(
  matches: () => boolean,
  { now, ...signed }: SignedRequest,
): Refusal | undefined {
  const timestamp = signedTimestamp(matches, signed);
  return timestamp === undefined ? invalid : checkAge(timestamp, now);
}

/** The same without a clock: the timestamp of a request whose signature is good. */
export function signedTimestamp(
  matches: () => boolean,
  { query, body }: Omit<SignedRequest, 'now'>,
): number | undefined {
  const signature = findPair('signature', query, body.form);
  const timestamp = findPair('timestamp', query, body.form);
  if (signature.pair === undefined || signature.count > 1) return undefined;
  if (timestamp.pair === undefined || timestamp.count > 1) return undefined;
  const { value } = timestamp.pair;
  if (!timestampPattern.test(value) || !hasWholeBorder(query, body.form)) return undefined;
  return matches() ? Number(value) : undefined;
}

/**
 * Whether the border between query and form lies between whole pairs. The signed text does not mark
 * it, so that somebody could divide `price=59000` into `price=59` and `000`, or move the next pair
 * into the value before it. Both leave a pair beside the border that has no `=`, or two.
 */
function hasWholeBorder(query: Pairs, form: Pairs): boolean {
  const last = query.items.findLast(isSignedPair);
  if (last === undefined) return true;
  const before = equalsIn(query, last);
  const first = form.items.find(isSignedPair);
  if (first === undefined) return before < 2;
  return before === 1 && equalsIn(form, first) === 1 && first.name !== '';
}

const isSignedPair = ({ key }: Pair): boolean => key !== 'signature';

/** How many `=` a pair has as sent: 0, 1, or 2 for more. */
function equalsIn({ raw }: Pairs, { start, end }: Pair): number {
  const first = raw.indexOf('=', start);
  if (first < 0 || first >= end) return 0;
  const second = raw.indexOf('=', first + 1);
  return second < 0 || second >= end ? 1 : 2;
}

/** signatureInvalid if it is not a timestamp, timestampOutsideWindow if it is stale. */
export function checkTimestamp(text: string, now: number): Refusal | undefined {
  return timestampPattern.test(text) ? checkAge(Number(text), now) : invalid;
}

/** timestampOutsideWindow if it is stale. */
export function checkAge(timestamp: number, now: number): Refusal | undefined {
  const age = now - timestamp;
  return age > timestampWindowMs || age < -timestampWindowMs ? outsideWindow : undefined;
}

/**
 * Whether the first signature of the request is the key's. Cost: one HMAC, two when the first fails
 * and decoding changes the text.
 */
export function signatureMatches(
  key: HmacKey,
  { query, body }: Pick<SignedRequest, 'query' | 'body'>,
): boolean {
  const { pair, inForm } = findPair('signature', query, body.form);
  if (pair === undefined) return false;
  const bytes = body.kind === 'json' ? body.bytes : undefined;
  const signature = pair.value;
  const plainQuery = inForm ? query.raw : cutPair(query, pair);
  const plainForm = inForm ? cutPair(body.form, pair) : body.form.raw;
  if (hmacMatches(key, { text: plainQuery + plainForm, body: bytes, signature })) return true;
  if (!query.encoded && !body.form.encoded) return false;
  const joinedQuery = rejoinDecoded(query, pair);
  const joinedForm = rejoinDecoded(body.form, pair);
  if (joinedQuery === undefined || joinedForm === undefined) return false;
  return hmacMatches(key, { text: joinedQuery + joinedForm, body: bytes, signature });
}

/** Whether the request has a signature, or several. */
export function isSigned({ query, body }: SignedRequest): boolean {
  return findPair('signature', query, body.form).count > 0;
}
