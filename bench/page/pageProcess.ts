// Processor time and memory of a page, as its browser counts them. Processor time holds on a busy
// machine too, where a clock on the wall also counts what others do.

import type { CDPSession, Page } from 'playwright-core';

export type PageProcess = {
  /** Milliseconds of the thread that runs the page's scripts, styles and layout. */
  readonly cpuMs: () => Promise<number>;
  /** Memory after everything that is garbage has gone, in megabytes. */
  readonly heapMegabytes: () => Promise<number>;
};

export async function followProcess(page: Page): Promise<PageProcess> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    cpuMs: () => readCpu(session),
    heapMegabytes: async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize / 1e6;
    },
  };
}

async function readCpu(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'ThreadTime')?.value;
  if (seconds === undefined) throw new Error('the browser counts no processor time');
  return seconds * 1000;
}
