// The page opens in a real browser: it shows what the exchange says, breaks no rule of its own
// policy, and says when it is not live.

import { beforeAll, expect, test } from 'vitest';
import { useStage } from './useStage.ts';
import { type PracticeWatch, watchPractice } from './watchPractice.ts';

// Without prices and makers the book stands still.
const stage = useStage({ flags: ['--feed', 'manual', '--no-market-maker'] });

beforeAll(async () => {
  await stage.server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
});

test('the page shows the book of the exchange, is live, and says when it is not', async () => {
  const { page, complaints, close } = await stage.visit();
  const banner = page.getByRole('banner');
  await banner.getByText(/^Live/).first().waitFor();
  await page.getByRole('region', { name: 'Market' }).getByText('50,000.0').first().waitFor();
  for (const name of ['Order book', 'Trades', 'Chart', 'Order']) {
    await page.getByRole('region', { name, exact: true }).waitFor();
  }
  await stage.server.kill();
  await banner.getByText('Not live: reconnecting').waitFor();
  await stage.startAgain();
  await banner.getByText(/^Live/).first().waitFor();
  expect(complaints.filter((text) => !/WebSocket connection|ERR_CONNECTION/.test(text))).toEqual(
    [],
  );
  await close();
});

test('what the footer names is served, and the files of the page are kept for ever', async () => {
  const { page, close } = await stage.visit();
  const links = await page.getByRole('contentinfo').getByRole('link').all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  expect(paths).toContain('/docs');
  for (const path of paths)
    expect((await fetch(stage.server.http + path)).status, path ?? '').toBe(200);
  const html = await (await fetch(stage.server.http)).text();
  const files = [...html.matchAll(/"(\/page\/[^"]+)"/g)].map(([, path]) => path!);
  expect(files.map((path) => path.replace(/-\w+\./, '-HASH.'))).toEqual([
    '/page/app-HASH.css',
    '/page/chunk-HASH.js',
    '/page/app-HASH.js',
  ]);
  for (const path of files) {
    const { status, headers } = await fetch(stage.server.http + path);
    expect([status, headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(headers.get('content-encoding')).not.toBeNull();
  }
  await close();
});

test('the page keeps the rules of general audits, for a visitor and for a guest', async () => {
  let watch: PracticeWatch | undefined;
  const { page, close } = await stage.visit({
    before: async (blank) => {
      watch = await watchPractice(blank);
    },
  });
  await page.locator('canvas').first().waitFor();
  expect(await watch!.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  await page.getByRole('button', { name: 'Get play money' }).waitFor();
  expect(await watch!.findings()).toEqual([]);
  await close();
});

test('what breaks those rules is found', async () => {
  let watch: PracticeWatch | undefined;
  const { page, close } = await stage.visit({
    before: async (blank) => {
      watch = await watchPractice(blank);
      await blank.route('**/page/app-*.css', async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), 'cache-control': 'no-store' };
        await route.fulfill({ response, headers });
      });
      await blank.route('**/page/app-*.js', async (route) => {
        const response = await route.fetch();
        const body = `${await response.text()}\naddEventListener('unload', () => {});`;
        await route.fulfill({ response, body });
      });
    },
  });
  await page.evaluate(() => {
    const image = new Image(10, 20);
    image.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const field = document.createElement('input');
    field.addEventListener('paste', (event) => event.preventDefault());
    document.body.append(image, field);
    document.title = '';
    console.error('planted');
    return image.decode();
  });
  const found = (await watch!.findings()).join('\n');
  for (const offence of [
    /app-\w+\.css: it is not kept for a year/,
    /app-\w+\.css: it must not be stored/,
    /console error: planted/,
    /an image out of shape/,
    /a field that takes no pasted text/,
    /window listens for unload/,
  ])
    expect(found).toMatch(offence);
  await close();
});
