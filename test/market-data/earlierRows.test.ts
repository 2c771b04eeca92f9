// Goal: a view whose rows of a snapshot are decoded later answers and forgets like one that has
// them from the start. Method: both beside each other over drawn rows, steps and questions.

import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/engine/order.ts';
import { createEndedOrders, findEndedOrder } from '../../src/market-data/endedOrders.ts';
import { forgetEndedBefore } from '../../src/market-data/forgetEnded.ts';
import {
  addEarlier,
  decodeEarlier,
  newestRow,
  rememberRow,
  remembersAll,
  rowCount,
  rowsInOrder,
} from '../../src/market-data/rowRing.ts';
import { createViews, decodeEnded, indexViews } from '../../src/market-data/views.ts';
import { Fault } from '../../src/std/assert.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { AccountId, OrderId } from '../../src/units/units.ts';

const ended = (id: number): Order =>
  ({ id, account: id % 3, clientOrderId: `c${id % 20}`, updatedAt: id }) as Order;

/** A view with rows 1 to `count` at once, and one that decodes them when it must. */
function bothWith(count: number, max: number) {
  const [now, later] = [createEndedOrders(max), createEndedOrders(max)];
  const rows = Array.from({ length: count }, (_, index) => ended(index + 1));
  for (const row of rows) rememberRow(now, row);
  let decoded = 0;
  addEarlier(later, {
    count,
    next: () => {
      decoded += 1;
      return rows[decoded - 1]!;
    },
  });
  return { now, later, decoded: () => decoded };
}

test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'rows, counts and answers are the same, seed %i',
  (seed) => {
    const prng = createPrng(seed);
    const max = 20 + prng.below(60);
    const { now, later } = bothWith(prng.below(max + 1), max);
    for (let id = 1001; id <= 1150; id += 1) {
      const row = ended(id);
      rememberRow(now, row);
      rememberRow(later, row);
      expect(rowCount(later)).toBe(rowCount(now));
      expect(remembersAll(later)).toBe(remembersAll(now));
      expect(newestRow(later)).toBe(newestRow(now));
      if (prng.below(3) === 0) decodeEarlier(later, prng.below(12));
      if (prng.below(60) === 0) expect([...rowsInOrder(later)]).toEqual([...rowsInOrder(now)]);
      if (prng.below(80) > 0) continue;
      for (let given = 0; given < 20; given += 1) {
        for (const account of [0, 1, 2] as AccountId[]) {
          const asked = { clientOrderId: `c${given}` };
          expect(findEndedOrder(later, account, asked)).toBe(findEndedOrder(now, account, asked));
        }
      }
    }
    for (let id = 1 as OrderId; id <= 1150; id = (id + 1) as OrderId) {
      const account = (id % 3) as AccountId;
      expect(findEndedOrder(later, account, { id })).toBe(findEndedOrder(now, account, { id }));
    }
    expect([...rowsInOrder(later)]).toEqual([...rowsInOrder(now)]);
  },
);

describe('rows are decoded', () => {
  test('by no new row, and not at all when newer ones have replaced them', () => {
    const { now, later, decoded } = bothWith(50, 60);
    for (let id = 101; id <= 300; id += 1)
      for (const one of [now, later]) rememberRow(one, ended(id));
    expect(decoded()).toBe(0);
    expect([...rowsInOrder(later)]).toEqual([...rowsInOrder(now)]);
    expect(decoded()).toBe(0);
  });

  test('in steps, until the index is whole', () => {
    const { later, decoded } = bothWith(50, 100);
    rememberRow(later, ended(101));
    expect(decodeEarlier(later, 30)).toBe(true);
    expect(decoded()).toBe(30);
    while (decodeEarlier(later, 30)) {}
    expect(later.index?.byId.size).toBe(51);
    expect(decodeEarlier(later, 30)).toBe(false);
  });

  test('before the newest one is asked for, when there is none behind them', () => {
    const { now, later } = bothWith(50, 100);
    expect(newestRow(later)).toBe(newestRow(now));
  });
});

test('a start does not decode them, ticks do, and only then the oldest are forgotten', () => {
  const views = createViews();
  const { later } = bothWith(12_000, 100_000);
  Object.assign(views, { endedOrders: later });
  indexViews(views);
  expect(views.endedOrders.index).toBeUndefined();
  forgetEndedBefore(views, 1000);
  expect(rowCount(views.endedOrders)).toBe(12_000);
  for (let i = 0; i < 20 && views.endedOrders.earlier !== undefined; i += 1) decodeEnded(views);
  expect(views.endedOrders.index).toBeDefined();
  forgetEndedBefore(views, 1000);
  expect(rowCount(views.endedOrders)).toBe(11_500);
});

test('a row that cannot be decoded is a fault each time, and never becomes another row', () => {
  const view = createEndedOrders(10);
  addEarlier(view, {
    count: 2,
    next: () => {
      throw new Fault('damaged');
    },
  });
  expect(() => [...rowsInOrder(view)]).toThrow(Fault);
  expect(() => findEndedOrder(view, 1 as AccountId, { id: 1 as OrderId })).toThrow(Fault);
});
