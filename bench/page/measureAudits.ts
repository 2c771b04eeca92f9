// The audits of a page in general, as Lighthouse has them, without a network: when its first and
// its largest part are drawn, how long its thread is blocked, whether its layout jumps, which
// bytes it does not use, and the rules of test/page/watchPractice.ts. Once as a desktop, once as a
// phone with a slow processor and a slow line.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { RunningServer } from '../../test/fixtures/startServer.ts';
import { creditVisitor } from '../../test/page/creditVisitor.ts';
import { openQuietMarkets } from '../../test/page/openQuietMarkets.ts';
import { openVisit } from '../../test/page/openVisit.ts';
import { watchPractice } from '../../test/page/watchPractice.ts';
import type { PageBench } from '../page.ts';
import { check, median, say } from '../report.ts';
import { countUse, type FileUse } from './countUse.ts';

type Device = {
  readonly name: string;
  readonly context: BrowserContextOptions;
  /** By which the processor is slower than it is. */
  readonly slowdown: number;
  readonly line?: { readonly latencyMs: number; readonly bitsPerSecond: number };
};

/** The phone is Lighthouse's: a slow 4G line, and a processor of a fourth. */
const devices: readonly Device[] = [
  { name: 'desktop', context: { viewport: { width: 1350, height: 940 } }, slowdown: 1 },
  {
    name: 'phone',
    context: { viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true },
    slowdown: 4,
    line: { latencyMs: 150, bitsPerSecond: 1_638_400 },
  },
];

/** Notes what is drawn, what moves by itself, and what blocks the thread. */
const noteDrawing = `
  window.drawing_ = { fcp: 0, lcp: 0, largest: '', shifts: [], tasks: [] };
  const watch = (type, take) => new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) take(entry);
  }).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') window.drawing_.fcp = startTime;
  });
  watch('largest-contentful-paint', ({ startTime, element }) => {
    window.drawing_.lcp = startTime;
    window.drawing_.largest = element?.outerHTML.slice(0, 100) ?? '';
  });
  watch('layout-shift', ({ startTime, value, hadRecentInput, sources }) => {
    if (hadRecentInput) return;
    const moved = sources.map(({ node }) => node?.className ?? node?.nodeName ?? 'gone').join(', ');
    window.drawing_.shifts.push({ at: startTime, value, moved });
  });
  watch('longtask', ({ startTime, duration }) => {
    window.drawing_.tasks.push({ at: startTime, duration });
  });
`;

type Drawing = {
  readonly fcp: number;
  readonly lcp: number;
  readonly largest: string;
  readonly shifts: readonly {
    readonly at: number;
    readonly value: number;
    readonly moved: string;
  }[];
  readonly tasks: readonly { readonly at: number; readonly duration: number }[];
};

/** After so long nothing of the opening is under way any more, on the slowest device too. */
const settledMs = 6000;
/** A task blocks by what it has beyond this. */
const freeMs = 50;

export const measureAudits: PageBench = async (server, browser, { visits }) => {
  await openQuietMarkets(server, ['BTCUSDT', 'ETHUSDT']);
  const figures: Record<string, number> = {};
  for (const device of devices) {
    const drawn: Drawing[] = [];
    for (let visit = 0; visit < visits; visit += 1) {
      drawn.push(await measureDrawing(server, browser, device));
    }
    Object.assign(figures, sayDrawing(device, drawn));
  }
  Object.assign(figures, await measureUnused(server, browser));
  const findings = await findPractice(server, browser);
  for (const finding of findings) say(`  found: ${finding}`);
  return { ...figures, practice_findings: findings.length };
};

async function slowDown(page: Page, { slowdown, line }: Device): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (line === undefined) return;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: line.bitsPerSecond / 8,
    uploadThroughput: line.bitsPerSecond / 16,
  });
}

async function measureDrawing(
  { http: url }: RunningServer,
  browser: Browser,
  device: Device,
): Promise<Drawing> {
  const { page, close } = await openVisit(browser, {
    url,
    context: device.context,
    before: async (blank) => {
      await blank.addInitScript(noteDrawing);
      await slowDown(blank, device);
    },
  });
  await page.waitForTimeout(settledMs);
  const drawing = (await page.evaluate('window.drawing_')) as Drawing;
  check(drawing.fcp > 0 && drawing.lcp > 0, 'the browser has noted no drawing');
  await close();
  return drawing;
}

/** The largest sum of shifts within five seconds that are less than a second apart. */
function layoutShift({ shifts }: Drawing): number {
  let [most, sum, beganAt, lastAt] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const { at, value } of shifts) {
    const goesOn = at - lastAt < 1000 && at - beganAt < 5000;
    if (!goesOn) [sum, beganAt] = [0, at];
    sum += value;
    lastAt = at;
    most = Math.max(most, sum);
  }
  return most;
}

const blockedMs = ({ fcp, tasks }: Drawing): number =>
  tasks
    .filter(({ at, duration }) => at + duration > fcp)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - freeMs), 0);

function sayDrawing({ name }: Device, drawn: readonly Drawing[]): Record<string, number> {
  const middle = (of: (drawing: Drawing) => number): number => median(drawn.map(of));
  const [fcp, lcp] = [middle((each) => each.fcp), middle((each) => each.lcp)];
  const [blocked, shift] = [middle(blockedMs), middle(layoutShift)];
  say(
    `${name}: first part ${fcp.toFixed(0)} ms, largest ${lcp.toFixed(0)} ms, blocked ` +
      `${blocked.toFixed(0)} ms, layout shift ${shift.toFixed(3)}`,
  );
  const [first] = drawn;
  say(`  the largest part: ${first?.largest}`);
  for (const { at, value, moved } of first?.shifts ?? []) {
    say(`  moved by ${value.toFixed(4)} at ${at.toFixed(0)} ms: ${moved}`);
  }
  return {
    [`${name}_first_paint_ms`]: Math.round(fcp),
    [`${name}_largest_paint_ms`]: Math.round(lcp),
    [`${name}_blocked_ms`]: Math.round(blocked),
    [`${name}_layout_shift`]: Number(shift.toFixed(4)),
  };
}

/** Bytes that opening the page loads and does not use. */
async function measureUnused(
  { http: url }: RunningServer,
  browser: Browser,
): Promise<Record<string, number>> {
  let countedUse: (() => Promise<FileUse[]>) | undefined;
  const { page, close } = await openVisit(browser, {
    url,
    before: async (blank) => {
      countedUse = await countUse(await blank.context().newCDPSession(blank));
    },
  });
  await page.locator('canvas').first().waitFor();
  await page.waitForTimeout(settledMs);
  const files = await countedUse!();
  await close();
  for (const { name, bytes, used } of files) {
    say(`  ${name}: ${bytes} bytes, ${((100 * used) / bytes).toFixed(0)}% used`);
  }
  const share = (ending: string): number => {
    const of = files.filter(({ name }) => name.endsWith(ending));
    const sum = (part: 'bytes' | 'used'): number => of.reduce((all, each) => all + each[part], 0);
    return Number((1 - sum('used') / sum('bytes')).toFixed(2));
  };
  return { unused_js_part: share('.js'), unused_css_part: share('.css') };
}

/** A visitor at a desktop, and a guest with a position at a phone. */
async function findPractice(server: RunningServer, browser: Browser): Promise<string[]> {
  const found: string[] = [];
  for (const { name, context } of devices) {
    let watch: Awaited<ReturnType<typeof watchPractice>> | undefined;
    const { page, complaints, close } = await openVisit(browser, {
      url: server.http,
      context,
      before: async (blank) => {
        watch = await watchPractice(blank);
      },
    });
    await page.waitForTimeout(settledMs);
    if (name === 'phone') {
      await page.getByRole('button', { name: 'Try without a wallet' }).click();
      const { native } = await creditVisitor(page, server, '20000');
      const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.1' } as const;
      await native.placeNativeOrder(order);
      const views = page.getByRole('navigation', { name: 'Views' });
      for (const view of ['Chart', 'Book', 'Account']) {
        await views.getByRole('button', { name: view }).click();
      }
      await page.getByRole('button', { name: 'Reverse' }).waitFor();
    }
    found.push(...[...complaints, ...(await watch!.findings())].map((each) => `${name}: ${each}`));
    await close();
  }
  return found;
}
