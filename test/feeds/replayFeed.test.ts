// The replaying feed: recordings made here, short ones and a whole day.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IndexFeed } from '../../src/feeds/indexFeed.ts';
import { parseFeedOption } from '../../src/feeds/parseFeedOption.ts';
import { parseFeedSpeed } from '../../src/feeds/parseFeedSpeed.ts';
import { openReplayFeed } from '../../src/feeds/replayFeed.ts';
import { recordedDay } from '../fixtures/recordedDay.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evermark-replay-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(content: string | Buffer, extension = 'csv'): string {
  files += 1;
  const path = join(folder, `trades-${files}.${extension}`);
  writeFileSync(path, content);
  return path;
}

/** Lets the background read on. */
const breath = (): Promise<void> => new Promise((done) => setTimeout(done, 1));

const header = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
const second = 1_000_000;
const epoch = 1_760_054_400 * second;

function csv(rows: readonly (readonly [number, string])[]): string {
  const lines = rows.map(([at, price], i) => {
    const time = epoch + Math.round(at * second);
    return `venue,X,${time},${time + 5},${i},buy,${price},1`;
  });
  return `${[header, ...lines].join('\n')}\n`;
}

async function open(paths: Record<string, string>, speed = 1) {
  const reports: string[] = [];
  const entries = Object.entries(paths).map(([symbol, path]) => ({ symbol, path }));
  const report = (message: string): void => {
    reports.push(message);
  };
  const feed = await openReplayFeed({ files: entries, speed, report });
  return { feed, reports };
}

const pricesOf = (feed: IndexFeed, now: number): string[] =>
  feed.poll(now).map(({ price }) => price);

describe('one time axis', () => {
  test('the last trade up to now is the price, and a quiet period repeats it', async () => {
    const path = write(
      csv([
        [0, '100.5'],
        [1, '101'],
        [1, '102'],
        [3.5, '99.25'],
      ]),
    );
    const { feed } = await open({ BTCUSDT: path });
    expect(feed.poll(5000)).toEqual([
      { symbol: 'BTCUSDT', source: 'replay', price: '100.5', observedAt: 5000 },
    ]);
    expect(pricesOf(feed, 5999)).toEqual(['100.5']);
    expect(pricesOf(feed, 6000)).toEqual(['102']);
    expect(pricesOf(feed, 8499)).toEqual(['102']);
    expect(pricesOf(feed, 8500)).toEqual(['99.25']);
    // The recording has ended: its last price continues, observed now.
    expect(feed.poll(999_000)).toEqual([
      { symbol: 'BTCUSDT', source: 'replay', price: '99.25', observedAt: 999_000 },
    ]);
    await feed.close();
  });

  test('several symbols begin at the latest of their first trades, each with a price', async () => {
    const first = write(
      csv([
        [0, '10'],
        [50, '11'],
        [62, '12'],
      ]),
    );
    const later = write(
      csv([
        [60, '200'],
        [61, '201'],
      ]),
    );
    const { feed } = await open({ AVAXUSDT: first, ETHUSDT: later });
    expect(pricesOf(feed, 1000)).toEqual(['11', '200']);
    expect(pricesOf(feed, 2000)).toEqual(['11', '201']);
    expect(pricesOf(feed, 3000)).toEqual(['12', '201']);
    await feed.close();
  });

  test('the speed compresses time', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => [i, `${1000 + i}`] as const);
    const { feed } = await open({ BTCUSDT: write(csv(rows)) }, 60);
    expect(pricesOf(feed, 10_000)).toEqual(['1000']);
    expect(pricesOf(feed, 11_000)).toEqual(['1060']);
    expect(pricesOf(feed, 11_500)).toEqual(['1090']);
    await feed.close();
  });

  test('symbols stay together even when the disk is slower than the speed', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => [i, `${100_000 + i}`] as const);
    const text = csv(rows);
    const paths = { BTCUSDT: write(gzipSync(text), 'csv.gz'), ETHUSDT: write(text) };
    const { feed } = await open(paths, 100_000);
    let now = 1000;
    feed.poll(now);
    for (let i = 0; i < 2000; i += 1) {
      now += 250;
      const [btc, eth] = pricesOf(feed, now);
      expect(btc).toBe(eth);
      if (btc === '159999') break;
      await breath();
    }
    expect(pricesOf(feed, now)).toEqual(['159999', '159999']);
    await feed.close();
  });
});

describe('contents of files', () => {
  test('columns are found by name; quotes, CRLF, BOM and a missing last line break are accepted', async () => {
    const lines = [`1.5,"a ""b"", c",${epoch}`, `1.6,d,${epoch + second}`];
    const text = ['\ufeffprice,"note, quoted",timestamp', ...lines].join('\r\n');
    const { feed, reports } = await open({ BTCUSDT: write(text) });
    expect(pricesOf(feed, 1)).toEqual(['1.5']);
    expect(pricesOf(feed, 1001)).toEqual(['1.6']);
    expect(reports).toEqual([]);
    await feed.close();
  });

  test('malformed rows are skipped with one warning', async () => {
    const bad = ['x', ',,', `v,X,${epoch},1,1,buy,-5,1`, `v,X,${epoch},1,1,buy,NaN,1`];
    const worse = [`v,X,1e15,1,1,buy,5,1`, `v,X,9999999999999999,1,1,buy,5,1`, '\u0000\u0000'];
    const text = csv([[0, '7']]) + [...bad, ...worse, ''].join('\n') + csv([[2, '8']]);
    const { feed, reports } = await open({ BTCUSDT: write(text) });
    expect(pricesOf(feed, 1)).toEqual(['7']);
    expect(pricesOf(feed, 2001)).toEqual(['8']);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain('line 3');
    await feed.close();
  });

  test('a trade out of order does not move time back', async () => {
    const path = write(
      csv([
        [0, '1'],
        [5, '2'],
        [3, '3'],
        [6, '4'],
      ]),
    );
    const { feed } = await open({ BTCUSDT: path });
    expect(pricesOf(feed, 0)).toEqual(['1']);
    expect(pricesOf(feed, 4000)).toEqual(['1']);
    expect(pricesOf(feed, 5000)).toEqual(['3']);
    await feed.close();
  });

  test.each([
    ['a missing file', () => join(folder, 'nowhere.csv'), /nowhere\.csv.*ENOENT/],
    ['a folder', () => folder, /EISDIR/],
    ['no price column', () => write(`timestamp,amount\n${epoch},1\n`), /no column "price"/],
    ['no time column', () => write(`time,price\n${epoch},1\n`), /no column "timestamp"/],
    ['an empty file', () => write(''), /empty/],
    ['a header alone', () => write(`${header}\n`), /holds no trade/],
    ['rows without one trade', () => write(`${header}\nx\ny\n`), /holds no trade/],
    ['gzip in name only', () => write(csv([[0, '1']]), 'csv.gz'), /header check/],
    ['a line without end', () => write('x'.repeat(200_000)), /line does not end|no column/],
  ])('refused at start: %s', async (_name, path, message) => {
    const given = path();
    const opening = open({ BTCUSDT: write(csv([[0, '1']])), ETHUSDT: given });
    await expect(opening).rejects.toThrow(message);
    await expect(open({ BTCUSDT: given })).rejects.toThrow(given);
  });

  test('a truncated file is used to its end, then its price is withdrawn', async () => {
    const rows = Array.from(
      { length: 50_000 },
      (_, i) => [i, `${1 + ((i * 7919) % 997)}`] as const,
    );
    const whole = gzipSync(csv(rows));
    const path = write(whole.subarray(0, whole.length >> 1), 'csv.gz');
    const { feed, reports } = await open({ BTCUSDT: path }, 1000);
    let now = 0;
    let polls = 0;
    for (; polls < 1000 && feed.poll(now).length > 0; polls += 1) {
      now += 250;
      await breath();
    }
    expect(polls).toBeGreaterThan(20);
    expect(feed.poll(now + 250)).toEqual([]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/lost .*unexpected end of file/);
    await feed.close();
  });
});

describe('the options', () => {
  test('sim, manual and replay are read', () => {
    expect(parseFeedOption('sim')).toEqual({ kind: 'sim' });
    expect(parseFeedOption('manual')).toEqual({ kind: 'manual' });
    expect(parseFeedOption('replay:btc-usd=a=b.csv, ETHUSDT=../e.csv.gz')).toEqual({
      kind: 'replay',
      files: [
        { symbol: 'BTCUSDT', path: 'a=b.csv' },
        { symbol: 'ETHUSDT', path: '../e.csv.gz' },
      ],
    });
  });

  test.each([
    '',
    'SIM',
    'replay',
    'replay:',
    'replay:BTCUSDT',
    'replay:BTCUSDT=',
    'replay:=x',
    'replay:BTCUSDT=a,BTC-USD=b',
    'replay:B TC=a',
    'replay:BTCUSDT=a,',
    '__proto__',
  ])('malformed: %s', (text) => {
    const parsed = parseFeedOption(text);
    expect(parsed.kind).toBe('malformed');
    expect(parsed.kind === 'malformed' && parsed.message.length).toBeGreaterThan(10);
  });

  test('speeds', () => {
    expect(['1', '0.5', '60', '100000'].map(parseFeedSpeed)).toEqual([1, 0.5, 60, 100_000]);
    for (const text of ['', '0', '0.0', '-1', '1e3', 'NaN', '100001', '1x', ' 1']) {
      expect(parseFeedSpeed(text), text).toBeUndefined();
    }
  });
});

test('a recorded day is replayed to its end, including its lowest prices', async () => {
  const { BTCUSDT, ETHUSDT, AVAXUSDT } = recordedDay();
  const { feed, reports } = await open({ BTCUSDT, ETHUSDT, AVAXUSDT }, 3600);
  const low = new Map<string, number>();
  const high = new Map<string, number>();
  let now = 1_000_000;
  let last: string[] = [];
  for (let i = 0; i < 30_000; i += 1) {
    const prices = feed.poll(now);
    for (const { symbol, price } of prices) {
      low.set(symbol, Math.min(low.get(symbol) ?? Number.POSITIVE_INFINITY, Number(price)));
      high.set(symbol, Math.max(high.get(symbol) ?? 0, Number(price)));
    }
    last = prices.map(({ price }) => price);
    if (last[0] === '113063.2' && last[1] === '3943.01' && last[2] === '20.75' && i > 90) break;
    // A quarter of a recorded minute a poll.
    now += 15_000 / 3600;
    if (i % 8 === 0) await breath();
  }
  expect(last).toEqual(['113063.2', '3943.01', '20.75']);
  expect(low.get('AVAXUSDT')).toBeLessThan(18);
  expect(high.get('AVAXUSDT')).toBeGreaterThan(28.3);
  expect(low.get('BTCUSDT')).toBeLessThan(108_500);
  expect(high.get('BTCUSDT')).toBeGreaterThan(122_000);
  expect(reports).toEqual([]);
  await feed.close();
});
