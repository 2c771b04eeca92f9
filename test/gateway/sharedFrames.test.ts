// The frame that many sockets share.

import { expect, test } from 'vitest';
import { createSharedFrames, textFrame } from '../../src/gateway/sockets/sharedFrames.ts';

// The three forms of a length (RFC 6455, 5.2), at both ends of each.
test.each([
  [0, '8100'],
  [1, '8101'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
])('CON-7 a text of %i bytes has its head before it', (length, head) => {
  const payload = Buffer.alloc(length, 'a');
  expect(textFrame(payload).toString('hex')).toBe(head + payload.toString('hex'));
});

test('CON-7 a message has one frame for all its readers, in both of its forms', () => {
  const frameOf = createSharedFrames();
  const payloads = ['plain', 'wrapped'].map((text) => Buffer.from(text));
  const [plain, wrapped] = payloads.map(frameOf);
  for (let i = 0; i < 3; i += 1) {
    expect(frameOf(payloads[0]!)).toBe(plain);
    expect(frameOf(payloads[1]!)).toBe(wrapped);
  }
  expect(frameOf(Buffer.from('plain'))).toEqual(plain);
  expect(frameOf(payloads[1]!)).toBe(wrapped);
});
