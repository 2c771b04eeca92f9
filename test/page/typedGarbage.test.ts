// What people type and paste into the ticket. Goal: what cannot be read exactly is refused at its
// field, nothing is sent, and nothing is guessed. Method: every field of every order type in a real
// browser, with words by the keyboard and with texts of the clipboard.

import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type GuestVisit, useStage } from './useStage.ts';

const stage = useStage();
let visit: GuestVisit;
let ticket: Locator;
/** Orders and triggers that the page has sent. */
let sent = 0;

beforeAll(async () => {
  visit = await stage.openGuest('40000', {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  const { page } = visit;
  ticket = page.getByRole('region', { name: 'Order', exact: true });
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const places = ['/api/v1/orders', '/api/v1/triggers'].includes(pathname);
    if (request.method() === 'POST' && places) sent += 1;
  });
});

const malformed = 'A number above zero, please.';
const ambiguous = 'Is the comma a decimal point? Please use a point.';
const tooLarge = 'This number is too large.';

/** Of any grid. */
const garbage = [
  ['1,234', ambiguous],
  ['99999999999999999999', tooLarge],
  ['9007199254740993', tooLarge],
  ['<script>alert(1)</script>', malformed],
  ['50000\t0.5', malformed],
  ['50000\n0.5', malformed],
  ['-1', malformed],
  ['1e3', malformed],
  ['0x10', malformed],
  ['NaN', malformed],
  ['٣٤', malformed],
  ['１２', malformed],
  ['1.2.3', malformed],
  ['1.234,5', malformed],
  ['0', malformed],
  ['\u202e5.1', malformed],
] as const;

const paste = async (page: Page, field: Locator, text: string): Promise<void> => {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await field.fill('');
  await field.press('ControlOrMeta+v');
};

const problemOf = async (page: Page, field: Locator): Promise<string | null> => {
  const place = await field.getAttribute('aria-describedby');
  return place === null ? null : page.locator(`[id="${place}"]`).textContent();
};

const fields = [
  ['Limit', 'Price'],
  ['Limit', 'Size'],
  ['Market', 'Size'],
  ['Stop', 'Trigger'],
  ['Take profit', 'Trigger'],
  ['Trailing', 'Activation'],
] as const;

test.each(fields)('%s: garbage in %s is refused at the field and never sent', async (tab, name) => {
  const { page, complaints } = visit;
  await ticket.getByRole('tab', { name: tab, exact: true }).click();
  const field = ticket.getByLabel(name, { exact: true });
  for (const [text, said] of garbage) {
    await paste(page, field, text);
    await expect.poll(() => field.getAttribute('aria-invalid'), { message: text }).toBe('true');
    expect(await problemOf(page, field), text).toBe(said);
    await ticket.getByRole('button', { name: 'Buy / Long' }).click();
  }
  await field.fill('');
  expect([sent, complaints]).toEqual([0, []]);
});

test.each([
  ['100000,5', '100000.5'],
  ['\u00a0100 000.5\n', '100000.5'],
  ['100\u202f000,5', '100000.5'],
  ["100'000.5", '100000.5'],
  ['100,000.5', '100000.5'],
  ['000100000.50', '100000.5'],
])('the price %j is read as %s, and the exchange has just that', async (typed, wire) => {
  const { page, native, complaints } = visit;
  await ticket.getByRole('tab', { name: 'Limit', exact: true }).click();
  const far = page.waitForRequest(
    (request) => request.url().endsWith('/api/v1/orders') && request.method() === 'POST',
  );
  await paste(page, ticket.getByLabel('Price', { exact: true }), typed);
  await ticket.getByLabel('Size', { exact: true }).fill('0,05');
  await ticket.getByRole('button', { name: 'Buy / Long' }).click();
  const { price, quantity } = (await far).postDataJSON() as Record<string, string>;
  expect([Number(price), Number(quantity)]).toEqual([Number(wire), 0.05]);
  await native.cancelAllNativeOrders({});
  expect(complaints).toEqual([]);
});

test('a text that is longer than any number is refused whole, and none of its parts is sent', async () => {
  const { page, complaints } = visit;
  const before = sent;
  await ticket.getByRole('tab', { name: 'Limit', exact: true }).click();
  await ticket.getByLabel('Size', { exact: true }).fill('0.05');
  const price = ticket.getByLabel('Price', { exact: true });
  // Cut after forty signs it would be a good price.
  await paste(page, price, `100000.${'0'.repeat(40)}1`);
  await ticket.getByRole('button', { name: 'Buy / Long' }).click();
  await expect.poll(() => price.getAttribute('aria-invalid')).toBe('true');
  expect([sent - before, complaints]).toEqual([0, []]);
});
