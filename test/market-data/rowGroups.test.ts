// Goal: a window gives the rows that sorting and filtering all rows would give. Method: seeded rows
// whose times often tie, added and removed in any order, and the naive answer beside each one.

import { expect, test } from 'vitest';
import { createRowGroups, type RowWindow, rowsOf } from '../../src/market-data/rowGroups.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Time } from '../../src/units/units.ts';

type Row = {
  readonly id: number;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly time: Time;
};

function drawWindow(prng: Prng, ids: number): RowWindow {
  const id = 1 + prng.below(ids);
  return {
    market: prng.below(2) === 0 ? undefined : (prng.below(3) as MarketId),
    startTime: prng.below(2) === 0 ? undefined : prng.below(ids / 3 + 10),
    endTime: prng.below(2) === 0 ? undefined : prng.below(ids / 3 + 10),
    from: prng.below(3) === 0 ? { id, createdAt: timeOf(id) } : undefined,
    limit: 1 + prng.below(40),
  };
}

/** Several rows share a time, and times rise with ids. */
const timeOf = (id: number): Time => Math.floor(id / 3) as Time;

function naive(rows: readonly Row[], account: number, window: RowWindow, odd: boolean): Row[] {
  const { market, startTime = 0, endTime = 1e9, from, limit } = window;
  const found = rows
    .filter((row) => row.account === account && (market === undefined || row.market === market))
    .filter(({ time }) => time >= startTime && time <= endTime)
    .filter(({ id }) => from === undefined || id >= from.id)
    .filter(({ id }) => !odd || id % 2 === 1)
    .sort((a, b) => a.id - b.id);
  const forwards = window.startTime !== undefined || from !== undefined;
  return forwards ? found.slice(0, limit) : found.slice(-limit);
}

test.each([1, 2, 3, 4])('windows of seeded rows, seed %i', (seed) => {
  const prng = createPrng(seed);
  const groups = createRowGroups<Row>(({ time }) => time);
  const rows: Row[] = [];
  const ids = 3000;
  for (let id = 1; id <= ids; id += 1) {
    const account = prng.below(4) as AccountId;
    rows.push({ id, account, market: prng.below(3) as MarketId, time: timeOf(id) });
  }
  // They end in another order than they were created in.
  const ended = [...rows].sort((a, b) => a.id + prng.below(60) - (b.id + prng.below(60)));
  const kept: Row[] = [];
  for (const [count, row] of ended.entries()) {
    groups.add(row);
    kept.push(row);
    if (kept.length > 1000) groups.remove(kept.shift()!);
    if (count % 10 !== 0) continue;
    const window = drawWindow(prng, ids);
    const account = prng.below(5) as AccountId;
    const odd = prng.below(4) === 0;
    const accepts = odd ? ({ id }: Row) => id % 2 === 1 : undefined;
    expect(rowsOf(groups, account, window, accepts)).toEqual(naive(kept, account, window, odd));
  }
  for (const row of kept) groups.remove(row);
  expect([groups.byAccount.blocks, groups.byMarket.blocks]).toEqual([[[]], [[]]]);
});

test('rows without account or market have one list, and a limit of 0 gives none', () => {
  const groups = createRowGroups<{ id: number; time: Time }>(({ time }) => time);
  for (let id = 1; id <= 5; id += 1) groups.add({ id, time: 7 as Time });
  expect(rowsOf(groups, undefined, { limit: 2 }).map(({ id }) => id)).toEqual([4, 5]);
  expect(rowsOf(groups, undefined, { startTime: 7, limit: 2 }).map(({ id }) => id)).toEqual([1, 2]);
  expect(rowsOf(groups, undefined, { startTime: 8, limit: 2 })).toEqual([]);
  expect(rowsOf(groups, undefined, { market: 0 as MarketId, limit: 2 })).toEqual([]);
  expect(rowsOf(groups, undefined, { limit: 0 })).toEqual([]);
});
