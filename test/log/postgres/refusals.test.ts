// What a database must not be like: each refusal has its sentence, and changes nothing.

import { randomUUID } from 'node:crypto';
import { connect as connectSocket, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createServers, type Servers } from '../../../src/log/postgres/createServers.ts';
import {
  DatabaseRefused,
  type ServerFacts,
  whyRefused,
} from '../../../src/log/postgres/serverFacts.ts';
import { checkTables, makeTables } from '../../../src/log/postgres/tables.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { findTemplate } from '../../fixtures/eachDatabase.ts';
import { startPostgresServer } from '../../fixtures/postgresServer.ts';
import {
  chain,
  connect,
  makeDatabase,
  openLog,
  openServer,
  openTestSession,
  sharedServer,
} from './openServers.ts';

const good: ServerFacts = {
  version: 180_004,
  recovering: false,
  readOnly: false,
  timeline: 1,
  synchronousCommit: 'on',
  standbyNames: 'standby',
  fsync: 'on',
  fullPageWrites: 'on',
  servedBy: 100,
  greetedBy: 100,
};
const at = { name: 'db:5432/evermark', replicatedStorage: false };

test('a server that keeps its promises is taken', () => {
  expect(whyRefused(good, at)).toBe(undefined);
  expect(whyRefused({ ...good, synchronousCommit: 'remote_apply' }, at)).toBe(undefined);
  expect(whyRefused({ ...good, standbyNames: '' }, { ...at, replicatedStorage: true })).toBe(
    undefined,
  );
});

test.each<[string, Partial<ServerFacts>]>([
  ['is version 13', { version: 130_012 }],
  ['is a standby', { recovering: true, timeline: 0 }],
  ['starts read-only transactions', { readOnly: true }],
  ['synchronous_commit is off', { synchronousCommit: 'off' }],
  ['synchronous_commit is local', { synchronousCommit: 'local' }],
  ['synchronous_commit is remote_write', { synchronousCommit: 'remote_write' }],
  ['synchronous_standby_names is empty', { standbyNames: '' }],
  ['fsync is off', { fsync: 'off' }],
  ['full_page_writes is off', { fullPageWrites: 'off' }],
  ['connection pooler such as PgBouncer', { greetedBy: 99 }],
])('a server is refused: %s', (sentence, facts) => {
  expect(whyRefused({ ...good, ...facts }, at)).toContain(sentence);
});

const serversAt = (urls: string, replicatedStorage = true): Servers =>
  createServers({ urls, replicatedStorage, applicationName: 'test', scheduler: systemScheduler });

test('addresses that cannot be read are refused', () => {
  for (const urls of [
    'nonsense',
    'postgres://u@h1:1,h2:2/db',
    'postgres://u@h/db,http://x/y',
    '',
  ]) {
    expect(() => serversAt(urls), urls).toThrow('EVERMARK_CLUSTER_URL takes postgres://');
  }
  const two = 'postgres://u:p,w@h1:1/db, postgres://u@h2:2/db';
  expect(serversAt(two).names).toEqual(['h1:1/db', 'h2:2/db']);
});

test('a server that is not there is an error that names it, and no refusal', async () => {
  const error = await serversAt('postgres://u@127.0.0.1:1/db')
    .connect()
    .catch((caught: Error) => caught);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(DatabaseRefused);
  expect((error as Error).message).toContain('PostgreSQL at 127.0.0.1:1/db: ');
});

test('settings of the role are refused or do not count', async () => {
  const server = await openServer();
  const url = await makeDatabase(server);
  const admin = await connect(url);
  const refused = (sentence: string) => expect(serversAt(url).connect()).rejects.toThrow(sentence);
  await admin.query('alter role evermark set synchronous_commit = local');
  await refused('synchronous_commit is local for this role');
  await admin.query('alter role evermark reset synchronous_commit');
  await admin.query('alter role evermark set default_transaction_read_only = on');
  await refused('starts read-only transactions');
  await admin.query('alter role evermark reset default_transaction_read_only');
  await expect(serversAt(url, false).connect()).rejects.toThrow(
    'synchronous_standby_names is empty at 127.0.0.1',
  );
  await admin.query('alter role evermark set client_min_messages = error');
  await admin.query('alter role evermark set statement_timeout = 60000');
  await admin.query("alter role evermark set default_transaction_isolation = 'serializable'");
  const { client } = await openTestSession(url);
  const { rows } = await client.query(
    "select current_setting('client_min_messages') as messages, " +
      "current_setting('statement_timeout') as timeout, " +
      "current_setting('transaction_isolation') as isolation",
  );
  expect(rows).toEqual([{ messages: 'warning', timeout: '0', isolation: 'read committed' }]);
});

test('a server that does not wait for its disk is refused', async () => {
  const server = await startPostgresServer({ template: await findTemplate() });
  onTestFinished(() => server.remove());
  const url = await server.createDatabase();
  await expect(serversAt(url).connect()).rejects.toThrow('fsync is off');
});

/** A way to a server on which what it says is changed; gives the address. */
async function openProxy(url: string, change: (bytes: Buffer) => void): Promise<string> {
  const address = new URL(url);
  const target = Number(address.port);
  const proxy = createServer((client) => {
    const upstream = connectSocket(target, '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      change(bytes);
      client.write(bytes);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  address.port = String((proxy.address() as { port: number }).port);
  return address.toString();
}

test('a pooler between is refused: its greeting names another process', async () => {
  const url = await openProxy(await makeDatabase(sharedServer), (bytes) => {
    // BackendKeyData: K, its length 12, process id, key. A pooler gives numbers of its own.
    const key = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
    if (key >= 0) bytes.writeInt32BE(7, key + 5);
  });
  await expect(serversAt(url).connect()).rejects.toThrow('connection pooler');
});

test('a server that says it is old is refused', async () => {
  const own = await makeDatabase(sharedServer);
  const { facts } = await openTestSession(own);
  const [said, old] = [String(facts.version), '130012'];
  expect(said).toHaveLength(old.length);
  const url = await openProxy(own, (bytes) => {
    const at = bytes.indexOf(said);
    if (at >= 0) bytes.write(old, at);
  });
  const error = await serversAt(url)
    .connect()
    .catch((caught: Error) => caught);
  expect(error).toBeInstanceOf(DatabaseRefused);
  expect((error as Error).message).toContain('is version 13');
});

test("tables that are absent, another chain's, another deployment's or changed are refused", async () => {
  const empty = await openTestSession(await sharedServer.createDatabase());
  const anyOwner = { deployment: undefined, chain };
  await expect(checkTables(empty.client, anyOwner)).rejects.toThrow('has no tables of a log');
  const url = await makeDatabase(sharedServer);
  const { client } = await openTestSession(url);
  const { deployment } = await checkTables(client, anyOwner);
  expect(await makeTables(client, chain)).toEqual({ deployment, chain });
  await expect(openLog({ urls: url, deployment })).resolves.toBeDefined();
  await expect(checkTables(client, { deployment, chain: 56 })).rejects.toThrow(
    'belongs to chain 43113, not 56',
  );
  await expect(makeTables(client, 56)).rejects.toThrow('belongs to chain 43113, not 56');
  await expect(checkTables(client, { deployment: randomUUID(), chain })).rejects.toThrow(
    `belongs to deployment ${deployment}`,
  );
  await client.query('alter table evermark.lease drop constraint lease_pkey');
  await expect(checkTables(client, anyOwner)).rejects.toThrow('unique index of the epoch');
  await client.query('alter table evermark.lease add unique (epoch)');
  await client.query('update evermark.deployment set version = 99');
  await expect(checkTables(client, anyOwner)).rejects.toThrow('have version 99');
});

test('tables of an earlier release are refused until what is new has been added', async () => {
  const url = await makeDatabase(sharedServer);
  const { client } = await openTestSession(url);
  await client.query('drop table evermark.member; alter table evermark.batch drop column origins');
  const check = () => checkTables(client, { deployment: undefined, chain });
  await expect(check()).rejects.toThrow(
    'evermark.member.process is not there: evermark cluster make adds what is new',
  );
  await expect(makeTables(client, 56)).rejects.toThrow('belongs to chain 43113, not 56');
  await expect(check()).rejects.toThrow('evermark.member.process is not there');
  await makeTables(client, chain);
  await expect(check()).resolves.toMatchObject({ chain });
});

test('programs that make the tables at the same time make them once', async () => {
  const url = await sharedServer.createDatabase();
  const owners = await Promise.all(
    [1, 2, 3].map(async () => makeTables((await openTestSession(url)).client, chain)),
  );
  expect(new Set(owners.map(({ deployment }) => deployment)).size).toBe(1);
});
