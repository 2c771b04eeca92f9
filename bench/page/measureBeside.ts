// Orders of others while fifty pages are open, side by side with fifty plain readers of streams.
// Fifty tabs would measure the browser: one real page is recorded, signed in, with a position and
// an order, and fifty light clients request, subscribe and say what it did, each as its own
// account.

import type { Browser } from 'playwright-core';
import { createClient } from '../../src/client/createClient.ts';
import type { RunningServer } from '../../test/fixtures/startServer.ts';
import { createWallet } from '../../test/identity/wallet.ts';
import { type BenchAccount, openAccounts, symbol } from '../orderRequests.ts';
import type { PageBench, PageBenchOptions } from '../page.ts';
import { check, median, percentile, say } from '../report.ts';
import type { CrowdCount, ReaderPlan } from '../streamReaders.ts';
import { type AskReaders, sendOrders, withReaders } from '../streams.ts';
import { readThreadTimes } from '../threadTimes.ts';
import { type RecordedVisit, recordVisit } from './recordVisit.ts';

const readers = 50;
const tradingAccounts = 32;
/** A recorded page is open after so long. */
const openMs = 5000;
/** Of a round whose figures do not count: connections and code warm up. */
const warmSeconds = 2;

const ofReader = [`depth:${symbol}`, `trades:${symbol}`].map((channel) =>
  JSON.stringify({ type: 'subscribe', channel }),
);

type Round = {
  readonly p50: number;
  readonly p99: number;
  /** Of the trading thread, for each order. */
  readonly cpuUs: number;
};

export const measureBeside: PageBench = async (server, browser, options) => {
  // The recorded page, the pages and the traders are accounts of their own.
  const accounts = await openAccounts(server, 1 + readers + tradingAccounts);
  const [recorded, ...others] = accounts as [BenchAccount, ...BenchAccount[]];
  const [pages, traders] = [others.slice(0, readers), others.slice(readers)];
  await openPositions(server, [recorded, ...pages]);
  const visit = await record(browser, { server, account: recorded, traders, options });
  sayRecorded(visit);
  const asPages: ReaderPlan = {
    do: 'visits',
    port: server.port,
    visit,
    token: recorded.token,
    tokens: pages.map(({ token }) => token),
    openMs,
  };
  const asReaders: ReaderPlan = {
    do: 'crowd',
    port: server.port,
    path: '/ws',
    sockets: readers,
    says: ofReader,
  };
  const beside = (plan: ReaderPlan): Promise<Round> =>
    withReaders(async (ask) => {
      await ask(plan);
      return await measureRound(server, { ask, traders, options });
    });
  const turns: Turn[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    // Readers before and after: what only grows favours no side, and the two say how much the
    // same measurement differs by itself.
    const before = await beside(asReaders);
    const pagesOpen = await beside(asPages);
    turns.push({ before, pagesOpen, after: await beside(asReaders) });
  }
  return sayTurns(turns);
};

/** Pairs trade with each other, and each keeps an order far away: their pages show both. */
async function openPositions(
  server: RunningServer,
  accounts: readonly BenchAccount[],
): Promise<void> {
  for (const [index, { token }] of accounts.entries()) {
    const { native } = createClient({ baseUrl: server.http, token });
    const order = { symbol, side: index % 2 === 0 ? 'BUY' : 'SELL', type: 'LIMIT' } as const;
    await native.placeNativeOrder({ ...order, quantity: '0.01', price: '60000' });
    const price = order.side === 'BUY' ? '50000' : '70000';
    await native.placeNativeOrder({ ...order, quantity: '0.01', price });
  }
}

type Recording = {
  readonly server: RunningServer;
  readonly account: BenchAccount;
  readonly traders: readonly BenchAccount[];
  readonly options: PageBenchOptions;
};

function record(
  browser: Browser,
  { server, account, traders, options }: Recording,
): Promise<RecordedVisit> {
  // The first of the accounts that the benchmark opens.
  const { address } = createWallet(1000);
  const { token } = account;
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const login = { address, kind: 'injected', wallet: 'Bench', token, expiresAt };
  const { watch, 'order-rate': rate } = options;
  return recordVisit(browser, {
    url: server.http,
    session: { name: 'evermark.session.43113', value: JSON.stringify(login) },
    seconds: watch,
    meanwhile: async () => {
      const plan = { rate, seconds: Math.min(watch, options.seconds), stamps: false };
      await sendOrders(server, traders, plan);
    },
  });
}

function sayRecorded({ requests, sockets, milliseconds }: RecordedVisit): void {
  const says = sockets.flatMap((socket) => socket.says);
  const texts = says.map(({ text }) => text);
  check(
    texts.some((text) => text.includes('"auth"')),
    'the recorded page did not sign in',
  );
  for (const channel of ['account', 'tickers', ...['depth', 'trades'].map((c) => `${c}:${symbol}`)])
    check(
      texts.some((text) => text.includes(`"${channel}"`)),
      `the recorded page did not subscribe to ${channel}`,
    );
  const early = <T extends { readonly at: number }>(all: readonly T[]): number =>
    all.filter(({ at }) => at < openMs).length;
  say(
    `a page opens with ${early(requests)} requests, ${sockets.length} sockets and ${early(says)} ` +
      `messages; in ${(milliseconds / 1000).toFixed(0)} s it adds ` +
      `${requests.length - early(requests)} requests and ${says.length - early(says)} messages`,
  );
}

type Measured = {
  readonly ask: AskReaders;
  readonly traders: readonly BenchAccount[];
  readonly options: PageBenchOptions;
};

async function measureRound(
  server: RunningServer,
  { ask, traders, options }: Measured,
): Promise<Round> {
  const rate = options['order-rate'];
  await sendOrders(server, traders, { rate, seconds: warmSeconds, stamps: false });
  const before = {
    counted: await ask<CrowdCount>({ do: 'count' }),
    ...readThreadTimes(server.pid),
  };
  const sent = await sendOrders(server, traders, { rate, seconds: options.seconds, stamps: false });
  const cpuUs = (readThreadTimes(server.pid).trading - before.trading) / sent.answered;
  const counted = await ask<CrowdCount>({ do: 'count' });
  check(counted.frames > before.counted.frames, 'the readers read nothing');
  await ask({ do: 'leave' });
  const { latencies } = sent;
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), cpuUs };
}

/** Fifty pages, and fifty plain readers before and after them. */
type Turn = Readonly<Record<'before' | 'pagesOpen' | 'after', Round>>;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function sayTurns(turns: readonly Turn[]): Record<string, number> {
  const text = ({ p50, p99, cpuUs }: Round): string =>
    `${p50.toFixed(2)}/${p99.toFixed(2)}/${cpuUs.toFixed(0)}`;
  say('orders, p50 ms/p99 ms/µs of the trading thread: beside readers, pages, readers');
  for (const { before, pagesOpen, after } of turns) {
    say(`  ${[before, pagesOpen, after].map(text).join('  ')}`);
  }
  /** The middle of the turns. */
  const ratio = (of: keyof Round, part: (turn: Turn) => number): number => {
    const ratios = turns.map(part);
    say(`  ${of}: ${ratios.map((each) => each.toFixed(2)).join(', ')}`);
    return rounded(median(ratios), 3);
  };
  const pagesRatio = (of: keyof Round): number =>
    ratio(of, ({ before, pagesOpen, after }) => (2 * pagesOpen[of]) / (before[of] + after[of]));
  say('pages / readers');
  const [p50, p99, cpu] = [pagesRatio('p50'), pagesRatio('p99'), pagesRatio('cpuUs')];
  say('readers after / readers before: what the same measurement differs by');
  const same = ratio('p50', ({ before, after }) => after.p50 / before.p50);
  const middle = (of: keyof Round, part: (turn: Turn) => Round): number =>
    rounded(median(turns.map((turn) => part(turn)[of])), 2);
  return {
    orders_pages_p50_ms: middle('p50', ({ pagesOpen }) => pagesOpen),
    orders_pages_p99_ms: middle('p99', ({ pagesOpen }) => pagesOpen),
    orders_readers_p50_ms: middle('p50', ({ before }) => before),
    orders_readers_p99_ms: middle('p99', ({ before }) => before),
    orders_pages_readers_p50_ratio: p50,
    orders_pages_readers_p99_ratio: p99,
    orders_pages_readers_cpu_ratio: cpu,
    orders_readers_readers_p50_ratio: same,
  };
}
