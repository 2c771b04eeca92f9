// Every screen in every look: it is as its picture shows it, axe finds nothing in any theme,
// nothing is wider than the window, and the browser has no complaint. New pictures, when a screen
// has changed: EVERMARK_PICTURES=write npm run vitest -- test/page/pictures.test.ts. Then look at
// them.

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPictureComparison,
  type PictureComparison,
  writesPictures,
} from './comparePicture.ts';
import { findViolationsOfThemes } from './findViolations.ts';
import { openBrowser } from './openBrowser.ts';
import { openPictureWorld, type PictureWorld } from './openPictureWorld.ts';
import { openVisit } from './openVisit.ts';

let world: PictureWorld;
let browser: Browser;
let pictures: PictureComparison;

beforeAll(async () => {
  world = await openPictureWorld();
  browser = await openBrowser();
  pictures = createPictureComparison(browser.version());
});

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

type Look = {
  readonly theme: 'dark' | 'light';
  readonly device: 'desktop' | 'phone';
};

const devices: Readonly<Record<Look['device'], BrowserContextOptions>> = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
};

/**
 * A phone in the light differs from the desktop in the light and from the dark phone in nothing.
 */
const looks: readonly Look[] = [
  { device: 'desktop', theme: 'dark' },
  { device: 'desktop', theme: 'light' },
  { device: 'phone', theme: 'dark' },
];

async function openLook(look: Look, signsIn: boolean) {
  const { theme, device } = look;
  const asked = { count: 0, lastAt: 0 };
  const visit = await openVisit(browser, {
    url: world.server.http,
    context: {
      ...devices[device],
      colorScheme: theme,
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      userAgent: 'Mozilla/5.0 (Pictures)',
    },
    before: async (page) => {
      countRequests(page, asked);
      const context = page.context();
      await world.stopClock(context);
      if (signsIn) await world.signIn(context);
      await context.addInitScript(() => {
        // The policy of the page allows no style of others but by a script.
        const still = new CSSStyleSheet();
        still.replaceSync(
          '* { transition: none !important; animation: none !important; ' +
            'caret-color: transparent !important; }',
        );
        document.adoptedStyleSheets = [still];
      });
    },
  });
  await visit.page.getByRole('banner').getByText(/^Live/).first().waitFor();
  return { ...visit, asked };
}

/** Requests without an answer, and when the last one began or ended. */
type Asked = { count: number; lastAt: number };

function countRequests(page: Page, asked: Asked): void {
  const change = (by: number) => (): void => {
    asked.count += by;
    asked.lastAt = performance.now();
  };
  page.on('request', change(1));
  page.on('requestfinished', change(-1));
  page.on('requestfailed', change(-1));
}

/**
 * An answer leads to the next request within this time: fills are read market by market. A picture
 * that is compared is taken again when it came too early.
 */
const quietMs = writesPictures ? 500 : 100;

type Opened = Awaited<ReturnType<typeof openLook>>;

/** What is wrong with the screens of a look, as sentences; and how a screen is judged. */
function judge({ page, asked }: Opened, look: Look) {
  const wrong: string[] = [];
  const show = async (name: string, part?: Locator): Promise<void> => {
    const place = `${look.device}-${look.theme}-${name}`;
    // Nothing waits for an answer, and the pointer is nowhere.
    await page.mouse.move(0, 0);
    const reading = page.getByText(/^Reading.*…$/).filter({ visible: true });
    const isQuiet = async (): Promise<boolean> =>
      asked.count === 0 &&
      performance.now() - asked.lastAt > quietMs &&
      (await reading.count()) === 0;
    await expect.poll(isQuiet).toBe(true);
    const difference = await pictures.compare(place, () =>
      (part ?? page).screenshot({ animations: 'disabled' }),
    );
    if (difference !== undefined) wrong.push(`${place}: ${difference}`);
    if (writesPictures) return;
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const root = document.documentElement;
      return { scrollWidth: root.scrollWidth, clientWidth: root.clientWidth };
    });
    if (scrollWidth > clientWidth) wrong.push(`${place} is wider than its window`);
    // The dark desktop has been judged in the light, too.
    if (look.theme === 'light') return;
    const found = await findViolationsOfThemes(page);
    wrong.push(...found.map((each) => `${place}: ${each}`));
  };
  return { wrong, show };
}

const accountViews = {
  Account: 'account',
  'Deposit and withdraw': 'money',
  'API keys': 'keys',
  Sessions: 'sessions',
  Referral: 'referral',
  Fees: 'fees',
} as const;

async function showDialogs(page: Page, show: ReturnType<typeof judge>['show']): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('banner').getByRole('button', { name: /0x/ }).click();
  for (const [view, name] of Object.entries(accountViews)) {
    await dialog.getByRole('tab', { name: view, exact: true }).click();
    await show(name, dialog);
  }
  await closeDialog(page);
  for (const [button, name] of [
    ['Settings', 'settings'],
    ['Notices', 'notices'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await show(name, dialog);
    await closeDialog(page);
  }
}

/** A key that comes before the dialog has opened would not close it. */
async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

describe.each(looks)('$device, $theme', (look) => {
  test('a visitor', async () => {
    const opened = await openLook(look, false);
    const { page, complaints, close } = opened;
    const { wrong, show } = judge(opened, look);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Connect wallet' }).first().waitFor();
    await show('visitor');
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    await show('wallets', dialog);
    await closeDialog(page);
    await page.keyboard.press('Control+k');
    await show('search', dialog);
    await closeDialog(page);
    expect([...wrong, ...complaints]).toEqual([]);
    await close();
  });

  test('who is signed in', async () => {
    const opened = await openLook(look, true);
    const { page, complaints, close } = opened;
    const { wrong, show } = judge(opened, look);
    const isPhone = look.device === 'phone';
    const choose = (view: string): Promise<void> =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
    if (isPhone) {
      for (const view of ['Chart', 'Book', 'Trade']) {
        await choose(view);
        await show(view.toLowerCase());
      }
      await choose('Account');
    } else {
      await page
        .getByRole('region', { name: 'Positions' })
        .getByText(/0\.300/)
        .waitFor();
      await show('trading');
    }
    const tables = page.getByRole('region', { name: 'Account tables' });
    for (const tab of await tables.getByRole('tab').all()) {
      await tab.click();
      const name = (await tab.getAttribute('aria-label')) ?? '';
      await show(`table-${name.toLowerCase().replaceAll(' ', '-')}`, tables);
    }
    await showDialogs(page, show);
    expect([...wrong, ...complaints]).toEqual([]);
    await close();
  });
});
