// AUTH-5a: how many new accounts a client may make by logins in a day.

import { expect, test } from 'vitest';
import {
  createNewAccountLimit,
  newAccountsPerClientMax,
} from '../../src/gateway/identity/newAccountLimit.ts';

const dayMs = 86_400_000;
const noon = 20_000 * dayMs + dayMs / 2;

test('AUTH-5a one client makes two hundred new accounts a day and does not limit another client', () => {
  const { admit } = createNewAccountLimit();
  for (let made = 0; made < newAccountsPerClientMax; made += 1) {
    expect(admit('192.0.2.1', noon + made)).toBe(true);
  }
  expect(admit('192.0.2.1', noon + dayMs / 2 - 1)).toBe(false);
  expect(admit('192.0.2.2', noon)).toBe(true);
  expect(admit('192.0.2.1', noon + dayMs / 2)).toBe(true);
});

test('AUTH-5a a whole IPv6 /64 is one client', () => {
  const { admit } = createNewAccountLimit(2);
  expect(admit('2001:db8:1:2::1', noon)).toBe(true);
  expect(admit('2001:db8:1:2:ffff::7', noon)).toBe(true);
  expect(admit('2001:db8:1:2::3', noon)).toBe(false);
  expect(admit('2001:db8:1:3::1', noon)).toBe(true);
});

test('AUTH-5a a clock that steps back gives no second day, but a full memory does', () => {
  const { admit } = createNewAccountLimit(1, 2);
  expect(admit('a', noon)).toBe(true);
  expect(admit('a', noon - dayMs)).toBe(false);
  expect(admit('b', noon)).toBe(true);
  expect(admit('b', noon)).toBe(false);
  expect(admit('c', noon)).toBe(true);
  expect(admit('a', noon)).toBe(true);
});
