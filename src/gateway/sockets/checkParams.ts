// The signature of a request over the trading socket (WS-6; conventions, 14.2): the HMAC over its
// parameters in the order of their names, percent-encoded or, as some stock clients sign, raw.

import type { Refusal } from '../../api/refusal.ts';
import { checkTimestamp } from '../checkSignature.ts';
import { type HmacKey, hmacMatches } from '../identity/hmacSignature.ts';
import { isAmbiguous } from '../parsePairs.ts';
import type { TradingFrame } from './tradingFrame.ts';

const base64 = /^[A-Za-z0-9+/]{43}=$/;

/**
 * undefined when the signature, hex or base64, is the key's and the timestamp is in the window
 * (AUTH-2). Cost: one HMAC, two when the first fails and the two texts differ.
 */
export function checkParams(
  key: HmacKey,
  { written, params }: Pick<TradingFrame, 'written' | 'params'>,
  now: number,
): Refusal | undefined {
  const stale = checkTimestamp(params.get('timestamp') ?? '', now);
  if (stale?.reason === 'signatureInvalid') return stale;
  const sent = params.get('signature') ?? '';
  const signature = base64.test(sent) ? Buffer.from(sent, 'base64').toString('hex') : sent;
  const signed = written.filter(([name]) => name.toLowerCase() !== 'signature').sort(byName);
  const encoded = joined(signed, encodedText);
  if (encoded !== undefined && hmacMatches(key, { text: encoded, signature })) return stale;
  const raw = joined(signed, rawText);
  if (raw !== undefined && raw !== encoded && hmacMatches(key, { text: raw, signature })) {
    return stale;
  }
  return { reason: 'signatureInvalid' };
}

type Pair = readonly [name: string, value: string];

function byName([a]: Pair, [b]: Pair): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** undefined when one of the texts cannot be signed so. */
function joined(
  pairs: readonly Pair[],
  textOf: (text: string) => string | undefined,
): string | undefined {
  let text = '';
  for (const pair of pairs) {
    const [name, value] = pair.map(textOf);
    if (name === undefined || value === undefined) return undefined;
    text += `${text === '' ? '' : '&'}${name}=${value}`;
  }
  return text;
}

const encodedText = (text: string): string | undefined =>
  text.isWellFormed() ? encodeURIComponent(text) : undefined;

const rawText = (text: string): string | undefined => (isAmbiguous(text) ? undefined : text);
