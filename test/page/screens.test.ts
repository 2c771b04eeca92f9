// The keyboard reaches everything, the page speaks other languages, and texts of others stay texts.
// pictures.test.ts looks at every screen.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../fixtures/startServer.ts';
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../fixtures/temporaryDirectory.ts';
import { openBrowser } from './openBrowser.ts';
import { openVisit, type Visit } from './openVisit.ts';

let directory: TemporaryDirectory;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  directory = createTemporaryDirectory();
  server = await startServer({ data: directory.path });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  directory?.[Symbol.dispose]();
});

const visit = (context = {}): Promise<Visit> => openVisit(browser, { url: server.http, context });

const choose = async (page: Page, setting: string, value: string): Promise<void> => {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel(setting).selectOption({ label: value });
  // Its name may be in another language now.
  await page.keyboard.press('Escape');
};

test('the keyboard chooses a market, a price of the book and a tab', async () => {
  const { page, close } = await visit();
  await page.getByRole('button', { name: /^BTC-USDT/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search markets' }).waitFor();
  await page.keyboard.type('eth');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^ETH-USDT/ }).waitFor();
  const bids = page.getByRole('group', { name: 'Bids' }).getByRole('button');
  await bids.nth(2).waitFor();
  await bids.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Price').inputValue()).toMatch(/^\d+\.\d\d$/);
  await page.getByRole('tab', { name: 'Positions' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Open orders', selected: true }).waitFor();
  await close();
});

test('the page speaks German, and comes back in the language that was chosen', async () => {
  const { page, close } = await visit();
  await choose(page, 'Language', 'Deutsch');
  await page.getByRole('region', { name: 'Orderbuch' }).waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Orderbuch' }).waitFor();
  expect(await page.getAttribute('html', 'lang')).toBe('de');
  await close();
});

test.each([
  ['1,234', 'Is the comma a decimal point? Please use a point.'],
  ['5.05', 'A multiple of 0.1, please.'],
  ['99999999999999999999', 'This number is too large.'],
  ['<script>alert(1)</script>', 'A number above zero, please.'],
])('the price %j is refused before it is sent', async (typed, said) => {
  const { page, complaints, close } = await visit();
  await page.getByLabel('Price').fill(typed);
  await page.getByText(said).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
