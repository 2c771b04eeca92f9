// The stage of a test in a browser: the real program on a directory of its own, and Chromium. Each
// visit is a person of its own.

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, type StartServer, startServer } from '../fixtures/startServer.ts';
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../fixtures/temporaryDirectory.ts';
import { creditVisitor } from './creditVisitor.ts';
import { openBrowser } from './openBrowser.ts';
import {
  openQuietMarkets,
  type QuietMarket,
  quietFlags,
  setQuietPrices,
} from './openQuietMarkets.ts';
import { openVisit, type Visit, type VisitOptions } from './openVisit.ts';

/** A visit of somebody who is signed in as a guest and has money. */
export type GuestVisit = Visit & Awaited<ReturnType<typeof creditVisitor>>;

export type Stage = {
  readonly browser: Browser;
  readonly server: RunningServer;
  readonly visit: (options?: Omit<VisitOptions, 'url'>) => Promise<Visit>;
  readonly openGuest: (money: string, options?: Omit<VisitOptions, 'url'>) => Promise<GuestVisit>;
  /** Starts the program again at the same place, after it was killed. */
  readonly startAgain: (options?: Pick<StartServer, 'clockAheadMs'>) => Promise<void>;
};

export type StageOptions = Pick<StartServer, 'flags'> & {
  /** Markets that stand still, in place of the demo's. */
  readonly quiet?: readonly QuietMarket[];
};

/** Is opened before the tests of the file and closed after them. */
export function useStage({ flags = [], quiet = [] }: StageOptions = {}): Stage {
  const options = { flags: quiet.length === 0 ? flags : [...quietFlags, ...flags] };
  let directory: TemporaryDirectory;
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    directory = createTemporaryDirectory();
    server = await startServer({ ...options, data: directory.path });
    if (quiet.length > 0) await openQuietMarkets(server, quiet);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    directory?.[Symbol.dispose]();
  });
  const visit: Stage['visit'] = (more) => openVisit(browser, { ...more, url: server.http });
  return {
    get browser() {
      return browser;
    },
    get server() {
      return server;
    },
    visit,
    openGuest: async (money, more) => {
      const opened = await visit(more);
      await opened.page.getByRole('button', { name: 'Try without a wallet' }).click();
      return { ...opened, ...(await creditVisitor(opened.page, server, money)) };
    },
    startAgain: async (more) => {
      server = await startServer({ ...options, ...more, data: directory.path, port: server.port });
      await setQuietPrices(server.operator, quiet);
    },
  };
}

/** Of a phone as wide as the narrowest usual ones. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
};
