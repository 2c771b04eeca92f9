// The view of ended orders: what it finds, for which account, and what it drops (ORD-2).

import { expect, test } from 'vitest';
import { clientOrderIdOf } from '../../src/engine/clientOrderId.ts';
import type { Order } from '../../src/engine/order.ts';
import {
  createEndedOrders,
  findEndedOrder,
  findEndedOrderById,
} from '../../src/market-data/endedOrders.ts';
import { rememberRow, rowsInOrder } from '../../src/market-data/rowRing.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { AccountId, OrderId } from '../../src/units/units.ts';

const ended = (id: number, account: number, clientOrderId = ''): Order =>
  ({ id, account, clientOrderId }) as Order;

test('ORD-2: its id and either kind of client order id find an ended order', () => {
  const view = createEndedOrders(10);
  const [given, derived] = [ended(5, 1, 'mine'), ended(7, 1)];
  rememberRow(view, given);
  rememberRow(view, derived);
  const account = 1 as AccountId;
  expect(findEndedOrder(view, account, { id: 5 as OrderId })).toBe(given);
  expect(findEndedOrder(view, account, { clientOrderId: 'mine' })).toBe(given);
  expect(findEndedOrder(view, account, { clientOrderId: clientOrderIdOf(derived) })).toBe(derived);
  const derivedOfGiven = clientOrderIdOf({ ...given, clientOrderId: '' });
  expect(findEndedOrder(view, account, { clientOrderId: derivedOfGiven })).toBeUndefined();
});

test('ID-2: another account finds nothing, and a client order id finds the latest order', () => {
  const view = createEndedOrders(10);
  rememberRow(view, ended(1, 1, 'same'));
  rememberRow(view, ended(2, 2, 'same'));
  rememberRow(view, ended(3, 1, 'same'));
  const find = (account: number) =>
    findEndedOrder(view, account as AccountId, { clientOrderId: 'same' })?.id;
  expect([find(1), find(2), find(3)]).toEqual([3, 2, undefined]);
  expect(findEndedOrder(view, 2 as AccountId, { id: 1 as OrderId })).toBeUndefined();
});

test.each([0, 500])('beyond the bound the oldest is dropped, queried from order %i on', (asked) => {
  const view = createEndedOrders(50);
  const prng = createPrng(3);
  const all: Order[] = [];
  for (let id = 1; id <= 1000; id += 1) {
    all.push(ended(id, prng.below(3), prng.below(2) === 0 ? '' : `c${id % 70}`));
    rememberRow(view, all.at(-1)!);
    const kept = all.slice(-50);
    expect([...rowsInOrder(view)]).toEqual(kept);
    if (id < asked) continue;
    const gone = all.at(-51);
    if (gone !== undefined) expect(findEndedOrderById(view, gone.id)).toBeUndefined();
    const one = kept[prng.below(kept.length)]!;
    expect(findEndedOrderById(view, one.id)).toBe(one);
    const { account } = one;
    const clientOrderId = clientOrderIdOf(one);
    const same = (order: Order) =>
      order.account === account && clientOrderIdOf(order) === clientOrderId;
    expect(findEndedOrder(view, account, { clientOrderId })).toBe(kept.findLast(same));
  }
  const forgotten = all.slice(0, -50).filter(({ clientOrderId }) => clientOrderId !== '');
  for (const order of forgotten) {
    const { account, clientOrderId } = order;
    expect(findEndedOrder(view, account, { clientOrderId })).not.toBe(order);
  }
});
