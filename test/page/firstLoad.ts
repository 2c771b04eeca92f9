// The scripts that a visit of the page requests by itself.

import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const script = /^\/page\/.+\.js$/;
/** What is requested later than this after the chart is no part of opening the page. */
const settledMs = 3000;

const requested = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );

/** The paths of all scripts that came without an act of the person, the chart's among them. */
export async function firstLoad(page: Page): Promise<readonly string[]> {
  await page.locator('canvas').first().waitFor();
  await setTimeout(settledMs);
  return [...new Set(await requested(page))].filter((path) => script.test(path));
}
