// Order limits through three processes: exact however a client spreads its orders, and whenever a
// holder of the lease dies.

import { expect, test } from 'vitest';
import {
  createOrderProcess,
  exchangeOf,
  ordersStart,
  simulateOrders,
} from '../../sim/cluster/simulateOrders.ts';
import { minuteOf } from '../../src/gateway/rateLimits.ts';
import { takeCharge } from '../../src/gateway/takeCharge.ts';
import type { OrderCharge } from '../../src/replica/replica.ts';
import type { AccountId } from '../../src/units/units.ts';

function countBy(charges: readonly OrderCharge[], nameOf: (charge: OrderCharge) => string) {
  const counts = new Map<string, number>();
  for (const charge of charges) {
    const name = nameOf(charge);
    counts.set(name, 1 + (counts.get(name) ?? 0));
  }
  return [...counts.values()];
}

const perTenSeconds = (charges: readonly OrderCharge[]): number[] =>
  countBy(charges, ({ key, window }) => `${key} ${window}`);
const perMinute = (charges: readonly OrderCharge[]): number[] =>
  countBy(charges, ({ key, window }) => `${key} ${minuteOf(window)}`);

test('three processes admit exactly one limit of a key, in ten seconds and in a minute', () => {
  for (let seed = 1; seed <= 3; seed += 1) {
    const charges = simulateOrders({ seed, keys: 1, kills: false });
    expect(Math.max(...perTenSeconds(charges))).toBe(50);
    // Two whole minutes, for the key and for the token.
    expect(perMinute(charges).filter((count) => count === 200).length).toBe(4);
    expect(Math.max(...perMinute(charges))).toBe(200);
  }
});

test('the limit of the account counts over all keys and processes', () => {
  const charges = simulateOrders({ seed: 1, keys: 7, kills: false });
  expect(Math.max(...countBy(charges, ({ window }) => `${window}`))).toBeLessThanOrEqual(200);
  expect(Math.max(...countBy(charges, ({ window }) => `${minuteOf(window)}`))).toBe(800);
});

test('over takeovers no window of any key gets more than its limit', () => {
  let fullest = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const charges = simulateOrders({ seed, keys: 2, kills: true });
    expect(Math.max(...perTenSeconds(charges))).toBeLessThanOrEqual(50);
    fullest = Math.max(fullest, ...perMinute(charges));
    expect(fullest).toBeLessThanOrEqual(200);
  }
  // The client had enough orders to reach it.
  expect(fullest).toBe(200);
});

test('AUTH-7 over takeovers no key gets less than its limit in a minute', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const charges = simulateOrders({ seed, keys: 2, kills: true });
    const whole = charges.filter(({ window }) => window < ordersStart + 120_000);
    expect(perMinute(whole), `seed ${seed}`).toEqual(Array.from({ length: 6 }, () => 200));
  }
});

test.each(['freshBuckets', 'noCharges', 'freePending'] as const)(
  'the mistake %s is found',
  (mistake) => {
    const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
    const most = seeds.map((seed) =>
      Math.max(...perMinute(simulateOrders({ seed, keys: 2, kills: true, mistake }))),
    );
    expect(Math.max(...most)).toBeGreaterThan(200);
  },
);

test('the holder refuses an order of a key that is disabled or gone by now', () => {
  const { exchange, keys } = exchangeOf(1);
  const node = createOrderProcess(exchange, () => ordersStart);
  const sender = { account: 0 as AccountId, key: keys[0]!.id };
  expect(takeCharge(node, sender, ordersStart)).toEqual({ ...sender, window: ordersStart });
  Object.assign(keys[0]!, { status: 'disabled' });
  expect(takeCharge(node, sender, ordersStart)).toBe('apiKeyDisabled');
  expect(takeCharge(node, { ...sender, key: 99 }, ordersStart)).toBe('apiKeyInvalid');
  expect(takeCharge(node, { account: 5 as AccountId, key: 0 }, ordersStart)).toBe('apiKeyInvalid');
});
