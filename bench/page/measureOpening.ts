// The page's build, its size, and how soon it can be used.

import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../src/gateway/pages/buildPage.ts';
import type { RunningServer } from '../../test/fixtures/startServer.ts';
import { visitorOf } from '../../test/page/creditVisitor.ts';
import { firstLoad } from '../../test/page/firstLoad.ts';
import { openVisit } from '../../test/page/openVisit.ts';
import type { PageBench } from '../page.ts';
import { check, median, say } from '../report.ts';
import { followProcess, type PageProcess } from './pageProcess.ts';

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
  await buildPage({ chainId: 43113, version: 'bench', isMainnet: false });
  const buildMs = performance.now() - beganAt;
  say(`build: ${buildMs.toFixed(0)} ms`);
  const loaded = await measureLoad(server, browser);
  const cold: number[] = [];
  const warm: number[] = [];
  const coldCpu: number[] = [];
  const warmCpu: number[] = [];
  for (let visit = 0; visit < visits; visit += 1) {
    let process: PageProcess | undefined;
    const { page, complaints, close } = await openVisit(browser, {
      url: server.http,
      before: async (blank) => {
        await blank.addInitScript(noteReady);
        process = await followProcess(blank);
      },
    });
    cold.push(await readyAt(page));
    coldCpu.push(await process!.cpuMs());
    // The chart too, which comes after the page is drawn.
    await page.locator('canvas').first().waitFor();
    await page.reload();
    warm.push(await readyAt(page));
    // The browser counts anew after a reload.
    warmCpu.push(await process!.cpuMs());
    check(complaints.length === 0, complaints.join('; '));
    await close();
  }
  const texts = (times: readonly number[]): string =>
    times.map((each) => each.toFixed(0)).join(', ');
  say(`first interactive, cold: ${texts(cold)} ms; warm: ${texts(warm)} ms`);
  say(`  processor time until then, cold: ${texts(coldCpu)} ms; warm: ${texts(warmCpu)} ms`);
  return {
    build_ms: Math.round(buildMs),
    ...loaded,
    interactive_cold_ms: Math.round(median(cold)),
    interactive_cold_cpu_ms: Math.round(median(coldCpu)),
    interactive_warm_ms: Math.round(median(warm)),
    interactive_warm_cpu_ms: Math.round(median(warmCpu)),
  };
};

/** Scripts that a visit requests by itself: of a visitor, and of a person who is signed in. */
async function measureLoad(
  server: RunningServer,
  browser: Browser,
): Promise<Readonly<Record<string, number>>> {
  const { page, close } = await openVisit(browser, { url: server.http });
  const ofVisitor = await kilobytesOf(server, await firstLoad(page));
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  await visitorOf(page, server);
  await page.reload();
  const ofGuest = await kilobytesOf(server, await firstLoad(page));
  await close();
  return { first_load_js_gzip_kb: ofVisitor, signed_in_js_gzip_kb: ofGuest };
}

async function kilobytesOf({ http }: RunningServer, paths: readonly string[]): Promise<number> {
  check(paths.length > 0, 'no script was loaded');
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(http + path);
      check(response.ok, `${path} is not served`);
      return gzipSync(new Uint8Array(await response.arrayBuffer()), { level: 9 }).length;
    }),
  );
  say(`first load: ${paths.map((path, at) => `${path} ${sizes[at]}`).join(', ')}`);
  return Number((sizes.reduce((sum, size) => sum + size, 0) / 1000).toFixed(1));
}
