// How often streams are checked: often while a socket is open.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPulse } from '../../src/bin/createPulse.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('work that is wanted is done often, from the moment on when it is wanted', () => {
  let isWanted = false;
  let beats = 0;
  const pulse = createPulse(
    () => {
      beats += 1;
      return isWanted;
    },
    { oftenMs: 25, seldomMs: 250 },
  );
  const beatsIn = (milliseconds: number): number => {
    const before = beats;
    vi.advanceTimersByTime(milliseconds);
    return beats - before;
  };
  expect(beatsIn(1000)).toBe(4);
  isWanted = true;
  pulse.quicken();
  expect(beatsIn(1000)).toBe(40);
  // A second call changes nothing.
  vi.advanceTimersByTime(20);
  pulse.quicken();
  expect(beatsIn(5)).toBe(1);
  isWanted = false;
  expect(beatsIn(25)).toBe(1);
  expect(beatsIn(1000)).toBe(4);
  pulse.stop();
  expect(beatsIn(1000)).toBe(0);
});
