// The turns of sockets alone: steps that come in crowds, and writes to many sockets (CON-7).

import { expect, test } from 'vitest';
import { createPacedSteps } from '../../src/gateway/sockets/pacedSteps.ts';
import { createSocketFlushes } from '../../src/gateway/sockets/socketFlushes.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('CON-7 a few steps run at once and the others in later turns, in order', async () => {
  const inTurn = createPacedSteps(3, () => 0);
  const ran: number[] = [];
  const add = (i: number): void => inTurn('a', () => ran.push(i) > 0);
  for (let i = 0; i < 10; i += 1) add(i);
  expect(ran).toEqual([0, 1, 2]);
  for (let turns = 0; ran.length < 11 && turns < 100; turns += 1) {
    const before = ran.length;
    await nextTurn();
    expect(ran.length - before).toBeLessThanOrEqual(3);
    // One that comes now waits behind those that came before.
    if (turns === 0) add(10);
  }
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await nextTurn();
  await nextTurn();
  add(11);
  expect(ran.at(-1)).toBe(11);
});

test('CON-7 clients take turns: one with many steps delays another by one step', async () => {
  const inTurn = createPacedSteps(2, () => 0);
  const ran: string[] = [];
  const add = (limitKey: string, name: string): void => inTurn(limitKey, () => ran.push(name) > 0);
  for (let i = 0; i < 50; i += 1) add('crowd', `crowd ${i}`);
  add('other', 'other 0');
  add('other', 'other 1');
  while (ran.length < 52) await nextTurn();
  expect(ran.slice(0, 7)).toEqual([
    'crowd 0',
    'crowd 1',
    'crowd 2',
    'other 0',
    'crowd 3',
    'other 1',
    'crowd 4',
  ]);
});

test('CON-7 a step without work takes no share, and one that throws stops no other', async () => {
  const inTurn = createPacedSteps(1, () => 0);
  const ran: number[] = [];
  const fail = (): never => {
    throw new Error('the first');
  };
  expect(() => inTurn('a', fail)).toThrow('the first');
  expect(inTurn('a', () => ran.push(0) > 0)).toBe(undefined);
  for (let i = 0; i < 100; i += 1) inTurn('a', () => false);
  inTurn('a', () => ran.push(1) > 0);
  expect(ran).toEqual([0]);
  await nextTurn();
  await nextTurn();
  expect(ran).toEqual([0, 1]);
});

/** How many of `count` equal steps ran in each turn; the first take `firstMs`, then `laterMs`. */
async function runSteps(count: number, firstMs: number, laterMs: number): Promise<number[]> {
  let time = 0;
  let stepMs = firstMs;
  let ran = 0;
  const inTurn = createPacedSteps(32, () => time);
  for (let i = 0; i < count; i += 1) {
    inTurn('a', () => {
      time += stepMs;
      ran += 1;
      return true;
    });
  }
  const perTurn: number[] = [];
  for (let before = 0; before < count; stepMs = laterMs) {
    perTurn.push(ran - before);
    before = ran;
    await nextTurn();
  }
  return perTurn;
}

test('CON-8 a turn that took too long is followed by shorter ones, and these by longer ones', async () => {
  // Eight steps took 16 ms, where a turn should take 2 ms. The next one takes that.
  expect(await runSteps(18, 2, 0.1)).toEqual([8, 1, 2, 4, 3]);
});

test('CON-8 a volley after a pause begins with a few requests, and each turn has twice as many', async () => {
  expect(await runSteps(80, 0.01, 0.01)).toEqual([8, 16, 32, 24]);
});

test('CON-8 while the serving thread has enough to do, no turn begins, and clients keep their turns', async () => {
  let isOpen = true;
  const asking: (() => void)[] = [];
  const ran: string[] = [];
  const gate = { isOpen: () => isOpen, later: (ask: () => void) => asking.push(ask) };
  const inTurn = createPacedSteps(2, () => 0, gate);
  const add = (client: string): void => inTurn(client, () => ran.push(client) > 0);
  add('a');
  isOpen = false;
  for (const client of ['a', 'a', 'b']) add(client);
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  // The first step came before the gate closed. One question is open, and not one for each step.
  expect([ran, asking.length]).toEqual([['a'], 1]);
  asking.shift()!();
  expect([ran, asking.length]).toEqual([['a'], 1]);
  isOpen = true;
  asking.shift()!();
  expect(ran).toEqual(['a', 'a', 'b']);
  await nextTurn();
  expect([ran, asking.length]).toEqual([['a', 'a', 'b', 'a'], 0]);
  add('c');
  expect(ran.at(-1)).toBe('c');
});

test.each([
  [32, 'where a write is fast', 0.001],
  [4, 'where a write is slow', 0.125],
])(
  'CON-7 %i sockets are written per turn %s, the others after a pause, each once',
  async (...given) => {
    const [perTurn, , msPerWrite] = given;
    let time = 0;
    const { add } = createSocketFlushes(() => time);
    const flushed: number[] = [];
    const flushes = Array.from({ length: 100 }, (_, i) => () => {
      time += msPerWrite;
      flushed.push(i);
    });
    for (const flush of flushes) add(flush);
    // Messages that a socket gets while it waits leave with the same write.
    for (const flush of flushes) add(flush);
    expect(flushed).toEqual([]);
    await Promise.resolve();
    process.nextTick(() => {});
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(flushed).toHaveLength(perTurn);
    await expect.poll(() => flushed.length, { timeout: 600_000 }).toBe(100);
    expect(flushed).toEqual(flushes.map((_, i) => i));
  },
);
