// How much processor time a long task of the page took. The browser reports tasks by the clock on
// the wall, which also counts the time in which other processes had the core.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { check } from '../report.ts';

export type LongTask = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly duration: number;
};

/** Milliseconds of processor time of one page's thread so far, at a moment. */
type Sample = { readonly at: number; readonly cpuMs: number };

const sampleMs = 10;

/** Follows the threads that run pages, until its end gives what they used. */
export async function followThreads(page: Page): Promise<{ end: () => readonly Sample[][] }> {
  const browser = page.context().browser();
  check(browser !== null, 'the page has a browser');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const threads = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => ({ id, samples: [] as Sample[] }));
  check(threads.length > 0, 'the browser names the processes of pages');
  const look = (): void => {
    for (const { id, samples } of threads) {
      const at = performance.timeOrigin + performance.now();
      samples.push({ at, cpuMs: cpuMsOf(id) });
    }
  };
  look();
  const looking = setInterval(look, sampleMs);
  return {
    end: () => {
      clearInterval(looking);
      look();
      return threads.map(({ samples }) => samples);
    },
  };
}

/** The first thread of a process runs its page; the figure is in nanoseconds. */
const cpuMsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;

/** Of all tasks the longest by each clock. The processor time may be a tick of the kernel less. */
export function longestTask(
  tasks: readonly LongTask[],
  threads: readonly (readonly Sample[])[],
): { readonly wallMs: number; readonly cpuMs: number } {
  const cpuMs = tasks.map((task) => {
    const used = threads.map((samples) => usedIn(samples, task));
    return Math.min(task.duration, Math.max(...used));
  });
  const wallMs = Math.max(0, ...tasks.map(({ duration }) => duration));
  return { wallMs, cpuMs: Math.max(0, ...cpuMs) };
}

/** Between the last sample before the task and the first one after it. */
function usedIn(samples: readonly Sample[], { at, duration }: LongTask): number {
  const before = samples.findLast((sample) => sample.at <= at) ?? samples[0]!;
  const after = samples.find((sample) => sample.at >= at + duration) ?? samples.at(-1)!;
  return after.cpuMs - before.cpuMs;
}
