// AUTH-2: the HMAC of signed requests, against Node's own as the second opinion.

import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dummyHmacKey,
  hmacHex,
  hmacMatches,
  makeHmacKey,
} from '../../src/gateway/identity/hmacSignature.ts';

describe('AUTH-2 HMAC', () => {
  it('is RFC 4231 test case 2', () => {
    expect(hmacHex(makeHmacKey('Jefe'), 'what do ya want for nothing?', undefined)).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('equals createHmac for any secret, text and body', () => {
    const secrets = fc.stringMatching(/^[0-9a-f]{1,64}$/);
    const bodies = fc.option(fc.uint8Array({ maxLength: 300 }), { nil: undefined });
    fc.assert(
      fc.property(secrets, fc.string({ unit: 'grapheme' }), bodies, (secret, text, body) => {
        const expected = createHmac('sha256', secret).update(text);
        if (body !== undefined) expected.update(body);
        expect(hmacHex(makeHmacKey(secret), text, body)).toBe(expected.digest('hex'));
      }),
      { numRuns: 500 },
    );
  });

  it('equals createHmac for long texts and bodies, and for short ones after them', () => {
    const secretKey = randomBytes(32).toString('hex');
    const key = makeHmacKey(secretKey);
    for (const size of [16_000, 5, 16_384, 16_385, 1_000_000, 0, 5461, 5462]) {
      const [text, body] = ['ü'.repeat(size), randomBytes(size)];
      const expected = createHmac('sha256', secretKey).update(text).update(body).digest('hex');
      expect(hmacHex(key, text, body), String(size)).toBe(expected);
    }
  });

  it('matches hex in either case, and nothing that differs', () => {
    const secretKey = randomBytes(32).toString('hex');
    const key = makeHmacKey(secretKey);
    const text = 'symbol=BTCUSDT&timestamp=1700000000000';
    const body = Buffer.from('{"side":"BUY"}');
    const signature = createHmac('sha256', secretKey).update(text).update(body).digest('hex');
    const signed = { text, body, signature };
    expect(hmacMatches(key, signed)).toBe(true);
    expect(hmacMatches(key, { ...signed, signature: signature.toUpperCase() })).toBe(true);
    expect(hmacMatches(dummyHmacKey, signed)).toBe(false);
    expect(hmacMatches(key, { ...signed, text: `${text}0` })).toBe(false);
    expect(hmacMatches(key, { text, signature })).toBe(false);
    for (let at = 0; at < 64; at += 1) {
      const digit = signature[at] === '0' ? '1' : '0';
      const changed = signature.slice(0, at) + digit + signature.slice(at + 1);
      expect(hmacMatches(key, { ...signed, signature: changed })).toBe(false);
    }
  });

  it('refuses malformed signatures: empty, short, long, other characters', () => {
    const key = makeHmacKey('Jefe');
    const text = 'what do ya want for nothing?';
    const right = hmacHex(key, text, undefined);
    // A character whose low byte is the right digit must not count as that digit.
    const wide = String.fromCharCode(right.charCodeAt(0) + 0x100) + right.slice(1);
    const malformed = [
      '',
      right.slice(1),
      `${right}0`,
      `0x${right}`,
      ` ${right}`,
      `${right}\n`,
      wide,
    ];
    for (const signature of malformed) expect(hmacMatches(key, { text, signature })).toBe(false);
    expect(hmacMatches(key, { text, signature: right })).toBe(true);
  });
});
