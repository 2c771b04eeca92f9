// What both bare servers need for a request: the keys of its HMAC and the bytes of the answer.

import { type HmacKey, makeHmacKey } from '../src/gateway/identity/hmacSignature.ts';

export type BareSetup = {
  /** API key and secret. */
  readonly keys: readonly (readonly [string, string])[];
  /** The length of a body that makes its answers as long as those of the exchange. */
  readonly bodyBytes: number;
};

export function bareWork({ keys, bodyBytes }: BareSetup): {
  readonly hmacKeys: ReadonlyMap<string, HmacKey>;
  readonly answer: string;
} {
  const answer = JSON.stringify({ padding: '' });
  return {
    hmacKeys: new Map(keys.map(([apiKey, secret]) => [apiKey, makeHmacKey(secret)])),
    answer: answer.replace('""', `"${'x'.repeat(bodyBytes - answer.length)}"`),
  };
}
