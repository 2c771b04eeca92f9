// Orders, triggers and positions are changed where they are shown, in a real browser: in their
// tables and on the chart.

import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type GuestVisit, useStage } from './useStage.ts';

const stage = useStage({ quiet: ['BTCUSDT', 'ETHUSDT'] });
let visit: GuestVisit;
let native: GuestVisit['native'];

beforeAll(async () => {
  visit = await stage.openGuest('40000');
  ({ native } = visit);
});

const rowOf = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Account tables' }).getByRole('row', { name });

async function amend(row: Locator, from: string, to: string): Promise<void> {
  await row.getByRole('button', { name: from, exact: true }).click();
  await row.getByLabel('New value').fill(to);
  await row.getByLabel('New value').press('Enter');
}

/** Downwards, in pixels. */
async function drag(page: Page, handle: Locator, distance: number): Promise<void> {
  await handle.waitFor();
  const box = (await handle.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + distance, { steps: 4 });
  await page.mouse.up();
}

const onlyOrder = async () => (await native.listNativeOrders({}))[0];
const onlyTrigger = async () => (await native.listNativeTriggers({}))[0];

test('the margin mode is chosen in the ticket, and orders of other programs are shown', async () => {
  const { page } = visit;
  await page.getByLabel('Margin mode').selectOption({ label: 'Isolated' });
  await expect.poll(async () => (await native.getNativeAccount()).margin_mode).toBe('isolated');
  await native.placeNativeOrder({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.05',
    price: '100000',
  });
  await native.placeNativeOrder({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'MARKET',
    quantity: '0.1',
  });
  await native.placeNativeTrigger({
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'STOP',
    quantity: '0.02',
    trigger_price: '90000',
    price: '89000',
  });
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await expect.poll(() => rowOf(page, /^20\d\d-/).count()).toBe(2);
});

test('price and size of an order are changed in its row', async () => {
  const { page } = visit;
  await page.getByRole('tab', { name: 'Open orders' }).click();
  const row = rowOf(page, /Limit .*GTC/).first();
  await amend(row, '100,000.0', '101000.5');
  await expect.poll(onlyOrder).toMatchObject({ price: '101000.5', orig_qty: '0.050' });
  await row.getByRole('button', { name: '101,000.5' }).waitFor();
  await amend(row, '0.050', '0.07');
  await expect.poll(onlyOrder).toMatchObject({ price: '101000.5', orig_qty: '0.070' });
});

test('a change that is refused leaves the order, and Escape leaves the row', async () => {
  const { page } = visit;
  const row = rowOf(page, /Limit .*GTC/).first();
  await amend(row, '101,000.5', '5.05');
  await page.getByText('A multiple of 0.1, please.').waitFor();
  await row.getByLabel('New value').fill('1000');
  await row.getByLabel('New value').press('Escape');
  await row.getByRole('button', { name: '101,000.5' }).waitFor();
  expect(await onlyOrder()).toMatchObject({ price: '101000.5' });
});

test('a trigger is changed in its row', async () => {
  const { page } = visit;
  const row = rowOf(page, /Stop limit/);
  await amend(row, '90,000.0', '91000');
  await expect.poll(onlyTrigger).toMatchObject({ trigger_price: '91000.0', price: '89000.0' });
  await row.getByRole('button', { name: '91,000.0' }).waitFor();
  await amend(row, '89,000.0', '90500');
  await expect.poll(onlyTrigger).toMatchObject({ trigger_price: '91000.0', price: '90500.0' });
  await row.getByRole('button', { name: '90,500.0' }).waitFor();
  await amend(row, '91,000.0', '190000');
  await page.getByText('The mark is there already. Choose a price ahead of it.').waitFor();
  await row.getByLabel('New value').press('Escape');
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(onlyTrigger).toBeUndefined();
});

test('a line of the chart is dragged, or moved by keys, and changes its order after a question', async () => {
  const { page } = visit;
  const { mark_price: mark } = await native.getTicker({ symbol: 'BTCUSDT' });
  const { order_id: id } = await native.placeNativeOrder({
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'LIMIT',
    quantity: '0.03',
    price: String(Math.round(Number(mark) * 1.012)),
  });
  const priceNow = async () => (await native.getNativeOrder({ id })).price;
  const before = await priceNow();
  const handle = page.getByRole('button', { name: /^Sell 0\.030 at/ });
  await drag(page, handle, 40);
  const dialog = page.getByRole('dialog', { name: 'Change the order?' });
  const asked = await dialog.getByText(/^From/).textContent();
  const [, from, to] = /From (\S+) to (\S+)/.exec(asked ?? '') ?? [];
  expect(from?.replaceAll(',', '')).toBe(before);
  // Nothing has happened before the answer.
  expect(await priceNow()).toBe(before);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(priceNow).toBe(to?.replaceAll(',', ''));
  expect(Number(to?.replaceAll(',', ''))).toBeLessThan(Number(before));
  const moved = await priceNow();
  await handle.focus();
  for (const key of ['ArrowUp', 'ArrowUp', 'Shift+ArrowUp', 'Enter']) await handle.press(key);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(async () => Number(await priceNow())).toBeCloseTo(Number(moved) + 10.2, 5);
});

test('a take-profit is dragged from the line of the position, and a cross removes an order', async () => {
  const { page } = visit;
  // The order of the test before keeps more than a percent of the price in sight.
  await drag(page, page.getByRole('button', { name: 'Drag a take-profit' }), -100);
  await page
    .getByRole('dialog', { name: 'Set a take-profit?' })
    .getByRole('button', { name: 'Confirm' })
    .click();
  await expect
    .poll(() => native.listNativeTriggers({}))
    .toMatchObject([{ order_type: 'TAKE_PROFIT_MARKET', side: 'SELL' }]);
  const crosses = page.getByRole('button', { name: 'Remove from the chart' });
  await expect.poll(() => crosses.count()).toBe(2);
  await native.setProtection({ symbol: 'BTCUSDT', take_profit: null });
  await expect.poll(() => native.listNativeTriggers({})).toEqual([]);
  await expect.poll(() => crosses.count()).toBe(1);
  await crosses.click();
  await expect
    .poll(async () => (await native.listNativeOrders({})).map(({ side }) => side))
    .toEqual(['BUY']);
});

test('LIQ-7 a position shows its margin ratio and its rank in deleveraging', async () => {
  const { page } = visit;
  await page.getByRole('tab', { name: 'Positions' }).click();
  const row = rowOf(page, /^BTCUSDT/);
  const [position] = await native.listPositions({});
  const rank = (position?.adl_quantile ?? 0) + 1;
  await row.getByRole('img', { name: `Deleveraging rank ${rank} of 5` }).waitFor();
  const ratio = (await row.locator('td:nth-child(9)').textContent()) ?? '';
  expect(ratio).toMatch(/^\d+\.\d\d%$/);
  const shown = Number.parseFloat(ratio);
  expect(Math.abs(shown - 100 * Number(position?.margin_ratio))).toBeLessThan(1);
});

test('a position is protected, and its protection changed and removed', async () => {
  const { page } = visit;
  await page.getByRole('tab', { name: 'Positions' }).click();
  const row = rowOf(page, /^BTCUSDT/);
  const dialog = page.getByRole('dialog');
  await row.getByRole('button', { name: 'TP/SL' }).click();
  await dialog.getByLabel('Take profit at').fill('140000');
  await dialog.getByLabel('Stop loss at').fill('50000');
  await dialog.getByText(/^Liquidation comes first/).waitFor();
  await dialog.getByLabel('Stop loss at').fill('113000,5');
  await dialog.getByLabel('SL limit').fill('112000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await row.getByText('113,000.5').waitFor();
  expect(await native.listNativeTriggers({})).toMatchObject([
    { order_type: 'TAKE_PROFIT_MARKET', trigger_price: '140000.0' },
    { order_type: 'STOP', trigger_price: '113000.5', price: '112000.0' },
  ]);
  await row.getByRole('button', { name: 'TP/SL' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).first().click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(() => native.listNativeTriggers({})).toMatchObject([{ order_type: 'STOP' }]);
});

test('collateral of an isolated position is added and taken out', async () => {
  const { page } = visit;
  const row = rowOf(page, /^BTCUSDT/);
  const dialog = page.getByRole('dialog');
  const collateral = async () => Number((await native.listPositions({}))[0]!.collateral);
  const before = await collateral();
  await row.getByRole('button', { name: 'Collateral' }).click();
  await dialog.getByLabel('Amount').fill('250.5');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(async () => (await collateral()) - before).toBeCloseTo(250.5, 5);
  await row.getByRole('button', { name: 'Collateral' }).click();
  await dialog.getByRole('button', { name: 'Take out' }).click();
  await dialog.getByLabel('Amount').fill('200000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Amount').fill('100.5');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(async () => (await collateral()) - before).toBeCloseTo(150, 5);
});

test('a part of a position is closed at a price by an order that only reduces', async () => {
  const { page } = visit;
  const dialog = page.getByRole('dialog');
  await rowOf(page, /^BTCUSDT/)
    .getByRole('button', { name: 'Limit' })
    .click();
  await dialog.getByLabel('Size').fill('0.2');
  await dialog.getByText('At most 0.100.').first().waitFor();
  await dialog.getByLabel('Size').fill('0.04');
  await dialog.getByLabel('Price').fill('130000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const closing = { side: 'SELL', price: '130000.0', orig_qty: '0.040', reduce_only: true };
  await expect
    .poll(async () => (await native.listNativeOrders({})).find(({ side }) => side === 'SELL'))
    .toMatchObject(closing);
});

test('a position is reversed after a question, and closed', async () => {
  const { page, complaints } = visit;
  const row = rowOf(page, /^BTCUSDT/);
  await row.getByRole('button', { name: 'Reverse' }).click();
  await page
    .getByRole('dialog')
    .getByText(/closes the position of 0\.100 BTC/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Reverse' }).click();
  await expect.poll(async () => (await native.listPositions({}))[0]?.position_amt).toBe('-0.100');
  await row.getByText('-0.100 BTC').waitFor();
  await row.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No open positions.').waitFor();
  expect(complaints).toEqual([]);
});

const hasFocus = (element: Element): boolean => element === document.activeElement;

test('all orders, all triggers or both are cancelled by keyboard, of a market or of all', async () => {
  const { page, complaints } = visit;
  await native.cancelAllNativeOrders({});
  await native.cancelAllNativeTriggers({});
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    const { mark_price: mark } = await native.getTicker({ symbol });
    const at = (part: number): string => String(Math.round(Number(mark) * part));
    const own = { symbol, side: 'BUY', quantity: '0.05' } as const;
    await native.placeNativeOrder({ ...own, type: 'LIMIT', price: at(0.9) });
    await native.placeNativeTrigger({ ...own, type: 'STOP_MARKET', trigger_price: at(1.2) });
  }
  const left = async () => [
    ...(await native.listNativeOrders({})).map(({ symbol }) => `order ${symbol}`).sort(),
    ...(await native.listNativeTriggers({})).map(({ symbol }) => `trigger ${symbol}`).sort(),
  ];
  const all = ['order BTCUSDT', 'order ETHUSDT', 'trigger BTCUSDT', 'trigger ETHUSDT'];
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await page.getByLabel('Rows of market').selectOption('ETHUSDT');
  await expect.poll(() => rowOf(page, /ETHUSDT/).count()).toBe(2);
  const button = page
    .getByRole('region', { name: 'Account tables' })
    .getByRole('button', { name: 'Cancel all' });
  const dialog = page.getByRole('dialog', { name: /^Cancel all:/ });
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await button.focus();
  await press('Enter');
  await dialog.getByText('Cancel all: ETHUSDT').waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // The focus is where it was.
  await expect.poll(() => button.evaluate(hasFocus)).toBe(true);
  expect(await left()).toEqual(all);

  // Dismiss, orders, triggers, back, cancel all: triggers stay.
  await press('Enter');
  await dialog.waitFor();
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Dismiss' }).evaluate(hasFocus))
    .toBe(true);
  await press('Tab', 'Tab', 'Space', 'Tab', 'Tab', 'Enter');
  await expect.poll(left).toEqual(all.filter((each) => each !== 'order ETHUSDT'));
  await dialog.waitFor({ state: 'hidden' });
  // The one row that is left has a button of its own.
  await expect.poll(() => button.count()).toBe(0);

  await page.getByLabel('Rows of market').selectOption('');
  await button.click();
  await dialog.getByText('Cancel all: All markets').waitFor();
  await dialog.getByLabel('Orders (1)').uncheck();
  await dialog.getByLabel('Triggers, take-profits and stop-losses (2)').uncheck();
  await dialog.getByRole('button', { name: 'Cancel all' }).click();
  await dialog.getByText('Choose orders, triggers or both.').waitFor();
  await dialog.getByLabel('Orders (1)').check();
  await dialog.getByLabel('Triggers, take-profits and stop-losses (2)').check();
  await dialog.getByRole('button', { name: 'Cancel all' }).click();
  await expect.poll(left).toEqual([]);
  await page.getByText('No open orders.').waitFor();
  expect(complaints).toEqual([]);
});
