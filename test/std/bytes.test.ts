// Work with bytes outside of the codecs, which have their own tests.

import { expect, test } from 'vitest';
import { freeReceived } from '../../src/std/bytes.ts';

test('received bytes with their own memory are freed, and those of pools are not', () => {
  const own = Buffer.alloc(8192, 'a');
  freeReceived(own);
  expect(own.length).toBe(0);
  const part = Buffer.alloc(8192, 'a').subarray(1);
  const pooled = Buffer.from('a'.repeat(100));
  const small = Buffer.alloc(4096, 'a');
  for (const bytes of [part, pooled, small]) {
    const { length } = bytes;
    freeReceived(bytes);
    expect(bytes.length).toBe(length);
    expect(bytes.toString()).toBe('a'.repeat(length));
  }
});
