// The page where its surroundings fail: limits, a network that is gone, a halted market, clocks
// that are off, hours asleep, two tabs. It says what is wrong, and is right again without a reload.

import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './findViolations.ts';
import { phone, useStage } from './useStage.ts';
import { waitForNotice } from './waitForNotice.ts';

const stage = useStage({ quiet: ['BTCUSDT', 'ETHUSDT'] });
const symbol = 'BTCUSDT';
const hourMs = 3_600_000;

/** What the browser says of sockets that cannot be opened. */
const isNetwork = (complaint: string): boolean =>
  /WebSocket connection|ERR_CONNECTION|ERR_INTERNET/.test(complaint);

const refusal = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    json: { success: false, data: null, error: { code, message: 'No.' }, timestamp: 0 },
  });

const placeLimit = async (page: Page, price: string): Promise<void> => {
  await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  await page.getByLabel('Price', { exact: true }).fill(price);
  await page.getByLabel('Size', { exact: true }).fill('0.01');
  await page.getByRole('button', { name: 'Buy / Long' }).click();
};

const live = (page: Page): Promise<void> =>
  page.getByRole('banner').getByText('Live', { exact: true }).waitFor();

test('429 and an exchange out of reach are said in words, and the ticket keeps what was typed', async () => {
  const { page, native, complaints, close } = await stage.openGuest('5000');
  await page.route('**/api/v1/orders', refusal(429, 'TOO_MANY_REQUESTS'));
  await placeLimit(page, '100000');
  await page.getByText('Too many requests. Wait a moment.').first().waitFor();
  await page.unroute('**/api/v1/orders');
  await page.route('**/api/v1/orders', (route) => route.abort());
  await page.getByRole('button', { name: 'Buy / Long' }).click();
  await page.getByText('The exchange cannot be reached.').first().waitFor();
  expect(await native.listNativeOrders({})).toEqual([]);
  await page.unroute('**/api/v1/orders');
  expect(await page.getByLabel('Size', { exact: true }).inputValue()).toBe('0.01');
  await page.getByRole('button', { name: 'Buy / Long' }).click();
  await expect.poll(async () => (await native.listNativeOrders({})).length).toBe(1);
  expect(complaints.filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
  await close();
});

test('an answer that is lost is asked for again, and the order is placed once', async () => {
  const { page, native, complaints, close } = await stage.openGuest('5000');
  let lost = 0;
  await page.route('**/api/v1/orders', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    // The exchange has it, the page hears nothing.
    await route.fetch();
    return route.abort();
  });
  await placeLimit(page, '100000');
  await waitForNotice(page, 'Order placed');
  expect((await native.listNativeOrders({})).length).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});

test('a token that has expired ends the session on the page, and a new login goes on', async () => {
  const { page, native, complaints, close } = await stage.openGuest('5000');
  await native.placeNativeOrder({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.01',
    price: '100000',
  });
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
  await page.route('**/api/v1/orders/*', refusal(401, 'INVALID_TOKEN'));
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await waitForNotice(page, 'Your session has ended. Sign in again.');
  await page.getByText('Sign in to see your account.').waitFor();
  await page.unroute('**/api/v1/orders/*');
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('No open orders.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a halted market says so, takes no order, lets cancel, and goes on when it is opened', async () => {
  const { page, native, complaints, close } = await stage.openGuest('5000');
  const { operator } = stage.server;
  await placeLimit(page, '100000');
  await expect.poll(async () => (await native.listNativeOrders({})).length).toBe(1);
  await operator.changeMarket({ symbol, status: 'HALT' });
  const bar = page.getByRole('region', { name: 'Market' });
  await bar.getByRole('status').getByText('Halted').waitFor();
  await placeLimit(page, '100001');
  await page.getByText('The market is halted.').first().waitFor();
  expect((await native.listNativeOrders({})).length).toBe(1);
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('No open orders.').waitFor();
  await operator.changeMarket({ symbol, status: 'TRADING' });
  await expect.poll(() => bar.getByRole('status').count()).toBe(0);
  await placeLimit(page, '100002');
  await expect.poll(async () => (await native.listNativeOrders({})).length).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['a minute ahead', 60_000],
  ['a minute behind', -60_000],
])('a clock that is %s: the countdown is right, and news are news', async (_name, offMs) => {
  const { page, native, complaints, close } = await stage.openGuest('5000', {
    before: async (blank) => {
      await blank.addInitScript((off) => {
        const { now } = Date;
        Date.now = () => now() + off;
      }, offMs);
    },
  });
  await page.getByText('5,000.00 USDT').first().waitFor();
  const market = { symbol, type: 'MARKET', side: 'BUY', quantity: '0.01' } as const;
  await native.placeNativeOrder(market);
  // Placed by another program: it is news of now, not of a minute ago.
  await waitForNotice(page, 'Buy 0.01 BTCUSDT @');
  const countdown = page.getByRole('region', { name: 'Market' }).getByText(/\d\d:\d\d:\d\d$/);
  const leftMs = async (): Promise<number> => {
    const [, hours, minutes, seconds] = /(\d\d):(\d\d):(\d\d)$/
      .exec((await countdown.textContent()) ?? '')!
      .map(Number);
    return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000;
  };
  const { next_funding_time: next } = await native.getNativeFundingRate({ symbol });
  await expect.poll(async () => Math.abs(next - Date.now() - (await leftMs()))).toBeLessThan(5000);
  expect(complaints).toEqual([]);
  await close();
});

test('two tabs: each keeps its market, both have one login, and a setting of one leaves the other', async () => {
  const { page, native, complaints, close } = await stage.openGuest('5000');
  const second = await page.context().newPage();
  await second.goto(stage.server.http);
  const market = (of: Page, name: RegExp) => of.getByRole('button', { name });
  await market(second, /^BTC-USDT/).waitFor();
  await second.keyboard.press('Control+k');
  await second.getByRole('combobox', { name: 'Search markets' }).fill('eth');
  await second.keyboard.press('Enter');
  await market(second, /^ETH-USDT/).waitFor();
  await market(page, /^BTC-USDT/).waitFor();
  await second.getByRole('button', { name: 'Settings' }).click();
  await second.getByLabel('Theme').selectOption({ label: 'Dark' });
  await second.keyboard.press('Escape');
  expect(await page.getAttribute('html', 'data-theme')).toBe('light');
  await placeLimit(page, '100000');
  for (const tab of [page, second]) {
    await tab.getByRole('tab', { name: 'Open orders' }).click();
    await tab.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
  }
  await second.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('No open orders.').waitFor();
  expect(await native.listNativeOrders({})).toEqual([]);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Guest 0x/ })
    .click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await second.getByRole('button', { name: 'Connect wallet' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('signed in, nothing is wider than a phone of 390 px, also while it is not live', async () => {
  const { page, native, complaints, close } = await stage.openGuest('5000', { context: phone });
  const overflow = (): Promise<number> =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  const views = page.getByRole('navigation', { name: 'Views' });
  const look = async (): Promise<void> => {
    for (const view of ['Chart', 'Book', 'Trade', 'Account']) {
      await views.getByRole('button', { name: view }).click();
      expect(await overflow(), view).toBe(0);
    }
  };
  await native.placeNativeOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.01' });
  await look();
  // Each position is a card: what can be done with it needs no scrolling sideways.
  for (const name of ['Close', 'Limit', 'Reverse']) {
    const card = page.getByRole('region', { name: 'Positions' });
    const box = await card.getByRole('button', { name, exact: true }).boundingBox();
    expect(box!.x + box!.width, name).toBeLessThanOrEqual(390);
  }
  expect(await findViolations(page)).toEqual([]);
  const open = ['Account', 'Deposit and withdraw', 'API keys', 'Sessions', 'Referral', 'Fees'];
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Guest 0x/ })
    .click();
  for (const view of open) {
    await page.getByRole('dialog').getByRole('tab', { name: view, exact: true }).click();
    expect(await overflow(), view).toBe(0);
  }
  await page.keyboard.press('Escape');
  await stage.server.kill();
  await page.getByRole('banner').getByText('Not live: reconnecting').waitFor();
  await look();
  await stage.startAgain();
  await live(page);
  expect(complaints.filter((text) => !isNetwork(text))).toEqual([]);
  await close();
});

test('killed, and five hours asleep: all of it is live again; a day later the session has ended', async () => {
  const { page, native, complaints, close } = await stage.openGuest('5000', {
    before: async (blank) => {
      await blank.clock.install();
    },
  });
  await native.placeNativeOrder({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.01',
    price: '100000',
  });
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
  const banner = page.getByRole('banner');
  await stage.server.kill();
  await banner.getByText('Not live: reconnecting').waitFor();
  await page.clock.fastForward(5 * hourMs);
  const isCandles = (url: string): boolean => url.includes('/api/v1/candles/');
  const candles = page.waitForResponse((response) => isCandles(response.url()) && response.ok());
  await stage.startAgain({ clockAheadMs: 5 * hourMs });
  await candles;
  await live(page);
  await page.getByRole('group', { name: 'Bids' }).getByRole('button').first().waitFor();
  // The order was there all the time, and can be cancelled.
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('No open orders.').waitFor();
  await placeLimit(page, '100001');
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();

  await stage.server.kill();
  await page.clock.fastForward(25 * hourMs);
  await stage.startAgain({ clockAheadMs: 30 * hourMs });
  await waitForNotice(page, 'Your session has ended. Sign in again.');
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  await banner.getByRole('button', { name: /^Guest 0x/ }).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
  await live(page);
  expect(complaints.filter((text) => !isNetwork(text))).toEqual([]);
  await close();
});
