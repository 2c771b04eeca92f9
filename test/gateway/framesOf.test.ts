// The frames that many sockets share.

import { expect, test } from 'vitest';
import { framesOf, textFrame } from '../../src/gateway/sockets/framesOf.ts';

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

test('CON-7 messages have one frame each for all their readers, made once', () => {
  const shared = { texts: ['first', 'second'].map((text) => Buffer.from(text)), frames: undefined };
  const frames = framesOf(shared);
  expect(frames).toEqual(Buffer.concat(shared.texts.map(textFrame)));
  expect(framesOf(shared)).toBe(frames);
});
