// What the trading page costs, in a real Chromium against the whole program: its build and size,
// how soon a person can use it, what general audits of pages say, frames and processor time while
// messages arrive, the time from a click to the order on the screen, and what fifty pages cost the
// orders of others. It says which target holds.

import type { Browser } from 'playwright-core';
import { type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../test/fixtures/temporaryDirectory.ts';
import { openBrowser } from '../test/page/openBrowser.ts';
import { measureAudits } from './page/measureAudits.ts';
import { measureBeside } from './page/measureBeside.ts';
import { measureClicks } from './page/measureClicks.ts';
import { measureOpening } from './page/measureOpening.ts';
import { measureStream } from './page/measureStream.ts';
import { sayPageTargets } from './page/targets.ts';
import { readNumbers } from './readNumbers.ts';
import { check, sayConditions, sayResult } from './report.ts';

export type PageBenchOptions = {
  /** Of the measurement of frames, processor time and memory. */
  minutes: number;
  /** Orders a second that make the messages. */
  rate: number;
  visits: number;
  clicks: number;
  rounds: number;
  /** Of a round of orders. */
  seconds: number;
  /** Orders a second of a round. */
  'order-rate': number;
  /** Seconds for which the page is recorded whose visits are repeated. */
  watch: number;
};

const quiet = ['--feed', 'manual', '--no-market-maker', '--rate-limit-scale', '1000000'];

/** The parts, in their order; each has an exchange of its own. */
const parts = {
  opening: measureOpening,
  audits: measureAudits,
  stream: measureStream,
  clicks: measureClicks,
  beside: measureBeside,
} as const satisfies Readonly<Record<string, PageBench>>;

type Part = keyof typeof parts;

const isPart = (name: string | undefined): name is Part =>
  name !== undefined && Object.hasOwn(parts, name);

/**
 * Prints everything; fails when an answer or a count is wrong. A missed target is printed and is in
 * the result. The first argument may be the name of a part, which then runs alone.
 */
export async function runPageBench(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  const chosen = isPart(first) ? [first] : (Object.keys(parts) as readonly Part[]);
  const options = readNumbers<PageBenchOptions>('page', isPart(first) ? rest : args, {
    minutes: 10,
    // Two orders make more than one message.
    rate: 1600,
    visits: 5,
    clicks: 40,
    rounds: 5,
    seconds: 8,
    'order-rate': 500,
    watch: 65,
  });
  check(options.seconds <= 25, 'a round is at most 25 seconds: timestamps are made before it');
  check(options.watch >= 10, 'a page is watched for at least 10 seconds');
  sayConditions('page', {
    parts: chosen.join(', '),
    server: 'the whole program: gateway, engine, log on files with fdatasync, archivist, history',
    browser: 'the system’s Chromium, headless, on the same machine',
    opening: `${options.visits} visits, each cold in a context of its own, then warm by a reload`,
    audits: `${options.visits} visits each of a desktop and of a phone that is 4 times slower on 4G`,
    stream: `${options.rate} orders/s by plan, which mostly trade; ${options.minutes} minutes`,
    clicks: `${options.clicks} limit orders by a click, until the frame that shows them`,
    beside:
      `${options['order-rate']} orders/s of other accounts in ${options.rounds} rounds of ` +
      `${options.seconds} s, in turn: beside 50 pages, which are light clients with the requests ` +
      `and messages of one real page that was watched for ${options.watch} s, and beside 50 ` +
      'sockets that read depth and trades',
  });
  const browser = await openBrowser();
  try {
    const figures: Record<string, number> = {};
    for (const part of chosen) {
      Object.assign(figures, await inServer((server) => parts[part](server, browser, options)));
    }
    const verdicts = sayPageTargets(figures);
    sayResult({ bench: 'page', parts: chosen, ...figures, ...verdicts });
  } finally {
    await browser.close();
  }
}

export type PageBench = (
  server: RunningServer,
  browser: Browser,
  options: PageBenchOptions,
) => Promise<Readonly<Record<string, number>>>;

async function inServer<T>(measure: (server: RunningServer) => Promise<T>): Promise<T> {
  using directory = createTemporaryDirectory();
  const server = await startServer({ data: directory.path, flags: quiet });
  try {
    const measured = await measure(server);
    const { ok, failures } = await server.operator.getInvariants();
    check(ok, failures.join('; '));
    return measured;
  } finally {
    await server.stop();
  }
}
