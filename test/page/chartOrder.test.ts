// The chart shows the same in whatever order its data comes: history, the candle in progress, the
// account's fills and orders. Goal: no mark at a wrong candle, no line out of sight. Method: each
// source is held back until the others are drawn; no pixel of the pictures differs by more than the
// browser's own noise.

import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noise } from './comparePicture.ts';
import { openBrowser } from './openBrowser.ts';
import { openPictureWorld, type PictureWorld } from './openPictureWorld.ts';
import { openVisit, type Visit, type VisitOptions } from './openVisit.ts';
import { pictureDifference } from './pictureDifference.ts';

let world: PictureWorld;
let browser: Browser;

beforeAll(async () => {
  world = await openPictureWorld();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

/** What can come last: messages and addresses of requests that begin or end so. */
const sources = {
  fills: /\/api\/v1\/fills/,
  'the candle in progress': /^\{"type":"candle"/,
  'orders and position': /^\{"type":"account"/,
  history: /\/api\/v1\/candles\//,
} as const;

type Source = keyof typeof sources;

/** Messages and requests of the source wait for the gate. */
async function holdBack(page: Page, pattern: RegExp, gate: Promise<void>): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    let before = Promise.resolve();
    server.onMessage((message) => {
      if (pattern.test(String(message))) {
        before = before.then(() => gate).then(() => socket.send(message));
      } else socket.send(message);
    });
  });
  await page.route(pattern, async (route) => {
    await gate;
    await route.fallback();
  });
}

const restMs = 500;

const isSame = (before: Buffer, now: Buffer): boolean => {
  const [a, b] = [PNG.sync.read(before), PNG.sync.read(now)];
  return pictureDifference(a, b, noise) === undefined;
};

/** The chart when it no longer changes. */
async function chartAtRest(page: Page): Promise<Buffer> {
  const chart = page.getByRole('region', { name: 'Chart' });
  for (let last = await chart.screenshot(); ; ) {
    await page.waitForTimeout(restMs);
    const next = await chart.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
}

type Look = Pick<VisitOptions, 'before' | 'context'>;

const visit = ({ before, context = {} }: Look): Promise<Visit> =>
  openVisit(browser, {
    url: world.server.http,
    context: { reducedMotion: 'reduce', timezoneId: 'UTC', ...context },
    before: async (opened) => {
      await world.stopClock(opened.context());
      await world.signIn(opened.context());
      await before?.(opened);
    },
  });

/** The chart when this source came last; `usual` is what it should become. */
async function drawLast(source: Source, usual?: Buffer): Promise<Buffer> {
  const gate = Promise.withResolvers<void>();
  const { page, complaints, close } = await visit({
    before: (opened) => holdBack(opened, sources[source], gate.promise),
  });
  const loading = page.locator('.chart-state');
  const tags = page.locator('.chart-tag');
  await page.locator('.chart-place canvas').first().waitFor();
  if (source !== 'history') await loading.waitFor({ state: 'detached' });
  if (source !== 'orders and position') await tags.nth(2).waitFor({ state: 'attached' });
  const without = await chartAtRest(page);
  gate.resolve();
  let picture = without;
  await expect
    .poll(
      async () => {
        picture = await chartAtRest(page);
        return usual === undefined ? !isSame(without, picture) : isSame(usual, picture);
      },
      { message: `${source} came last` },
    )
    .toBe(true);
  expect(isSame(without, picture), `${source} changes the chart`).toBe(false);
  expect(complaints).toEqual([]);
  await close();
  return picture;
}

test('the chart is the same whatever comes last', async () => {
  const [first, ...others] = Object.keys(sources) as [Source, ...Source[]];
  const usual = await drawLast(first);
  for (const source of others) await drawLast(source, usual);
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** The chart of a phone after these views were chosen, each when the page was at rest. */
async function drawOnPhone(views: readonly string[], before?: Look['before']): Promise<Buffer> {
  const { page, complaints, close } = await visit({
    context: phone,
    ...(before === undefined ? {} : { before }),
  });
  const navigation = page.getByRole('navigation', { name: 'Views' });
  for (const view of views) {
    if (before === undefined) await page.waitForLoadState('networkidle');
    await navigation.getByRole('button', { name: view }).click();
    if (view !== 'Chart') continue;
    await page.locator('.chart-state').waitFor({ state: 'detached' });
    await page.locator('.chart-tag').nth(2).waitFor();
  }
  const picture = await chartAtRest(page);
  expect(complaints).toEqual([]);
  await close();
  return picture;
}

test('a chart that was out of sight shows the present candle where it belongs', async () => {
  const usual = await drawOnPhone(['Chart'], async (page) => {
    // History comes when the chart is in sight.
    await page.route(sources.history, async (route) => {
      await page.locator('.chart-place').waitFor();
      await route.fallback();
    });
  });
  for (const views of [['Chart'], ['Chart', 'Trade', 'Chart']]) {
    expect(isSame(usual, await drawOnPhone(views)), views.join()).toBe(true);
  }
});

test('the candle under the pointer is there in numbers, while the pointer is there', async () => {
  const { page, complaints, close } = await visit({});
  const place = page.locator('.chart-place');
  await page.locator('.chart-state').waitFor({ state: 'detached' });
  await chartAtRest(page);
  const legend = page.locator('.chart-legend');
  expect(await page.locator('.chart-tags > p').isVisible()).toBe(false);
  const { x, y, width, height } = (await place.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 3);
  await legend.waitFor();
  const shown = await legend.textContent();
  const [, ...prices] =
    /^O (.+) {2}H (.+) {2}L (.+) {2}C (.+) {2}[+-]\d+\.\d\d%$/.exec(shown ?? '') ?? [];
  const candles = await page.evaluate(async () => {
    const answer = await fetch('/api/v1/candles/BTCUSDT?period=1m&limit=500');
    return (await answer.json()) as Readonly<Record<'open' | 'high' | 'low' | 'close', string>>[];
  });
  const numbers = prices.map((price) => Number(price.replaceAll(',', '')));
  expect(
    candles.map(({ open, high, low, close: last }) => [open, high, low, last].map(Number)),
  ).toContainEqual(numbers);
  await page.mouse.move(x + width / 2, y - 60);
  await legend.waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
  await close();
});
