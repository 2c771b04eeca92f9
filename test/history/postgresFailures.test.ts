// What may happen between a writer and PostgreSQL: the wire is cut at the worst moments, the server
// ends and comes back, two programs open at once.

import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import {
  DatabaseFailed,
  type HistoryPlace,
  type HistoryRows,
  type HistoryWriter,
} from '../../src/history/history.ts';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { createPostgresWriter } from '../../src/history/postgres/createPostgresWriter.ts';
import { createPrng } from '../../src/std/prng.ts';
import { drawHistoryRows, emptyTables } from '../fixtures/drawHistoryRows.ts';
import { createDatabase, findTemplate } from '../fixtures/eachDatabase.ts';
import { startPostgresServer } from '../fixtures/postgresServer.ts';
import { type CuttingProxy, startCuttingProxy } from '../fixtures/startCuttingProxy.ts';

const chain = 43113;

const placeAt = (position: number): HistoryPlace => ({
  position,
  hash: `hash of ${position}`,
  time: position,
  counters: { ledger: 0, amendments: 0, aggregates: [] },
});

type World = {
  readonly writer: HistoryWriter;
  readonly proxy: CuttingProxy;
  readonly rows: HistoryRows;
  /** How many orders the tables hold, asked past the proxy. */
  readonly orders: () => Promise<number>;
};

/** A writer behind a wire that can be cut, at place 1, and rows for the next transaction. */
async function openWorld(answerMs?: number): Promise<World> {
  const address = new URL(await createDatabase());
  const proxy = await startCuttingProxy(Number(address.port));
  const direct = address.toString();
  address.port = String(proxy.port);
  const writer = createPostgresWriter({ databaseUrl: address.toString(), chain, answerMs });
  onTestFinished(async () => {
    await proxy.close();
    await writer.close();
  });
  const prng = createPrng(4);
  const held = emptyTables();
  await writer.write(drawHistoryRows(prng, held, 5), await writer.open(), placeAt(1));
  return {
    writer,
    proxy,
    rows: drawHistoryRows(prng, held, 5),
    orders: async () => {
      const client = new pg.Client(direct);
      await client.connect();
      const { rows } = await client.query('select count(*)::int as count from history.orders');
      await client.end();
      return rows[0].count;
    },
  };
}

test('a connection cut before the commit arrived: no row of the transaction exists', async () => {
  const { writer, proxy, rows, orders } = await openWorld();
  const before = await orders();
  proxy.cutAt('commit', 'before');
  await expect(writer.write(rows, placeAt(1), placeAt(2))).rejects.toThrow(DatabaseFailed);
  expect(await writer.open()).toEqual(placeAt(1));
  expect(await orders()).toBe(before);
  await writer.write(rows, placeAt(1), placeAt(2));
  expect(await writer.open()).toEqual(placeAt(2));
  expect(await orders()).toBeGreaterThan(before);
});

test('a connection cut before the answer to the commit: all rows of the transaction exist', async () => {
  const { writer, proxy, rows, orders } = await openWorld();
  const before = await orders();
  proxy.cutAt('commit', 'after');
  await expect(writer.write(rows, placeAt(1), placeAt(2))).rejects.toThrow(DatabaseFailed);
  expect(await writer.open()).toEqual(placeAt(2));
  expect(await orders()).toBeGreaterThan(before);
});

test('a connection cut or silent among the rows: no row of the transaction exists', async () => {
  const { writer, proxy, rows, orders } = await openWorld(500);
  const before = await orders();
  for (const cut of ['before', 'after', 'silence'] as const) {
    proxy.cutAt('copy "fills"', cut);
    await expect(writer.write(rows, placeAt(1), placeAt(2)), cut).rejects.toThrow(DatabaseFailed);
    proxy.release();
    expect(await writer.open(), cut).toEqual(placeAt(1));
    expect(await orders(), cut).toBe(before);
  }
  await writer.write(rows, placeAt(1), placeAt(2));
  expect(await orders()).toBeGreaterThan(before);
});

test('the start waits for a transaction that a lost connection left open', async () => {
  const { writer, proxy, rows } = await openWorld();
  proxy.cutAt('commit', 'client');
  await expect(writer.write(rows, placeAt(1), placeAt(2))).rejects.toThrow(DatabaseFailed);
  let place: HistoryPlace | undefined;
  const opening = writer.open().then((found) => {
    place = found;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(place).toBe(undefined);
  proxy.release();
  await opening;
  expect(place).toEqual(placeAt(1));
  await writer.write(rows, placeAt(1), placeAt(2));
});

test('a server that no longer answers counts as failed', async () => {
  const { writer, proxy, rows } = await openWorld(500);
  proxy.cutAt('commit', 'silence');
  await expect(writer.write(rows, placeAt(1), placeAt(2))).rejects.toThrow(DatabaseFailed);
  await expect(writer.open()).rejects.toThrow(DatabaseFailed);
  proxy.release();
  expect(await writer.open()).toEqual(placeAt(1));
  await writer.write(rows, placeAt(1), placeAt(2));
});

test('a server that stops and starts again has all committed rows', async () => {
  const server = await startPostgresServer({ template: await findTemplate() });
  onTestFinished(() => server.remove());
  const databaseUrl = await server.createDatabase();
  const writer = createPostgresWriter({ databaseUrl, chain });
  const reader = openHistoryReader({ databaseUrl, directory: '' });
  onTestFinished(async () => {
    await reader.destroy();
    await writer.close();
  });
  const prng = createPrng(5);
  const held = emptyTables();
  let place = await writer.open();
  for (const [round, end] of [server.stop, server.kill, server.stop].entries()) {
    const next = placeAt(round + 1);
    const rows = drawHistoryRows(prng, held, 5);
    await end();
    await expect(writer.write(rows, place, next)).rejects.toThrow(DatabaseFailed);
    await expect(writer.open()).rejects.toThrow(DatabaseFailed);
    await expect(reader.selectFrom('orders').selectAll().execute()).rejects.toThrow();
    await server.start();
    expect(await writer.open()).toEqual(place);
    await writer.write(rows, place, next);
    place = next;
    expect((await reader.selectFrom('orders').selectAll().execute()).length).toBe(held.orders.size);
  }
});

test('two programs may open an empty database at once', async () => {
  const databaseUrl = await createDatabase();
  const writers = [1, 2, 3].map(() => createPostgresWriter({ databaseUrl, chain }));
  const places = await Promise.all(writers.map((writer) => writer.open()));
  expect(places.map(({ position }) => position)).toEqual([0, 0, 0]);
  for (const writer of writers) await writer.close();
});

test('settings in the address itself are kept', async () => {
  const databaseUrl = await createDatabase();
  const options = encodeURIComponent('-c work_mem=7MB');
  const where = { databaseUrl: `${databaseUrl}?options=${options}`, directory: '' };
  const writer = createPostgresWriter({ ...where, chain });
  await writer.open();
  await writer.close();
  const reader = openHistoryReader(where);
  const { rows } = await reader.executeQuery<{ workMem: string }>(
    sql`show work_mem`.compile(reader),
  );
  expect(rows).toEqual([{ workMem: '7MB' }]);
  await reader.destroy();
});

test('a query that takes too long is aborted', async () => {
  const databaseUrl = await createDatabase();
  const reader = openHistoryReader({ databaseUrl, directory: '', statementMs: 200 });
  await expect(sql`select pg_sleep(30)`.execute(reader)).rejects.toThrow('statement timeout');
  await reader.destroy();
});

test('a reader with a silent connection asks over another', async () => {
  const address = new URL(await createDatabase());
  const proxy = await startCuttingProxy(Number(address.port));
  address.port = String(proxy.port);
  const where = { databaseUrl: address.toString(), directory: '' };
  const reader = openHistoryReader({ ...where, statementMs: 200, connections: 1 });
  proxy.cutAt('silent', 'silence');
  await expect(sql`select 'silent'`.execute(reader)).rejects.toThrow('timeout');
  expect((await sql`select 1 as one`.execute(reader)).rows).toEqual([{ one: 1 }]);
  await reader.destroy();
  await proxy.close();
});
