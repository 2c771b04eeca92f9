// The parts of a link that decide and do nothing: frames and messages as bytes, the pulse, the
// pauses between attempts, and which strangers get a handshake.

import { expect, test } from 'vitest';
import {
  createFrameReader,
  frameBytesMax,
  frameOf,
  LinkBreach,
  readFrames,
} from '../../src/link/frameReader.ts';
import {
  decodeMessage,
  encodeMessage,
  type LinkMessage,
  linkVersion,
  recordBytesMax,
  requestsMax,
} from '../../src/link/linkMessage.ts';
import {
  beatAfterMs,
  createPulse,
  nextLookMs,
  pulseDue,
  silentMaxMs,
} from '../../src/link/pulse.ts';
import { createRedial, pauseAfter } from '../../src/link/redial.ts';
import {
  admitStranger,
  createStrangers,
  endHandshake,
  failuresMax,
  failureWindowMs,
  handshakesMax,
} from '../../src/link/strangers.ts';
import { createPrng } from '../../src/std/prng.ts';

const hash = Buffer.alloc(32, 7);
const place = { position: 9, hash: hash.toString('hex') };
const messages: readonly LinkMessage[] = [
  { kind: 'hello', version: linkVersion, process: 'a', release: '1.2.3', engineHash: 'ab' },
  { kind: 'beat' },
  { kind: 'bye', why: 'enough – really' },
  { kind: 'follow', place },
  { kind: 'lead', epoch: 4, durable: place },
  {
    ...{ kind: 'batch', epoch: 4, position: 10, previousHash: hash, hash, time: 5, engineHash: '' },
    ...{ count: 2, commands: Buffer.from('two commands'), origins: Buffer.alloc(0), figures: 'f' },
  },
  { kind: 'settled', position: 11 },
  { kind: 'requests', requests: [{ number: 1, ageMs: 3, record: Buffer.from('order') }] },
  { kind: 'refused', number: 1, why: 'overloaded' },
  { kind: 'ask', number: 7 },
  { kind: 'durable', number: 7, position: 12 },
  { kind: 'uses', process: 'b', uses: [{ name: 'gate 10.0.0.1', until: 60_000, total: 7 }] },
  { kind: 'facts', facts: [{ name: 'price BTCUSDT', version: 3, until: 9, value: '1.5' }] },
];

test('every message comes back as it was, however its frames are cut into chunks', () => {
  const bytes = Buffer.concat(messages.map((message) => frameOf(encodeMessage(message))));
  for (let seed = 1; seed <= 50; seed += 1) {
    const prng = createPrng(seed);
    const reader = createFrameReader();
    const read: LinkMessage[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + prng.below(seed);
      for (const frame of readFrames(reader, bytes.subarray(at, end))) {
        read.push(decodeMessage(frame));
      }
      at = end;
    }
    expect(read).toEqual(messages);
  }
});

test('a frame of no bytes or of too many is a breach before its content has come', () => {
  for (const length of [0, frameBytesMax + 1, 0xffffffff]) {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(length);
    expect(() => [...readFrames(createFrameReader(), head)]).toThrow(LinkBreach);
  }
});

test('bytes that are no message are a breach with a sentence, and nothing else', () => {
  const prng = createPrng(7);
  let breaches = 0;
  for (let index = 0; index < 20_000; index += 1) {
    const bytes = Buffer.from(encodeMessage(messages[prng.below(messages.length)]!));
    const cut = bytes.subarray(0, 1 + prng.below(bytes.length));
    if (prng.below(3) > 0) cut[prng.below(cut.length)] = prng.below(256);
    try {
      decodeMessage(cut);
    } catch (error) {
      expect(error).toBeInstanceOf(LinkBreach);
      breaches += 1;
    }
  }
  expect(breaches).toBeGreaterThan(5000);
  const one = { number: 1, ageMs: 3, record: Buffer.from('order') };
  const many = Array.from({ length: requestsMax + 1 }, () => one);
  expect(() => decodeMessage(encodeMessage({ kind: 'requests', requests: many }))).toThrow(
    '1001 requests',
  );
  const record = Buffer.alloc(recordBytesMax + 1);
  const large: LinkMessage = { kind: 'requests', requests: [{ number: 1, ageMs: 0, record }] };
  expect(() => decodeMessage(encodeMessage(large))).toThrow('a request of 65537 bytes');
  const other = { ...messages[0]!, version: 9 } as LinkMessage;
  expect(() => decodeMessage(encodeMessage(other))).toThrow('speaks version 9 of the link');
});

test('a beat goes out when nothing else does, and a silent peer is gone', () => {
  const pulse = createPulse(0);
  expect(pulseDue(pulse, beatAfterMs - 1)).toBe('wait');
  expect(pulseDue(pulse, beatAfterMs)).toBe('beat');
  expect(nextLookMs(pulse, 0)).toBe(beatAfterMs);
  pulse.sentAt = silentMaxMs;
  expect(nextLookMs(pulse, 1)).toBe(silentMaxMs - 1);
  expect(pulseDue(pulse, silentMaxMs)).toBe('gone');
  pulse.receivedAt = 1;
  expect(pulseDue(pulse, silentMaxMs)).toBe('wait');
});

test('pauses grow to two seconds, and a good link makes them short again', () => {
  const redial = createRedial();
  const pauses = Array.from({ length: 8 }, () => pauseAfter(redial, 0));
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1600, 2000, 2000]);
  expect(pauseAfter(redial, 4999)).toBe(2000);
  expect(pauseAfter(redial, 5000)).toBe(50);
});

test('the oldest stranger goes for a new one, and an address that fails often is refused', () => {
  const strangers = createStrangers();
  const admit = (connection: number, nowMs: number, address = 'here') =>
    admitStranger(strangers, { connection, address }, nowMs);
  for (let connection = 1; connection <= handshakesMax; connection += 1) {
    expect(admit(connection, 0)).toEqual({ kind: 'begin', drop: undefined });
  }
  expect(admit(100, 0, 'there')).toEqual({ kind: 'begin', drop: 1 });
  const fail = (connection: number, nowMs: number) =>
    endHandshake(strangers, { connection, isMember: false }, nowMs);
  for (let connection = 1; connection <= failuresMax; connection += 1) fail(connection, 1);
  expect(admit(101, 2)).toEqual({ kind: 'refuse' });
  expect(admit(102, 2, 'there')).toMatchObject({ kind: 'begin' });
  expect(admit(103, 1 + failureWindowMs)).toMatchObject({ kind: 'begin' });
});

test('failures are counted for a bounded number of addresses', () => {
  const strangers = createStrangers();
  for (let index = 0; index < 3000; index += 1) {
    const one = { connection: index, address: `address ${index}` };
    admitStranger(strangers, one, index);
    endHandshake(strangers, { connection: index, isMember: false }, index);
  }
  expect(strangers.failures.size).toBe(1000);
  expect(strangers.waiting.size).toBe(0);
});
