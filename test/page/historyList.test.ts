// Tables of the past: they are read backwards without a gap and without doubles, sorted by any
// column, and saved as CSV.

import { expect, test } from 'vitest';
import { csvOf } from '../../src/page/components/csvOf.ts';
import { sortedRows, sortingAfter } from '../../src/page/components/sortedRows.ts';
import type { Column } from '../../src/page/components/Table.tsx';
import {
  createBackwardReader,
  type RowSource,
  type RowsAsked,
} from '../../src/page/state/backwardReader.ts';
import { createHistoryList } from '../../src/page/state/historyList.ts';
import { createPrng } from '../../src/std/prng.ts';

type Row = { readonly id: string; readonly time: number; readonly state?: string };

const timeOf = ({ time }: Row): number => time;
const idOf = ({ id }: Row): string => id;

/** A list as the exchange serves it (ORD-12): the latest rows, or the first from a beginning on. */
function exchangeList(rows: Row[]) {
  const asked: RowsAsked[] = [];
  const broken = { is: false };
  const source: RowSource<Row> = {
    timeOf,
    idOf,
    ask: async (window) => {
      asked.push(window);
      if (broken.is) throw new TypeError('no answer');
      const { start_time, end_time, from, limit } = window;
      const found = rows.filter(
        (row) =>
          (start_time === undefined || row.time >= start_time) &&
          (end_time === undefined || row.time <= end_time) &&
          (from === undefined || row.id >= from),
      );
      const isForward = start_time !== undefined || from !== undefined;
      return isForward ? found.slice(0, limit) : found.slice(-limit);
    },
  };
  return { source, asked, broken };
}

let lastId = 0;
const rowAt = (time: number): Row => {
  lastId += 1;
  return { id: String(lastId).padStart(9, '0'), time };
};

/** Ascending rows; some moments have one row, some more rows than a page. */
function drawRows(seed: number, count: number): Row[] {
  const prng = createPrng(seed);
  const rows: Row[] = [];
  let time = 1000;
  while (rows.length < count) {
    time += 1 + prng.below(5);
    const atOnce = prng.below(40) === 0 ? 90 + prng.below(200) : 1 + prng.below(3);
    for (let n = 0; n < atOnce; n += 1) rows.push(rowAt(time));
  }
  return rows;
}

const newestFirst = (rows: readonly Row[]): string[] =>
  rows.toSorted((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1)).map(idOf);

test.each([1, 2, 3, 4, 5, 6])('every row once, newest first, seed %i', async (seed) => {
  const lists = [900, 400, 0].map((count) => drawRows(seed, count));
  const reader = createBackwardReader(lists.map((rows) => exchangeList(rows).source));
  const read: Row[] = [];
  while (!reader.isDone()) read.push(...(await reader.read(1 + (seed % 3) * 70)));
  expect(read.map(timeOf)).toEqual(read.map(timeOf).toSorted((a, b) => b - a));
  expect(newestFirst(read)).toEqual(newestFirst(lists.flat()));
  expect(new Set(read.map(idOf)).size).toBe(read.length);
});

test('a request that fails loses nothing: the next reading goes on where it stopped', async () => {
  const rows = drawRows(7, 500);
  const { source, broken } = exchangeList(rows);
  const list = createHistoryList({ sources: [source], keyOf: idOf, timeOf });
  broken.is = true;
  await list.readMore();
  expect([list.rows.value.length, list.failure.value]).toEqual([0, expect.any(TypeError)]);
  broken.is = false;
  while (list.hasMore.value) await list.readMore();
  expect(list.rows.value.map(idOf)).toEqual(newestFirst(rows));
  expect(list.failure.value).toBeUndefined();
});

test('a refresh joins what is new, changes what has changed, and begins anew after a gap', async () => {
  const rows = drawRows(8, 350);
  const { source } = exchangeList(rows);
  const list = createHistoryList({ sources: [source], keyOf: idOf, timeOf });
  await list.readMore();
  await list.readMore();
  const before = list.rows.value.length;
  const now = rows.at(-1)!.time;
  rows.push(rowAt(now), rowAt(now + 1));
  rows[rows.length - 3] = { ...rows[rows.length - 3]!, state: 'completed' };
  await list.refresh();
  expect(list.rows.value.length).toBe(before + 2);
  expect(list.rows.value.map(idOf)).toEqual(newestFirst(rows).slice(0, before + 2));
  expect(list.rows.value.find(({ state }) => state === 'completed')).toBeDefined();
  for (let n = 0; n < 400; n += 1) rows.push(rowAt(now + 2 + n));
  await list.refresh();
  expect(list.rows.value.map(idOf)).toEqual(newestFirst(rows).slice(0, list.rows.value.length));
  while (list.hasMore.value) await list.readMore();
  expect(list.rows.value.map(idOf)).toEqual(newestFirst(rows));
});

test('what happens while an answer is on its way stays in the list, and a closed list is still', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => rowAt(1000 + n));
  const { source } = exchangeList(rows);
  const list = createHistoryList({ sources: [source], keyOf: idOf, timeOf });
  const reading = list.refresh();
  const fresh = rowAt(rows.at(-1)!.time + 1);
  list.add(fresh);
  await reading;
  expect(list.rows.value[0]).toEqual(fresh);
  expect(list.rows.value.length).toBe(rows.length + 1);
  const late = list.refresh();
  list.close();
  rows.push(rowAt(fresh.time + 5));
  await late;
  expect(list.rows.value.length).toBe(rows.length);
});

const columns: readonly Column<{ readonly name: string; readonly amount: string }>[] = [
  { id: 'name', title: () => 'Name, "quoted"', cell: () => '', plain: ({ name }) => name },
  {
    id: 'amount',
    title: () => 'Amount',
    isNumber: true,
    cell: () => '',
    plain: ({ amount }) => amount,
  },
  { id: 'acts', title: () => 'Actions', cell: () => '' },
];
const amounts = [
  { name: 'b', amount: '9' },
  { name: 'a', amount: '-10.5' },
  { name: 'c', amount: '10.000001' },
  { name: 'd', amount: '9007199254740993' },
  { name: 'e', amount: '9007199254740992.5' },
];

test('a column is sorted up, down and no more, numbers as exact decimals', () => {
  const [name, amount] = columns;
  const names = (sorting: ReturnType<typeof sortingAfter>): string =>
    sortedRows(amounts, columns, sorting)
      .map((row) => row.name)
      .join('');
  const down = sortingAfter(undefined, amount!);
  expect([names(undefined), names(down)]).toEqual(['bacde', 'decba']);
  const up = sortingAfter(down, amount!);
  expect([names(up), sortingAfter(up, amount!)]).toEqual(['abced', undefined]);
  expect(names(sortingAfter(up, name!))).toBe('abcde');
});

test('CSV quotes everything, and no text becomes a formula', () => {
  const rows = [
    { name: '=1+1', amount: '-5' },
    { name: '-cmd|x', amount: '+5' },
    { name: '<script>"\r\n', amount: '@x' },
  ];
  expect(csvOf(columns, rows).split('\r\n')).toEqual([
    '"Name, ""quoted""","Amount"',
    `"'=1+1","-5"`,
    `"'-cmd|x","'+5"`,
    '"<script>""',
    `","'@x"`,
  ]);
});
