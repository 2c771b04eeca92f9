// The copy of a book that pages and programs keep, against a slow twin, over random messages; a
// message that is lost is noticed by the checksum.

import { crc32 as platformCrc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { createBook, type DepthMessage, levelsOf, takeDepth } from '../../src/client/book.ts';
import { crc32 } from '../../src/client/crc32.ts';
import { keepBook } from '../../src/client/keepBook.ts';
import type { StreamClient } from '../../src/client/streamClient.ts';
import { bookRows } from '../../src/page/state/bookRows.ts';
import { gridText } from '../../src/page/state/grid.ts';
import { createPrng } from '../../src/std/prng.ts';
import { expectSame } from '../fixtures/expectSame.ts';

const grids = { tick: { decimals: 1, step: 5 }, lot: { decimals: 3, step: 1 } };

type Levels = Map<number, number>;

/** Bids and asks by ticks, as plain maps: sorted anew each time. */
type Twin = { readonly bids: Levels; readonly asks: Levels };

const price = (ticks: number): string => gridText(BigInt(ticks), grids.tick);
const quantity = (lots: number): string => gridText(BigInt(lots), grids.lot);
const sorted = (levels: Levels, best: 1 | -1): [number, number][] =>
  [...levels].sort(([a], [b]) => (a - b) * best);

function checksum({ bids, asks }: Twin): number {
  const [below, above] = [sorted(bids, -1), sorted(asks, 1)];
  const said: string[] = [];
  for (let at = 0; at < 25; at += 1) {
    for (const level of [below[at], above[at]]) {
      if (level !== undefined) said.push(`${price(level[0])}:${quantity(level[1])}`);
    }
  }
  return platformCrc32(said.join(':'));
}

const place = { type: 'depth', channel: 'depth:X', symbol: 'X', epoch: 'e' } as const;

function messageOf(twin: Twin, change: Partial<DepthMessage>): DepthMessage {
  const numbers = { seq: 1, prev_seq: 0, time: 5 };
  return {
    ...place,
    ...numbers,
    snapshot: false,
    bids: [],
    asks: [],
    checksum: checksum(twin),
    ...change,
  };
}

const wire = (levels: readonly (readonly [number, number])[]): [string, string][] =>
  levels.map(([ticks, lots]) => [price(ticks), lots === 0 ? '0' : quantity(lots)]);

test.each([1, 2, 3, 4, 5])('the copy equals the twin after every message, seed %i', (seed) => {
  const prng = createPrng(seed);
  const twin: Twin = { bids: new Map(), asks: new Map() };
  const book = createBook(grids);
  const first = messageOf(twin, { snapshot: true });
  expectSame(takeDepth(book, first), true);
  for (let turn = 0; turn < 400; turn += 1) {
    const changes = { bids: new Map<number, number>(), asks: new Map<number, number>() };
    for (const side of ['bids', 'asks'] as const) {
      for (let count = prng.below(4); count > 0; count -= 1) {
        const ticks = side === 'bids' ? 1000 - prng.below(60) : 1001 + prng.below(60);
        // Also prices that the copy never had may be removed.
        const lots = prng.below(3) === 0 ? 0 : 1 + prng.below(5000);
        changes[side].set(ticks, lots);
        if (lots === 0) twin[side].delete(ticks);
        else twin[side].set(ticks, lots);
      }
    }
    const isSnapshot = prng.below(50) === 0;
    const message = isSnapshot
      ? { snapshot: true, bids: wire(sorted(twin.bids, -1)), asks: wire(sorted(twin.asks, 1)) }
      : { bids: wire([...changes.bids]), asks: wire([...changes.asks]) };
    expectSame(takeDepth(book, messageOf(twin, message)), true);
    expectSame(
      book.bids.ticks,
      sorted(twin.bids, 1).map(([ticks]) => ticks),
    );
    expectSame(
      book.asks.ticks,
      sorted(twin.asks, 1).map(([ticks]) => ticks),
    );
    const best = levelsOf(book, 7);
    expect(best.bids).toEqual(wire(sorted(twin.bids, -1).slice(0, 7)));
    expect(best.asks).toEqual(wire(sorted(twin.asks, 1).slice(0, 7)));
    const step = [1, 2, 5, 10][prng.below(4)]!;
    const { bids, asks } = bookRows(book, step, 8);
    expect(bids).toEqual(rowsOf(sorted(twin.bids, -1), (ticks) => Math.floor(ticks / step) * step));
    expect(asks).toEqual(rowsOf(sorted(twin.asks, 1), (ticks) => Math.ceil(ticks / step) * step));
  }
});

/** By grouping all levels first. */
function rowsOf(levels: readonly [number, number][], edge: (ticks: number) => number) {
  const groups = new Map<number, number>();
  for (const [ticks, lots] of levels) {
    groups.set(edge(ticks), (groups.get(edge(ticks)) ?? 0) + lots);
  }
  let sum = 0;
  return [...groups].slice(0, 8).map(([ticks, lots]) => {
    sum += lots;
    return { ticks, lots, sum };
  });
}

test('a lost message is noticed at the next one', () => {
  const book = createBook(grids);
  const twin: Twin = { bids: new Map([[10, 5]]), asks: new Map([[11, 6]]) };
  const levels = { bids: wire([[10, 5]]), asks: wire([[11, 6]]) };
  expect(takeDepth(book, messageOf(twin, { snapshot: true, ...levels }))).toBe(true);
  twin.bids.set(9, 4);
  twin.asks.set(12, 3);
  expect(takeDepth(book, messageOf(twin, { asks: wire([[12, 3]]) }))).toBe(false);
});

test('WS-2 a book whose checksum does not hold begins anew, and says that it is not live', () => {
  const said: string[] = [];
  let take: (message: DepthMessage) => void = () => {};
  const client = {
    subscribe: (name: string, read: typeof take) => {
      said.push(`subscribe ${name}`);
      take = read;
    },
    unsubscribe: (name: string) => said.push(`unsubscribe ${name}`),
  } as unknown as StreamClient;
  const live: boolean[] = [];
  const onChange = (isLive: boolean): void => void live.push(isLive);
  const kept = keepBook(client, { symbol: 'X', ...grids, onChange });
  const twin: Twin = { bids: new Map([[10, 5]]), asks: new Map() };
  const snapshot = messageOf(twin, { snapshot: true, bids: wire([[10, 5]]) });
  take(snapshot);
  take({ ...snapshot, snapshot: false, bids: wire([[9, 1]]) });
  take({ ...snapshot, snapshot: false, bids: [['no price', '1']] });
  take(snapshot);
  kept.close();
  expect(live).toEqual([true, false, false, true]);
  expect(kept.checksumFailures()).toBe(2);
  expect(levelsOf(kept.book, 5)).toEqual({ bids: wire([[10, 5]]), asks: [] });
  const anew = ['unsubscribe depth:X', 'subscribe depth:X'];
  expect(said).toEqual(['subscribe depth:X', ...anew, ...anew, 'unsubscribe depth:X']);
});

test('the checksum is the platform’s CRC32', () => {
  for (const text of ['', 'a', '50000.0:0.100', 'x'.repeat(5000)]) {
    expect(crc32(text)).toBe(platformCrc32(text));
  }
});
