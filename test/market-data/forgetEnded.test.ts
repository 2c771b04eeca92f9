// What history has may be forgotten: the oldest first, never what ended later, and the last ones
// stay whatever history has.

import { expect, test } from 'vitest';
import { createEndedOrders, findEndedOrderById } from '../../src/market-data/endedOrders.ts';
import { findEndedTriggerById } from '../../src/market-data/endedTriggers.ts';
import { forgetEndedBefore } from '../../src/market-data/forgetEnded.ts';
import { rememberRow, rowCount, rowsInOrder } from '../../src/market-data/rowRing.ts';
import { createViews, indexViews, type Views } from '../../src/market-data/views.ts';
import type { OrderId } from '../../src/units/units.ts';

/** So many rows of each, ended at times that are their numbers. */
function filledViews(count: number, max?: number): Views {
  const views = createViews();
  if (max !== undefined) Object.assign(views, { endedOrders: createEndedOrders(max) });
  indexViews(views);
  for (let id = 1; id <= count; id += 1) {
    const row = {
      id,
      account: 1,
      market: 0,
      clientOrderId: `c${id}`,
      createdAt: id,
      updatedAt: id,
    };
    rememberRow(views.endedOrders, row as never);
    rememberRow(views.endedTriggers, row as never);
  }
  return views;
}

/** As often as it takes: a little is forgotten at a time. */
function forgetAll(views: Views, time: number): void {
  for (let before = -1; before !== rowCount(views.endedOrders); ) {
    before = rowCount(views.endedOrders);
    forgetEndedBefore(views, time);
  }
}

const idsOf = ({ endedOrders }: Views): number[] =>
  [...rowsInOrder(endedOrders)].map(({ id }) => id);

test('the oldest ended orders are dropped and not found any more', () => {
  const views = filledViews(30_000);
  forgetEndedBefore(views, 5001);
  expect(idsOf(views)).toHaveLength(29_500);
  forgetAll(views, 5001);
  expect(idsOf(views)).toEqual(Array.from({ length: 25_000 }, (_, index) => 5001 + index));
  expect(findEndedOrderById(views.endedOrders, 5000 as OrderId)).toBeUndefined();
  expect(findEndedOrderById(views.endedOrders, 5001 as OrderId)).toMatchObject({ id: 5001 });
  expect(findEndedTriggerById(views.endedTriggers, 5000 as OrderId)).toBeUndefined();
  expect([...rowsInOrder(views.endedTriggers)]).toHaveLength(25_000);
});

test('the last ones stay even if history has them', () => {
  const views = filledViews(30_000);
  forgetAll(views, 1_000_000);
  expect(idsOf(views)).toEqual(Array.from({ length: 10_000 }, (_, index) => 20_001 + index));
  const few = filledViews(9999);
  forgetAll(few, 1_000_000);
  expect(idsOf(few)).toHaveLength(9999);
});

test('a full ring drops rows too and accepts new ones as before', () => {
  const views = filledViews(33_000, 20_000);
  forgetAll(views, 1_000_000);
  expect(idsOf(views)).toEqual(Array.from({ length: 10_000 }, (_, index) => 23_001 + index));
  const { endedOrders } = views;
  for (let id = 33_001; id <= 45_000; id += 1) {
    rememberRow(endedOrders, { id, account: 1, clientOrderId: '', updatedAt: id } as never);
  }
  expect(idsOf(views)).toEqual(Array.from({ length: 20_000 }, (_, index) => 25_001 + index));
  expect(findEndedOrderById(endedOrders, 25_000 as OrderId)).toBeUndefined();
  expect(findEndedOrderById(endedOrders, 25_001 as OrderId)).toMatchObject({ id: 25_001 });
});

test('rows that leave and rows that come share the places of the ring', () => {
  const views = filledViews(12_000, 12_000);
  const { endedOrders } = views;
  let [first, last] = [1, 12_000];
  // 300 are dropped and 400 come, so that the ring is full at times, and wraps around often.
  for (let round = 0; round < 200; round += 1) {
    forgetEndedBefore(views, first + 300);
    first = Math.min(first + 300, last - 9999);
    for (let come = 0; come < 400; come += 1) {
      last += 1;
      rememberRow(endedOrders, {
        id: last,
        account: 1,
        clientOrderId: '',
        updatedAt: last,
      } as never);
    }
    first = Math.max(first, last - 11_999);
    expect(rowCount(endedOrders)).toBe(last - first + 1);
    expect(endedOrders.ring.length).toBeLessThanOrEqual(12_000);
    expect(findEndedOrderById(endedOrders, (first - 1) as OrderId)).toBeUndefined();
    expect(findEndedOrderById(endedOrders, first as OrderId)).toMatchObject({ id: first });
  }
  const length = last - first + 1;
  expect(idsOf(views)).toEqual(Array.from({ length }, (_, index) => first + index));
});
