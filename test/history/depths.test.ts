// How deep a query of history looks: where everything of one kind could be a million rows, it reads
// a bounded number of them. Method: rows are written just up to a bound and one beyond it.

import { expect } from 'vitest';
import type { HistoryPlace, HistoryRows } from '../../src/history/history.ts';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import { amendmentsCountedMax } from '../../src/history/queries/accountQueries.ts';
import { historyQueries } from '../../src/history/queries/historyQueries.ts';
import { namesakesMax } from '../../src/history/queries/rowsInWindow.ts';
import type { AmendmentRow, OrderRow, TriggerRow } from '../../src/history/rows.ts';
import { tables } from '../../src/history/tables.ts';
import type { AccountId, MarketId, OrderId } from '../../src/units/units.ts';
import { noHistoryRows } from '../fixtures/drawHistoryRows.ts';
import { eachDatabase, type TestDatabase } from '../fixtures/eachDatabase.ts';

const account = 7 as AccountId;
const [first, other] = [0 as MarketId, 1 as MarketId];

type Open = {
  readonly write: (rows: Partial<HistoryRows>) => Promise<void>;
  readonly reader: ReturnType<typeof openHistoryReader>;
  readonly close: () => Promise<void>;
};

async function open(database: TestDatabase): Promise<Open> {
  const writer = openHistoryWriter({ ...database, chain: 43113 });
  let place: HistoryPlace = await writer.open();
  const reader = openHistoryReader(database);
  return {
    write: async (rows) => {
      const next = { ...place, position: place.position + 1, hash: `${place.position + 1}` };
      await writer.write({ ...noHistoryRows, ...rows }, place, next);
      place = next;
    },
    reader,
    close: async () => {
      await reader.destroy();
      await writer.close();
    },
  };
}

/** A row of the table: zero, false or empty where nothing is said. */
function blank(table: 'amendments' | 'orders' | 'triggers'): Record<string, unknown> {
  const zeros = { integer: 0, text: '', boolean: false } as const;
  const kinds = Object.entries(tables[table].columns);
  return Object.fromEntries(kinds.map(([name, kind]) => [name, zeros[kind as 'integer']]));
}

/** Ten at a time, so that neither time nor id alone orders them. */
const timeOf = (id: number): number => 1000 + Math.floor(id / 10);

const amendment = (id: number, order: number): AmendmentRow =>
  ({ ...blank('amendments'), id, account, order, time: timeOf(id) }) as unknown as AmendmentRow;

eachDatabase('ORD-12a orderAmendment: numbers are counted as far as 10,000', async (database) => {
  const { write, reader, close } = await open(database);
  const [asked, beside] = [5 as OrderId, 6 as OrderId];
  /** One in ten amendments is of another order. */
  let id = 0;
  const amend = async (count: number): Promise<void> => {
    const rows: AmendmentRow[] = [];
    for (let i = 0; i < count; i += 1) {
      id += 1;
      rows.push(amendment(id, asked));
      if (i % 9 === 0) {
        id += 1;
        rows.push(amendment(id, beside));
      }
    }
    await write({ amendments: rows });
  };
  const newest = async (limit: number): Promise<number[]> => {
    const rows = await historyQueries.amendments(reader, { order: asked, limit });
    expect(rows.every(({ order }) => order === asked)).toBe(true);
    return rows.map(({ count }) => count);
  };
  const most = amendmentsCountedMax;
  expect(most).toBe(10_000);
  await amend(most - 1);
  expect(await newest(3)).toEqual([most - 1, most - 2, most - 3]);
  await amend(1);
  expect(await newest(3)).toEqual([most, most - 1, most - 2]);
  await amend(1);
  expect(await newest(3)).toEqual([most, most, most - 1]);
  await amend(500);
  expect(await newest(3)).toEqual([most, most, most]);
  // From the start of a window the early ones have their numbers still.
  const early = { order: asked, limit: 2, startTime: timeOf(1) };
  const rows = await historyQueries.amendments(reader, early);
  expect(rows.map(({ count }) => count)).toEqual([2, 1]);
  await close();
});

/** The first use of a name is on another market than all later ones. */
const named = (id: number, clientOrderId: string) => ({
  id,
  account,
  market: id === 1 ? first : other,
  clientOrderId,
  createdAt: timeOf(id),
  status: 'CANCELED',
});

/** Orders, and triggers that appear as orders, from one number on. */
const uses: Readonly<Record<string, (from: number, count: number) => Partial<HistoryRows>>> = {
  'an-order': (from, count) => ({
    orders: rowsFrom<OrderRow>(from, count, (id) => ({
      ...blank('orders'),
      ...named(id, 'an-order'),
    })),
  }),
  'a-trigger': (from, count) => ({
    triggers: rowsFrom<TriggerRow>(from, count, (id) => ({
      ...blank('triggers'),
      ...named(id, 'a-trigger'),
      route: 'order',
    })),
  }),
};

function rowsFrom<Row>(from: number, count: number, make: (id: number) => object): Row[] {
  return Array.from({ length: count }, (_, i) => make(from + i) as Row);
}

eachDatabase(
  'ORD-12 an order or trigger is found by its name among the last 1,000 of that name',
  async (database) => {
    const { write, reader, close } = await open(database);
    expect(namesakesMax).toBe(1000);
    for (const [clientOrderId, rowsOf] of Object.entries(uses)) {
      const find = async (market?: MarketId): Promise<number | undefined> => {
        const asked = { account, clientOrderId, market };
        return (await historyQueries.orderByClientId(reader, asked))?.id;
      };
      await write(rowsOf(1, namesakesMax));
      expect(await find(first), clientOrderId).toBe(1);
      expect(await find(other)).toBe(namesakesMax);
      await write(rowsOf(namesakesMax + 1, 1));
      expect(await find(first), clientOrderId).toBeUndefined();
      expect(await find(other)).toBe(namesakesMax + 1);
      expect(await find()).toBe(namesakesMax + 1);
    }
    await close();
  },
);
