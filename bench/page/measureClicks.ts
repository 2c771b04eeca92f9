// The time from a click that places an order to the frame that shows the order.

import type { Locator } from 'playwright-core';
import { must } from '../../src/std/assert.ts';
import { creditVisitor } from '../../test/page/creditVisitor.ts';
import { openVisit } from '../../test/page/openVisit.ts';
import { symbol } from '../orderRequests.ts';
import type { PageBench } from '../page.ts';
import { check, percentile, percentiles, say } from '../report.ts';
import { followProcess } from './pageProcess.ts';

/** Notes the click, and the first frame after the table has one row more. */
const noteClicks = `
  window.shown_ = [];
  let clickedAt, rowsBefore = 0;
  const rows = () => document.querySelectorAll('.tables tbody tr').length;
  addEventListener('click', ({ target }) => {
    if (target.closest('button')?.textContent !== 'Buy / Long') return;
    clickedAt = performance.now();
    rowsBefore = rows();
  }, true);
  new MutationObserver(() => {
    if (clickedAt === undefined || rows() <= rowsBefore) return;
    const began = clickedAt;
    clickedAt = undefined;
    requestAnimationFrame(() => setTimeout(() => window.shown_.push(performance.now() - began)));
  }).observe(document.querySelector('.tables'), { childList: true, subtree: true });
`;

type Noted = { readonly shown_: readonly number[] };

/** The table draws all rows of a short list, so that each new order is a row more. */
const openMax = 40;

const lookEveryMs = 250;

async function middleOf(button: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = must(await button.boundingBox(), 'the button is shown');
  return { x: x + width / 2, y: y + height / 2 };
}

export const measureClicks: PageBench = async (server, browser, { clicks }) => {
  await server.operator.setIndexPrice({ symbol, price: '60000' });
  const { page, complaints, close } = await openVisit(browser, { url: server.http });
  await page.getByRole('button', { name: 'Try without a wallet' }).click();
  const { native } = await creditVisitor(page, server, '1000000');
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await page.evaluate(noteClicks);
  const process = await followProcess(page);
  const size = page.getByLabel('Size', { exact: true });
  const buy = page.getByRole('button', { name: 'Buy / Long' });
  let cpuMs = 0;
  for (let n = 0; n < clicks; n += 1) {
    await page.getByLabel('Price', { exact: true }).fill(String(50_000 + n));
    await size.fill('0.01');
    const at = await middleOf(buy);
    const before = await process.cpuMs();
    // To find the button again, and to look at every frame, would be work of the page's thread.
    await page.mouse.click(at.x, at.y);
    await page.waitForFunction(
      (count) => (globalThis as unknown as Noted).shown_.length === count,
      n + 1,
      { polling: lookEveryMs },
    );
    cpuMs += (await process.cpuMs()) - before;
    if ((n + 1) % openMax === 0) await native.cancelAllNativeOrders({ symbol });
  }
  const shown = (await page.evaluate('window.shown_')) as readonly number[];
  check(shown.length === clicks, `${shown.length} of ${clicks} orders were shown`);
  check(complaints.length === 0, complaints.join('; '));
  await close();
  say(`click to shown: ${percentiles(shown, 'ms')}`);
  say(`  ${(cpuMs / clicks).toFixed(1)} ms of the page's processor time each`);
  return {
    click_shown_p50_ms: Number(percentile(shown, 0.5).toFixed(1)),
    click_cpu_ms: Number((cpuMs / clicks).toFixed(1)),
    click_shown_p95_ms: Number(percentile(shown, 0.95).toFixed(1)),
  };
};
