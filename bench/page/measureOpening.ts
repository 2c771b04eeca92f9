// The page's build, its size, and how soon it can be used.

import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { buildPage } from '../../src/gateway/pages/buildPage.ts';
import { openVisit } from '../../test/page/openVisit.ts';
import type { PageBench } from '../page.ts';
import { check, median, say } from '../report.ts';

const script = /^\/page\/(.+\.js)$/;

/**
 * Runs before the page's own scripts: notes when the ticket is there, its button can be pressed and
 * the thread is free.
 */
const noteReady = `
  new MutationObserver((_, observer) => {
    const button = document.querySelector('section[aria-label="Order"] button:not([disabled])');
    if (button === null || window.readyAt !== undefined) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.readyAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
`;

type Ready = { readonly readyAt?: number };

/** The page's policy forbids the text of a program here, and allows a function. */
const readyAt = async (page: Page): Promise<number> =>
  Number(await (await page.waitForFunction(() => (globalThis as Ready).readyAt)).jsonValue());

export const measureOpening: PageBench = async (server, browser, { visits }) => {
  const beganAt = performance.now();
  const built = await buildPage({ chainId: 43113, version: 'bench', isMainnet: false });
  const buildMs = performance.now() - beganAt;

  const cold: number[] = [];
  const warm: number[] = [];
  let names: readonly string[] = [];
  for (let visit = 0; visit < visits; visit += 1) {
    const { page, complaints, close } = await openVisit(browser, {
      url: server.http,
      before: async (blank) => {
        await blank.addInitScript(noteReady);
      },
    });
    cold.push(await readyAt(page));
    // The chart too, which comes after the page is drawn.
    await page.locator('canvas').first().waitFor();
    const paths = await page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
    );
    names = (paths as string[]).flatMap((path) => script.exec(path)?.[1] ?? []);
    await page.reload();
    warm.push(await readyAt(page));
    check(complaints.length === 0, complaints.join('; '));
    await close();
  }
  check(names.length > 0, 'no script was loaded');
  const sizes = names.map((name) => {
    const file = built.files.get(name);
    // The version is the only difference between this build and that of the server.
    check(file !== undefined, `the build has no ${name}`);
    return gzipSync(file.plain, { level: 9 }).length;
  });
  const loadedKb = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  const texts = (times: readonly number[]): string =>
    times.map((each) => each.toFixed(0)).join(', ');
  say(`build: ${buildMs.toFixed(0)} ms; first load: ${loadedKb.toFixed(1)} kB of script, gzip`);
  say(`  ${names.map((name, at) => `${name} ${sizes[at]}`).join(', ')}`);
  say(`first interactive, cold: ${texts(cold)} ms; warm: ${texts(warm)} ms`);
  return {
    build_ms: Math.round(buildMs),
    first_load_js_gzip_kb: Number(loadedKb.toFixed(1)),
    interactive_cold_ms: Math.round(median(cold)),
    interactive_warm_ms: Math.round(median(warm)),
  };
};
