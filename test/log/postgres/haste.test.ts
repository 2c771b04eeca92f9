// How soon a process looks at the lease.

import { expect, test } from 'vitest';
import { createHaste } from '../../../src/log/postgres/haste.ts';
import type { Scheduler } from '../../../src/std/scheduler.ts';

test('a sign ends the rest at once, and looks follow each other closely for half a second', async () => {
  let nowMs = 0;
  const timers: { readonly at: number; readonly task: () => void }[] = [];
  const scheduler: Scheduler = {
    after: (milliseconds, task) => {
      const timer = { at: nowMs + milliseconds, task };
      timers.push(timer);
      return () => {
        const place = timers.indexOf(timer);
        if (place >= 0) timers.splice(place, 1);
      };
    },
  };
  const haste = createHaste(scheduler, () => nowMs);
  const restMs = async (): Promise<number> => {
    const began = nowMs;
    const rest = haste.rest();
    const [next] = timers.splice(0);
    nowMs = next!.at;
    next!.task();
    await rest;
    return nowMs - began;
  };
  expect(await restMs()).toBe(100);
  const resting = haste.rest();
  haste.hurry();
  await resting;
  expect(timers).toEqual([]);
  let looks = 0;
  while ((await restMs()) < 100) looks += 1;
  expect(looks).toBe(100);
  // With a link to the holder it looks less often, until the next sign.
  haste.linked();
  expect(await restMs()).toBe(300);
  haste.hurry();
  expect(await restMs()).toBe(5);
  nowMs += 500;
  expect(await restMs()).toBe(100);
});
