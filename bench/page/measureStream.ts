// Frames, long tasks, processor time and memory of a page while messages arrive.

import type { Page } from 'playwright-core';
import { openVisit } from '../../test/page/openVisit.ts';
import { type BenchAccount, openAccounts } from '../orderRequests.ts';
import type { PageBench } from '../page.ts';
import { check, percentile, percentiles, say } from '../report.ts';
import { sendOrders } from '../streams.ts';
import { followProcess } from './pageProcess.ts';
import { followThreads, type LongTask, longestTask } from './pageThreads.ts';

const accountCount = 32;
/** A load is signed for so long at most. */
const loadSecondsMax = 20;

/** Notes the time between frames, and tasks that block for longer than 50 ms. */
const noteFrames = `
  window.frames_ = [];
  window.longTasks_ = [];
  (function next(last) {
    requestAnimationFrame((now) => { window.frames_.push(now - last); next(now); });
  })(performance.now());
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      window.longTasks_.push({ at: performance.timeOrigin + startTime, duration });
    }
  }).observe({ type: 'longtask' });
`;

type Noted = { readonly frames: readonly number[]; readonly longTasks: readonly LongTask[] };

const takeNoted = `({ frames: window.frames_.splice(1), longTasks: window.longTasks_.splice(0) })`;

export const measureStream: PageBench = async (server, browser, { minutes, rate }) => {
  const accounts = await openAccounts(server, accountCount);
  const { page, complaints, close } = await openVisit(browser, { url: server.http });
  const process = await followProcess(page);
  // Warm: what is compiled and cached once.
  await load(server, accounts, { rate, seconds: 5 });
  await page.evaluate(noteFrames);
  const heapBefore = await process.heapMegabytes();
  const before = { cpuMs: await process.cpuMs(), sent: await messagesSent(server.http) };
  await page.evaluate(takeNoted);
  const threads = await followThreads(page);
  const beganAt = performance.now();
  for (let left = minutes * 60; left > 0; left -= loadSecondsMax) {
    await load(server, accounts, { rate, seconds: Math.min(left, loadSecondsMax) });
  }
  const seconds = (performance.now() - beganAt) / 1000;
  const { frames, longTasks } = (await page.evaluate(takeNoted)) as Noted;
  const longest = longestTask(longTasks, threads.end());
  const cpuMs = (await process.cpuMs()) - before.cpuMs;
  const messages = ((await messagesSent(server.http)) - before.sent) / seconds;
  const heapGrowth = (await process.heapMegabytes()) - heapBefore;
  await checkAlive(page);
  check(complaints.length === 0, complaints.join('; '));
  await close();
  say(
    `${messages.toFixed(0)} messages/s for ${seconds.toFixed(0)} s: ${percentiles(frames, 'ms')}`,
  );
  say(
    `  ${longTasks.length} tasks above 50 ms by the clock on the wall, the longest ` +
      `${longest.wallMs.toFixed(0)} ms; by processor time ${longest.cpuMs.toFixed(0)} ms; ` +
      `${(cpuMs / seconds).toFixed(0)} ms of processor time a s`,
  );
  say(`  heap ${heapBefore.toFixed(1)} MB before, ${heapGrowth.toFixed(2)} MB more after`);
  return {
    minutes,
    messages_per_s: Math.round(messages),
    frame_p95_ms: Number(percentile(frames, 0.95).toFixed(1)),
    long_tasks: longTasks.length,
    longest_task_wall_ms: Math.round(longest.wallMs),
    longest_task_ms: Math.round(longest.cpuMs),
    cpu_ms_per_s: Math.round(cpuMs / seconds),
    heap_growth_mb: Number(heapGrowth.toFixed(2)),
  };
};

const load = (
  server: Parameters<PageBench>[0],
  accounts: readonly BenchAccount[],
  plan: { readonly rate: number; readonly seconds: number },
) => sendOrders(server, accounts, { ...plan, stamps: false });

/** The page is the only reader. */
async function messagesSent(http: string): Promise<number> {
  const text = await (await fetch(`${http}/metrics`)).text();
  return Number(/^evermark_stream_sends_total (\d+)$/m.exec(text)?.[1]);
}

async function checkAlive(page: Page): Promise<void> {
  const light = await page.getByRole('banner').getByRole('status').first().textContent();
  check(light?.startsWith('Live') === true, `the page is not live: ${light}`);
}
