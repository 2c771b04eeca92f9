// Every screen in every theme and palette: axe finds nothing, nothing is wider than the window, and
// the keyboard reaches everything.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { creditVisitor } from './creditVisitor.ts';
import { findViolationsOfThemes } from './findViolations.ts';
import type { Visit } from './openVisit.ts';
import { phone, useStage } from './useStage.ts';

const stage = useStage();

const visit = (context = {}): Promise<Visit> => stage.visit({ context });

const choose = async (page: Page, setting: string, value: string): Promise<void> => {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel(setting).selectOption({ label: value });
  // Its name may be in another language now.
  await page.keyboard.press('Escape');
};

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('axe finds nothing on the screens of a desktop', async () => {
  const { page, complaints, close } = await visit({ colorScheme: 'dark' });
  await page.getByRole('group', { name: 'Bids' }).getByRole('button').first().waitFor();
  expect(await findViolationsOfThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  expect(await findViolationsOfThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search markets' }).waitFor();
  expect(await findViolationsOfThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  await creditVisitor(page, stage.server, '20000');
  await page.getByRole('tab', { name: 'Market' }).click();
  await page.getByLabel('Size').fill('0.01');
  await page.getByRole('button', { name: 'Buy / Long' }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
  for (const tab of ['Positions', 'Open orders', 'Fills']) {
    await page.getByRole('tab', { name: tab }).click();
    expect(await findViolationsOfThemes(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Settings' }).click();
  expect(await findViolationsOfThemes(page)).toEqual([]);
  expect([complaints, await overflow(page)]).toEqual([[], 0]);
  await close();
});

test('axe finds nothing on a phone, and nothing is wider than it', async () => {
  const { page, complaints, close } = await visit({ ...phone, colorScheme: 'dark' });
  const views = page.getByRole('navigation', { name: 'Views' });
  for (const view of ['Chart', 'Book', 'Trade', 'Account']) {
    await views.getByRole('button', { name: view }).click();
    expect(await findViolationsOfThemes(page), view).toEqual([]);
    expect(await overflow(page), view).toBe(0);
  }
  expect(complaints).toEqual([]);
  await close();
});

test.each(['dark', 'light'])(
  'a %s platform has a page of its colours, and the palette is chosen',
  async (theme) => {
    const { page, close } = await visit({ colorScheme: theme });
    const painted = () => page.evaluate(() => ({ ...document.documentElement.dataset }));
    expect(await painted()).toMatchObject({ theme, palette: 'standard' });
    await choose(page, 'Colours of gain and loss', 'Blue and orange');
    expect(await painted()).toMatchObject({ theme, palette: 'colourBlind' });
    await close();
  },
);

/** The figures between the sides of the book that are in sight, and those that are cut off. */
const middleOfBook = (page: Page): Promise<{ seen: string[]; cutOff: string[] }> =>
  page.evaluate(() => {
    const box = document.querySelector('.book-middle')!.getBoundingClientRect();
    const lower = (box.top + box.bottom) / 2;
    const figures = [...document.querySelectorAll('.book-middle strong, .book-figure')];
    const seen = figures.filter((each) => each.getBoundingClientRect().top < lower);
    const cutOff = seen.filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      return left < box.left || right > box.right || each.scrollWidth > each.clientWidth;
    });
    const textsOf = (elements: Element[]) => elements.map(({ textContent }) => textContent ?? '');
    return { seen: textsOf(seen), cutOff: textsOf(cutOff) };
  });

test.each([1440, 1100, 390])(
  'price and spread of a market of six digits have room in the book of a window of %d',
  async (width) => {
    const { page, close } = await visit({ viewport: { width, height: 844 } });
    if (width === 390) await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.locator('.book-spread').getByText(/\d/).waitFor();
    await page
      .locator('.book-middle strong')
      .getByText(/^1\d\d,\d/)
      .waitFor();
    const { seen, cutOff } = await middleOfBook(page);
    expect(cutOff).toEqual([]);
    expect(seen.filter((text) => /^1\d\d,|^Spread /.test(text))).toHaveLength(2);
    await close();
  },
);

/** Notices leave after six or twelve seconds; here they stay. */
const keepNoticesShown = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const { setTimeout: later } = window;
    const start = (step: () => void, milliseconds = 0): number =>
      milliseconds === 6000 || milliseconds === 12_000 ? 0 : later(step, milliseconds);
    window.setTimeout = start as typeof setTimeout;
  });
};

test.each([1440, 900, 390])(
  'notices lie in the top bar of a window of %d, and cover no figure',
  async (width) => {
    const { page, complaints, close } = await stage.visit({
      context: { viewport: { width, height: 844 } },
      before: keepNoticesShown,
    });
    await page.getByRole('button', { name: 'Try without a wallet' }).click();
    await page.getByRole('button', { name: 'Get play money' }).click();
    await page.locator('.notice').getByText('Play money credited').waitFor();
    const bar = (await page.locator('.top-bar').boundingBox())!;
    const notices = page.locator('.notice').filter({ visible: true });
    const boxes = await Promise.all((await notices.all()).map((notice) => notice.boundingBox()));
    expect(boxes.length).toBe(width === 1440 ? 2 : 1);
    for (const box of boxes) {
      expect(box!.y).toBeGreaterThanOrEqual(bar.y);
      expect(box!.y + box!.height).toBeLessThanOrEqual(bar.y + bar.height);
      expect(box!.x + box!.width).toBeLessThanOrEqual(bar.x + bar.width);
    }
    // An account with money needs no other in the ticket; the offer stands below it.
    await page
      .getByRole('region', { name: 'Account', exact: true })
      .getByRole('button', { name: 'Get play money' })
      .waitFor();
    expect(complaints).toEqual([]);
    await close();
  },
);

test('a market that has just begun shows candles of a minute and says why there are few', async () => {
  const { page, close } = await visit();
  const interval = (name: string) => page.getByRole('button', { name, exact: true, pressed: true });
  await interval('1m').waitFor();
  await page.getByText(/^This market opened on \d{4}-\d\d-\d\d/).waitFor();
  await page.getByRole('button', { name: '5m', exact: true }).click();
  await page.reload();
  await interval('5m').waitFor();
  await close();
});

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
