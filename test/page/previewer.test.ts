// The preview asks seldom, never twice at once, and shows nothing of an order that has changed.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrderWish } from '../../src/page/state/orderWish.ts';
import {
  createPreviewer,
  type Preview,
  previewDistanceMs,
} from '../../src/page/ticket/previewer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const wishes = (lots: bigint) => {
  const wish = { type: 'LIMIT', lots } as OrderWish;
  return { BUY: { ...wish, side: 'BUY' }, SELL: { ...wish, side: 'SELL' } } as const;
};

function open({ answerMs = 10 } = {}) {
  const asked: { readonly at: number; readonly wish: OrderWish }[] = [];
  let isSeen = true;
  const previewer = createPreviewer({
    ask: async (wish) => {
      asked.push({ at: Date.now(), wish });
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      if (wish.side === 'SELL') throw new Error('refused');
      return { orig_qty: String(wish.lots) } as Preview;
    },
    now: () => Date.now(),
    isSeen: () => isSeen,
  });
  const hide = (): void => {
    isSeen = false;
  };
  return { asked, previewer, hide };
}

test('a burst of typing is one question for each side, after the last digit', async () => {
  const { asked, previewer } = open();
  for (let lots = 1n; lots <= 5n; lots += 1n) {
    previewer.want(wishes(lots));
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(500);
  expect(asked.map(({ wish }) => [wish.side, wish.lots])).toEqual([
    ['BUY', 5n],
    ['SELL', 5n],
  ]);
  expect(previewer.shown.value).toMatchObject({
    isFresh: true,
    BUY: { kind: 'figures', preview: { orig_qty: '5' } },
    SELL: { kind: 'refused' },
  });
});

test('a minute of typing asks at most 60 times, and never while an answer is awaited', async () => {
  const { asked, previewer } = open({ answerMs: 3000 });
  for (let step = 0; step < 150; step += 1) {
    previewer.want(wishes(BigInt(step + 1)));
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(asked.length).toBeLessThanOrEqual(40);
  const times = [...new Set(asked.map(({ at }) => at))];
  times.slice(1).forEach((at, index) => {
    expect(at - times[index]!).toBeGreaterThanOrEqual(3000);
  });
  const quick = open({ answerMs: 1 });
  for (let step = 0; step < 150; step += 1) {
    quick.previewer.want(wishes(BigInt(step + 1)));
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(quick.asked.length).toBeLessThanOrEqual(60);
  expect(quick.asked.length).toBeGreaterThan(40);
  expect(previewDistanceMs).toBe(2000);
});

test('an answer to an order that has changed is not fresh, and an empty ticket shows nothing', async () => {
  const { previewer } = open({ answerMs: 1000 });
  previewer.want(wishes(1n));
  await vi.advanceTimersByTimeAsync(500);
  previewer.want(wishes(2n));
  await vi.advanceTimersByTimeAsync(1000);
  expect(previewer.shown.value?.isFresh).toBe(false);
  await vi.advanceTimersByTimeAsync(4000);
  expect(previewer.shown.value).toMatchObject({ isFresh: true });
  previewer.want(undefined);
  expect(previewer.shown.value).toBeUndefined();
  previewer.want(wishes(3n));
  await vi.advanceTimersByTimeAsync(500);
  previewer.want(undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(previewer.shown.value).toBeUndefined();
});

test('an order that stands still is asked about again, but not on a page that no one sees', async () => {
  const { asked, previewer, hide } = open();
  previewer.want(wishes(1n));
  await vi.advanceTimersByTimeAsync(25_000);
  expect(asked.length).toBe(6);
  hide();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(6);
  previewer.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(6);
});
