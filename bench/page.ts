// What the trading page costs, in a real Chromium against the whole program: its build and size,
// how soon a person can use it, frames and processor time while messages arrive, the time from a
// click to the order on the screen, and what fifty pages cost the orders of others.

import type { Browser } from 'playwright-core';
import { type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../test/fixtures/temporaryDirectory.ts';
import { openBrowser } from '../test/page/openBrowser.ts';
import { measureClicks } from './page/measureClicks.ts';
import { measureOpening } from './page/measureOpening.ts';
import { measureOrders } from './page/measureOrders.ts';
import { measureStream } from './page/measureStream.ts';
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
};

const quiet = ['--feed', 'manual', '--no-market-maker', '--rate-limit-scale', '1000000'];

/** Prints everything; fails when an answer or a count is wrong. */
export async function runPageBench(args: readonly string[]): Promise<void> {
  const options = readNumbers<PageBenchOptions>('page', args, {
    minutes: 1,
    rate: 1000,
    visits: 5,
    clicks: 40,
    rounds: 3,
    seconds: 8,
    'order-rate': 500,
  });
  check(options.seconds <= 25, 'a round is at most 25 seconds: timestamps are made before it');
  sayConditions('page', {
    server: 'the whole program: gateway, engine, log on files with fdatasync, archivist, history',
    browser: 'the system’s Chromium, headless, on the same machine',
    opening: `${options.visits} visits, each cold in a context of its own, then warm by a reload`,
    messages: `${options.rate} orders/s by plan, which mostly trade; ${options.minutes} minutes`,
    clicks: `${options.clicks} limit orders by a click, until the frame that shows them`,
    orders:
      `${options['order-rate']} orders/s of other accounts in ${options.rounds} rounds, in turn: ` +
      'beside 50 pages, which are 2 pages in Chromium and 48 sockets with the subscriptions of a ' +
      'page, and beside 50 sockets that read depth and trades',
  });
  const browser = await openBrowser();
  try {
    const opening = await inServer((server) => measureOpening(server, browser, options));
    const stream = await inServer((server) => measureStream(server, browser, options));
    const clicks = await inServer((server) => measureClicks(server, browser, options));
    const orders = await inServer((server) => measureOrders(server, browser, options));
    sayResult({ bench: 'page', ...opening, ...stream, ...clicks, ...orders });
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
