// The order limits of a deployment at one process: what it counts of the batches of others, what
// its clients see of it, and what it decides when it has the lease.

import { expect, test } from 'vitest';
import { createOrderProcess, exchangeOf, ordersStart } from '../../sim/cluster/simulateOrders.ts';
import { besidesOf, createOrderShare } from '../../src/bin/createOrderShare.ts';
import { ordersIn1m, ordersIn10s } from '../../src/gateway/rateLimits.ts';
import { takeCharge } from '../../src/gateway/takeCharge.ts';
import { encodeBeside } from '../../src/link/beside.ts';
import type { CountedOrders, OrderCharge, Waiter } from '../../src/replica/replica.ts';
import type { AccountId } from '../../src/units/units.ts';

function openProcess() {
  const { exchange, keys } = exchangeOf(1);
  const process = createOrderProcess(exchange, () => ordersStart);
  const key = keys[0]!;
  const sender = { account: 0 as AccountId, key: key.id };
  const { orders } = process.keys.useOf(key, ordersStart);
  const charge: OrderCharge = { ...sender, window: ordersStart };
  return { process, sender, orders, charge };
}

const batchOf = (charges: readonly (OrderCharge | undefined)[]) =>
  besidesOf({
    origins: encodeBeside(charges.map((charge) => ({ charge }))),
    count: charges.length,
  });

test('a process counts the orders of other processes, and each waiter hears its own place', () => {
  const { process, orders, charge } = openProcess();
  const heard: CountedOrders[] = [];
  const waiter: Waiter = {
    ...{ capture: () => {}, release: () => {} },
    counted: (counted) => heard.push(counted),
  };
  const waiters = new Map([
    [1, waiter],
    [3, waiter],
  ]);
  process.share.count(batchOf([charge, charge, undefined, charge]), waiters);
  expect(heard).toEqual([
    { window: ordersStart, inTenSeconds: 2, inMinute: 2 },
    { window: ordersStart, inTenSeconds: 3, inMinute: 3 },
  ]);
  expect([ordersIn10s(orders, ordersStart), ordersIn1m(orders, ordersStart)]).toEqual([3, 3]);
});

test('what another process has used up is refused at the next holder, to the order', () => {
  const { process, sender, charge } = openProcess();
  process.share.count(batchOf(Array.from({ length: 48 }, () => charge)));
  process.share.lead([]);
  expect(process.share.take(sender)).toEqual(charge);
  expect(process.share.take(sender)).toEqual(charge);
  expect(process.share.take(sender)).toBe('tooManyRequests');
});

test('AUTH-7 an order that waits at a promotion counts once', () => {
  const { process, sender, orders, charge } = openProcess();
  for (let sent = 0; sent < 10; sent += 1) takeCharge(process, sender, ordersStart);
  process.share.count(batchOf([charge, charge, charge, charge]));
  process.share.lead(Array.from({ length: 6 }, () => charge));
  for (let sent = 0; sent < 6; sent += 1) expect(process.share.take(sender)).toEqual(charge);
  expect(ordersIn10s(orders, ordersStart)).toBe(10);
});

test('an order that the holder refuses is given back, but nothing that a batch contains', () => {
  const { process, sender, orders, charge } = openProcess();
  for (let sent = 0; sent < 3; sent += 1) takeCharge(process, sender, ordersStart);
  process.share.count(batchOf([charge, charge]));
  process.share.giveBack(charge);
  process.share.giveBack(charge);
  expect(ordersIn10s(orders, ordersStart)).toBe(2);
});

test('without counters of a gateway an order waits, and what was counted before is adopted', () => {
  const { process, sender, charge } = openProcess();
  const share = createOrderShare({ now: () => ordersStart });
  expect(share.take(sender)).toBe('waiting');
  share.count(batchOf(Array.from({ length: 50 }, () => charge)));
  share.lead([]);
  share.serve(process);
  expect(share.take(sender)).toBe('tooManyRequests');
});
