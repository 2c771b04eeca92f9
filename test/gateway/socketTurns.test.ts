// The turns of sockets alone: steps that come in crowds, and writes to many sockets (CON-7).

import { expect, test } from 'vitest';
import { createPacedSteps } from '../../src/gateway/sockets/pacedSteps.ts';
import { createSocketFlushes } from '../../src/gateway/sockets/socketFlushes.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('CON-7 a few steps run at once, the others in later turns, in their order', async () => {
  const step = createPacedSteps(3);
  const ran: number[] = [];
  for (let i = 0; i < 10; i += 1) step(() => ran.push(i));
  expect(ran).toEqual([0, 1, 2]);
  let turns = 0;
  for (; ran.length < 10 && turns < 100; turns += 1) {
    const before = ran.length;
    await nextTurn();
    expect(ran.length - before).toBeLessThanOrEqual(3);
    // One that comes now waits behind those that came before.
    if (turns === 0) step(() => ran.push(10));
  }
  while (ran.length < 11) await nextTurn();
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await nextTurn();
  await nextTurn();
  step(() => ran.push(11));
  expect(ran.at(-1)).toBe(11);
});

test('CON-7 a step that throws stops no other', async () => {
  const step = createPacedSteps(1);
  const ran: number[] = [];
  expect(() =>
    step(() => {
      throw new Error('the first');
    }),
  ).toThrow('the first');
  for (let i = 0; i < 3; i += 1) step(() => ran.push(i));
  while (ran.length < 3) await nextTurn();
  expect(ran).toEqual([0, 1, 2]);
});

test('CON-7 so many sockets are written to, and others after a rest, each once', async () => {
  const { add } = createSocketFlushes();
  const flushed: number[] = [];
  const flushes = Array.from({ length: 100 }, (_, i) => () => void flushed.push(i));
  for (const flush of flushes) add(flush);
  // What a socket gets while it waits leaves with the same write.
  for (const flush of flushes) add(flush);
  expect(flushed).toEqual([]);
  await Promise.resolve();
  process.nextTick(() => {});
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(flushed).toHaveLength(32);
  await expect.poll(() => flushed.length, { timeout: 600_000 }).toBe(100);
  expect(flushed).toEqual(flushes.map((_, i) => i));
});
