// A text that is made at most once in a while.

import { expect, test } from 'vitest';
import { createTextCache } from '../../src/bin/metrics/createTextCache.ts';

test('CON-3 the text of the metrics is written at most once a second', async () => {
  let [made, now] = [0, 0];
  const text = createTextCache(
    async () => {
      made += 1;
      return `text ${made}`;
    },
    1000,
    () => now,
  );
  expect(await Promise.all([text(), text(), text()])).toEqual(['text 1', 'text 1', 'text 1']);
  now = 999;
  expect(await text()).toBe('text 1');
  now = 1000;
  expect(await text()).toBe('text 2');
  expect(made).toBe(2);
});

test('after a failure the text is written again', async () => {
  let fails = true;
  const text = createTextCache(
    () => (fails ? Promise.reject(new Error('not now')) : Promise.resolve('text')),
    1000,
    () => 0,
  );
  await expect(text()).rejects.toThrow('not now');
  fails = false;
  expect(await text()).toBe('text');
});
