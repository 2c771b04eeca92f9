// Parts of the page that are loaded when they are needed: the first visit stays small, a part comes
// without taking the focus, and one that cannot be had says what to do.

import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { firstLoad } from './firstLoad.ts';
import { useStage } from './useStage.ts';
import { waitForNotice } from './waitForNotice.ts';

// Without prices and makers the book stands still.
const stage = useStage({ flags: ['--feed', 'manual', '--no-market-maker'] });

const scriptBytesMax = 110_000;

beforeAll(async () => {
  await stage.server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
});

async function zippedBytes(paths: readonly string[]): Promise<number> {
  const sizes = paths.map(async (path) => {
    const response = await fetch(stage.server.http + path);
    return gzipSync(new Uint8Array(await response.arrayBuffer()), { level: 9 }).length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The file of this part cannot be had. */
const failing = (name: string) => async (page: Page) => {
  await page.route(`**/page/${name}-*`, (route) => route.abort());
};

/** The file of this part comes after this. */
const late = (name: string, gate: () => Promise<unknown>) => async (page: Page) => {
  await page.route(`**/page/${name}-*`, async (route) => {
    await gate();
    await route.continue();
  });
};

test('a visitor, and a person who is signed in, load at most 110 kB of scripts', async () => {
  const { page, complaints, close } = await stage.openGuest('1000');
  // The second opening is that of a person who comes back.
  await page.reload();
  const ofGuest = await firstLoad(page);
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  const ofVisitor = await firstLoad(page);
  for (const paths of [ofGuest, ofVisitor]) {
    expect(paths.length).toBeGreaterThan(1);
    expect(await zippedBytes(paths), paths.join()).toBeLessThanOrEqual(scriptBytesMax);
  }
  expect(complaints).toEqual([]);
  await close();
});

test('an English visit loads no German, and a German one never shows English', async () => {
  const english = await stage.visit();
  const isGerman = (path: string): boolean => path.includes('/german-');
  expect((await firstLoad(english.page)).filter(isGerman)).toEqual([]);
  await english.close();
  const { page, close } = await stage.visit({
    context: { locale: 'de-DE' },
    before: async (blank) => {
      await blank.addInitScript(noteTexts);
      await late('german', () => setTimeout(300))(blank);
    },
  });
  await page.getByRole('region', { name: 'Orderbuch' }).waitFor();
  const texts = await page.evaluate('window.texts_');
  expect(texts).not.toContain('Order book');
  expect(texts).toContain('Orderbuch');
  await close();
});

/** Keeps every text that a heading of the page ever had. */
const noteTexts = `
  window.texts_ = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('h2')) window.texts_.push(textContent);
  }).observe(document, { childList: true, subtree: true, characterData: true });
`;

test('without its texts a German visit is in English and says so', async () => {
  const { page, close } = await stage.visit({
    context: { locale: 'de-DE' },
    before: failing('german'),
  });
  await page.getByText('The texts of your language were not loaded').waitFor();
  await page.getByRole('region', { name: 'Order book' }).waitFor();
  expect(await page.getAttribute('html', 'lang')).toBe('en');
  await close();
});

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.textContent || document.activeElement?.ariaLabel);

test('a part that comes late takes no focus, and a dialog gives it back', async () => {
  const [fills, settings] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { page, complaints, close } = await stage.openGuest('1000', {
    before: async (blank) => {
      await late('fillsTable', () => fills.promise)(blank);
      await late('Settings', () => settings.promise)(blank);
    },
  });
  await page.getByRole('tab', { name: 'Fills' }).focus();
  await page.keyboard.press('Enter');
  // Only what takes long says that it is being read.
  await page.getByText('Reading…').waitFor();
  fills.resolve();
  await page.getByText('No fills yet.').waitFor();
  expect(await focused(page)).toBe('Fills');
  await page.getByRole('button', { name: 'Settings' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  settings.resolve();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.waitFor();
  expect(await dialog.count()).toBe(1);
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Settings');
  expect(complaints).toEqual([]);
  await close();
});

test('a part that cannot be had says why, and the rest of the page goes on', async () => {
  const { page, close } = await stage.openGuest('1000');
  const gone = (name: string) =>
    page.route(`**/page/${name}-*`, (route) => route.fulfill({ status: 404, body: '' }));
  await gone('fillsTable');
  await page.getByRole('tab', { name: 'Fills' }).click();
  await page.getByText('This part of the page was not loaded. Load the page again.').waitFor();
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await page.getByText('No open orders.').waitFor();

  // After a new release the shell names other files.
  await gone('NoticeList');
  await page.route(`${stage.server.http}/`, (route) => route.fulfill({ body: '<html></html>' }));
  await page.getByRole('button', { name: 'Notices' }).click();
  await waitForNotice(page, 'The exchange has a new version of this page.');
  await page.getByRole('tab', { name: 'Order history' }).click();
  await page.getByRole('tabpanel').getByText('No order has ended yet.').waitFor();

  await page.context().setOffline(true);
  await page.unroute(`${stage.server.http}/`);
  await page.getByRole('button', { name: 'Settings' }).click();
  await waitForNotice(page, 'The exchange cannot be reached, so this part');
  await page.context().setOffline(false);
  await page.unrouteAll();
  await page.reload();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await close();
});

test('a chart that cannot be had says so in its place', async () => {
  const { page, close } = await stage.visit({
    before: failing('priceChart'),
  });
  const chart = page.getByRole('region', { name: 'Chart' });
  await chart.getByText('This part of the page was not loaded. Load the page again.').waitFor();
  await close();
});
