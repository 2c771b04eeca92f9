// The documentation in a real browser (CON-4, CON-5): the references are rendered and can be
// searched under their policy, nothing comes from another host, axe finds nothing,
// and nothing is wider than a phone.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../fixtures/temporaryDirectory.ts';
import { findViolations, findViolationsOfColours } from './findViolations.ts';
import { openBrowser } from './openBrowser.ts';
import { patienceMs } from './patience.ts';

let directory: TemporaryDirectory;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  directory = createTemporaryDirectory();
  server = await startServer({ data: directory.path, flags: quietFlags });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  directory?.[Symbol.dispose]();
});

const paths = [
  '/docs',
  '/docs#/fapi',
  '/docs/streams',
  '/docs/start',
  '/docs/errors',
  '/docs/rules',
  '/docs/rules/referral',
];

type Read = { readonly page: Page; readonly wrong: string[]; readonly close: () => Promise<void> };

/** `wrong` has errors, reports of the policy, and requests to other hosts. */
async function read(path: string, scheme: 'light' | 'dark', width: number): Promise<Read> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale: 'en-GB',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.http) && !url.startsWith('data:')) wrong.push(url);
  });
  await page.goto(server.http + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return { page, wrong, close: () => context.close() };
}

test.each([1440, 390])(
  'CON-4 CON-5 the documentation breaks no rule of its policy and asks no other host (%i)',
  async (width) => {
    for (const path of paths) {
      const { page, wrong, close } = await read(path, 'light', width);
      await page.waitForLoadState('networkidle');
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBeLessThanOrEqual(0);
      expect(await findViolations(page), path).toEqual([]);
      // The other scheme changes nothing but colours.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findViolationsOfColours(page), path).toEqual([]);
      expect(wrong, path).toEqual([]);
      await close();
    }
  },
);

test('the reference shows an operation with its example, and its search finds it', async () => {
  const { page, wrong, close } = await read('/docs', 'light', 1440);
  await page.getByText('Futures API').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('referral/claim');
  await page.getByText('Claims everything that has accrued by referral.').first().click();
  await page.waitForURL(/#.*claim/i);
  await page.getByText('Claims everything that has accrued by referral.').first().waitFor();
  expect(wrong).toEqual([]);
  await close();
});

test('the reference of streams shows channels and their messages', async () => {
  const { page, wrong, close } = await read('/docs/streams', 'dark', 1440);
  await page.getByText('/ws-fapi/v1').first().waitFor();
  await page.getByText('subscribe').first().waitFor();
  expect(wrong).toEqual([]);
  await close();
});

test('every page leads to the others', async () => {
  const { page, close } = await read('/docs/start', 'light', 1440);
  const navigation = page.getByRole('navigation', { name: 'Documentation' });
  for (const [name, title] of [
    ['Errors', 'Errors'],
    ['Rules', 'Rules'],
    ['Streams', /^Evermark/],
    ['Requests', /^Evermark/],
    ['Getting started', 'Getting started'],
  ] as const) {
    await navigation.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: title }).first().waitFor();
  }
  await close();
});
