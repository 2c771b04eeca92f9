// Orders of others while fifty pages are open, side by side with fifty plain readers of streams.

import { openVisit } from '../../test/page/openVisit.ts';
import { openAccounts, symbol } from '../orderRequests.ts';
import type { PageBench } from '../page.ts';
import { check, median, percentile, say } from '../report.ts';
import { sendOrders, withReaders } from '../streams.ts';

const readers = 50;
/** Of these, pages in Chromium: more would need the processors that the exchange is measured on. */
const realPages = 2;
const accountCount = 32;

const subscribing = (channels: readonly string[]): readonly string[] =>
  channels.map((channel) => JSON.stringify({ type: 'subscribe', channel }));

/** What a page reads of the market that it shows. */
const ofPage = subscribing([
  'tickers',
  `depth:${symbol}`,
  `trades:${symbol}`,
  `prices:${symbol}`,
  `candles:${symbol}:15m`,
]);
const ofReader = subscribing([`depth:${symbol}`, `trades:${symbol}`]);

type Latency = { readonly p50: number; readonly p99: number };

export const measureOrders: PageBench = async (server, browser, options) => {
  const accounts = await openAccounts(server, accountCount);
  const plan = { rate: options['order-rate'], seconds: options.seconds, stamps: false };
  const send = async (): Promise<Latency> => {
    const { latencies } = await sendOrders(server, accounts, plan);
    return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
  };
  const beside = (sockets: number, says: readonly string[]): Promise<Latency> =>
    withReaders(async (ask) => {
      await ask({ do: 'crowd', port: server.port, path: '/ws', sockets, says });
      const latency = await send();
      await ask({ do: 'leave' });
      return latency;
    });
  await send();
  const pages: Latency[] = [];
  const plain: Latency[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const visits = await Promise.all(
      Array.from({ length: realPages }, () => openVisit(browser, { url: server.http })),
    );
    pages.push(await beside(readers - realPages, ofPage));
    for (const { complaints, close } of visits) {
      check(complaints.length === 0, complaints.join('; '));
      await close();
    }
    plain.push(await beside(readers, ofReader));
  }
  for (const [name, rounds] of [
    ['50 pages', pages],
    ['50 plain readers', plain],
  ] as const) {
    const texts = rounds.map(({ p50, p99 }) => `${p50.toFixed(2)}/${p99.toFixed(2)}`);
    say(`orders beside ${name}, p50/p99 ms: ${texts.join(', ')}`);
  }
  const middle = (rounds: readonly Latency[], of: keyof Latency): number =>
    Number(median(rounds.map((each) => each[of])).toFixed(2));
  return {
    orders_pages_p50_ms: middle(pages, 'p50'),
    orders_pages_p99_ms: middle(pages, 'p99'),
    orders_readers_p50_ms: middle(plain, 'p50'),
    orders_readers_p99_ms: middle(plain, 'p99'),
  };
};
