// The two ends of the rings between threads, in one thread with steps that the test runs: an idle
// end does nothing, a sleeping one is woken, full rings lose nothing, an ended end is silent.

import { expect, test } from 'vitest';
import { createRingLink } from '../../../src/gateway/workers/createRingLink.ts';
import { createByteRing } from '../../../src/std/byteRing.ts';
import { type ByteReader, createByteWriter, readText, writeText } from '../../../src/std/bytes.ts';

/** Two ends; `run` does the steps of both in turn and gives how many there were. */
function openEnds() {
  const steps: (() => void)[] = [];
  const rings = [createByteRing(64), createByteRing(64)] as const;
  const heard: string[][] = [[], []];
  const wakeUps = [0, 0];
  const ends = rings.map((incoming, at) =>
    createRingLink({
      incoming,
      outgoing: rings[1 - at]!,
      take: (reader: ByteReader) => heard[at]!.push(readText(reader)),
      wake: () => {
        wakeUps[1 - at]! += 1;
        steps.push(() => ends[1 - at]!.woken());
      },
      defer: (step) => steps.push(step),
    }),
  );
  const run = (): number => {
    let count = 0;
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      step();
      count += 1;
      if (count > 10_000) throw new Error('an end goes on without work');
    }
    return count;
  };
  const gathered = createByteWriter();
  const post = (at: number, text: string): void => {
    writeText(gathered, text);
    ends[at]!.post(gathered);
    expect(gathered.length).toBe(0);
  };
  return { ends, heard, wakeUps, post, run };
}

test('an idle end does nothing, one message wakes it once, and it sleeps again', () => {
  const { heard, wakeUps, post, run } = openEnds();
  expect(run()).toBe(0);
  for (const text of ['a', 'b']) {
    post(0, text);
    expect(run()).toBeGreaterThan(0);
    expect(run()).toBe(0);
  }
  expect([heard, wakeUps]).toEqual([
    [[], ['a', 'b']],
    [0, 2],
  ]);
});

test('an end that is at work is not woken', () => {
  const { ends, heard, wakeUps, post, run } = openEnds();
  ends[1]!.stir();
  post(0, 'a');
  expect(wakeUps).toEqual([0, 0]);
  // What it gathered leaves at the end of its turn, and then it looks.
  post(1, 'b');
  run();
  expect([heard, wakeUps]).toEqual([
    [['b'], ['a']],
    [1, 0],
  ]);
});

test('both rings are full: each side gets everything in order', () => {
  const { ends, heard, post, run } = openEnds();
  const texts = Array.from({ length: 40 }, (_, i) => `${i} `.repeat(1 + ((i * 7) % 30)));
  for (const text of texts) {
    post(0, text);
    post(1, text);
  }
  const bytes = texts.join('').length;
  for (const { untaken } of ends) expect(untaken()).toBeGreaterThan(bytes);
  run();
  expect(heard).toEqual([texts, texts]);
  for (const { untaken } of ends) expect(untaken()).toBe(0);
});

test('an end takes what was sent before it ends, and nothing afterwards', () => {
  const { ends, heard, post, run } = openEnds();
  post(0, 'before');
  ends[1]!.end();
  post(0, 'after');
  run();
  ends[1]!.woken();
  ends[1]!.end();
  expect(heard[1]).toEqual(['before']);
  expect(run()).toBe(0);
});
