// One visit of the page by a person: a browser context of its own, and everything that went wrong
// in it.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { patienceMs } from './patience.ts';
import { keepNotices } from './waitForNotice.ts';

export type Visit = {
  readonly page: Page;
  /** What the browser complained about: errors of scripts, and reports of the policy. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
};

export type VisitOptions = {
  readonly url: string;
  readonly context?: BrowserContextOptions;
  /** Runs in the page before its own scripts: an injected wallet, for example. */
  readonly before?: (page: Page) => Promise<void>;
};

/** Closing may stall with the browser. */
const closingMs = 10_000;
const desktop = { width: 1440, height: 900 };

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());

/** A report of the policy becomes a complaint, whatever the browser itself says. */
const reportPolicy = `addEventListener('securitypolicyviolation', (report) => {
  console.error('policy: ' + report.violatedDirective + ' ' + report.blockedURI);
});`;

/** Refused requests are normal; the browser reports each of them, too. */
const isNormal = (text: string): boolean => text.startsWith('Failed to load resource');

/** Resolves when the page shows its ticket. */
export async function openVisit(
  browser: Browser,
  { url, context: options = {}, before }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: desktop, locale: 'en-GB', ...options });
  context.setDefaultTimeout(patienceMs);
  await keepNotices(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !isNormal(text)) complaints.push(text);
  });
  await page.addInitScript({ content: reportPolicy });
  await before?.(page);
  await page.goto(url);
  await page.getByRole('region', { name: 'Order', exact: true }).waitFor();
  const close = async (): Promise<void> => {
    // Answers that a test changes may still be on their way.
    for (const open of context.pages()) await open.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  return { page, complaints, close: () => Promise.race([close(), pause(closingMs)]) };
}
