// Ranks are read seldom, only while there are positions, and belong to the side for which they were
// given.

import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccountCopy, type Position } from '../../src/page/state/account.ts';
import {
  type DeleveragingRanks,
  keepDeleveragingRanks,
} from '../../src/page/state/deleveragingRanks.ts';
import type { Requests } from '../../src/page/state/requests.ts';
import { createSession, type Login } from '../../src/page/state/session.ts';
import { memoryStore } from '../../src/page/state/store.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const login: Login = {
  address: '0x1',
  kind: 'guest',
  wallet: '',
  token: 't',
  expiresAt: 9_999_999_999,
};

type Row = { readonly symbol: string; readonly position_amt: string; adl_quantile: number | null };

function open() {
  const account = createAccountCopy();
  const session = createSession({
    store: memoryStore(),
    clock: { now: () => Date.now() },
    chainId: 1,
  });
  session.begin(login);
  const deleveragingRanks = signal<DeleveragingRanks>(new Map());
  const answers: (Row[] | Error | Promise<Row[]>)[] = [];
  let asked = 0;
  const requests = {
    listPositions: async () => {
      asked += 1;
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as Requests;
  const stop = keepDeleveragingRanks({ account, session, requests, deleveragingRanks });
  const hold = (...positions: readonly [symbol: string, lots: string][]): void => {
    account.positions.value = new Map(
      positions.map(([symbol, position_amt]) => [symbol, { symbol, position_amt } as Position]),
    );
  };
  const ranks = () => Object.fromEntries(deleveragingRanks.value);
  return { answers, hold, ranks, session, stop, asked: () => asked };
}

const row = (symbol: string, position_amt: string, adl_quantile: number | null): Row => ({
  symbol,
  position_amt,
  adl_quantile,
});

test('LIQ-7 ranks are read a moment after a position appears, then every 15 s, and not without one', async () => {
  const { answers, hold, ranks, asked } = open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(0);
  answers.push([row('A', '1', 2)], [row('A', '1', 4)]);
  hold(['A', '1']);
  await vi.advanceTimersByTimeAsync(2000);
  expect([asked(), ranks()]).toEqual([1, { 'A BUY': 2 }]);
  // Figures that move with the mark change nothing here.
  hold(['A', '1']);
  await vi.advanceTimersByTimeAsync(15_000);
  expect([asked(), ranks()]).toEqual([2, { 'A BUY': 4 }]);
  hold();
  expect(ranks()).toEqual({});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(2);
});

test('LIQ-7 what is not known has no rank, and a request that fails is made again later', async () => {
  const { answers, hold, ranks } = open();
  answers.push([row('A', '1', 3), row('B', '-1', null)], new Error('offline'), [row('A', '1', 1)]);
  hold(['A', '1'], ['B', '-1']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(ranks()).toEqual({ 'A BUY': 3 });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(ranks()).toEqual({});
  await vi.advanceTimersByTimeAsync(15_000);
  expect(ranks()).toEqual({ 'A BUY': 1 });
});

test('LIQ-7 the rank of a long is not shown for the short after it, and late answers are dropped', async () => {
  const { answers, hold, ranks } = open();
  let answerLate: (rows: Row[]) => void = () => {};
  answers.push(
    [row('A', '1', 4)],
    new Promise((resolve) => {
      answerLate = resolve;
    }),
    [row('A', '-1', 0)],
  );
  hold(['A', '1']);
  await vi.advanceTimersByTimeAsync(2000);
  await vi.advanceTimersByTimeAsync(15_000);
  hold(['A', '-1']);
  expect(ranks()['A SELL']).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2000);
  expect(ranks()).toEqual({ 'A SELL': 0 });
  answerLate([row('A', '1', 4)]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ranks()).toEqual({ 'A SELL': 0 });
});

test('nothing is asked after the login has ended, or after the end', async () => {
  const { hold, asked, session, stop } = open();
  hold(['A', '1']);
  session.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(0);
  session.begin(login);
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked()).toBe(1);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(1);
});
