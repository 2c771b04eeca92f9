// Durable PostgreSQL servers for the tests of the log there: the shared one, one alone, or one with
// a standby. And logs over them that a test opens and ends.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type Log, type LogEntry, type LogHead, logBeginning } from '../../../src/log/log.ts';
import { createServers } from '../../../src/log/postgres/createServers.ts';
import { openPostgresLog } from '../../../src/log/postgres/openPostgresLog.ts';
import { endClient, openSession, type Session } from '../../../src/log/postgres/openSession.ts';
import { makeTables } from '../../../src/log/postgres/tables.ts';
import { type Clock, systemClock } from '../../../src/std/clock.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { createDurableDatabase, findTemplate } from '../../fixtures/eachDatabase.ts';
import { type PostgresServer, startPostgresServer } from '../../fixtures/postgresServer.ts';

export const chain = 43113;

/** The server of all tests that need no more than a database of their own there. */
export const sharedServer: Pick<PostgresServer, 'createDatabase'> = {
  createDatabase: createDurableDatabase,
};

/** A server alone, for a test that changes it; the log over it needs `replicatedStorage`. */
export async function openServer(): Promise<PostgresServer> {
  const server = await startPostgresServer({ durable: true, template: await findTemplate() });
  onTestFinished(() => server.remove());
  return server;
}

export async function openPair(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await openServer();
  const standby = await primary.startStandby();
  // Hooks run in reverse order: the standby goes first.
  onTestFinished(() => standby.remove());
  return { primary, standby };
}

/** A database with the tables of the log; gives its address. */
export async function makeDatabase(
  server: Pick<PostgresServer, 'createDatabase'>,
  replicatedStorage = true,
  partitionPositions?: number,
): Promise<string> {
  const url = await server.createDatabase();
  const session = await openSession({ url, applicationName: 'test', replicatedStorage });
  await makeTables(session.client, chain, partitionPositions);
  endClient(session.client);
  return url;
}

/** A connection that ends with the test. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => endClient(client));
  return client;
}

export async function openTestSession(url: string, replicatedStorage = true): Promise<Session> {
  const session = await openSession({ url, applicationName: 'test', replicatedStorage });
  onTestFinished(() => endClient(session.client));
  return session;
}

export type OpenLog = {
  readonly urls: string;
  readonly replicatedStorage?: boolean;
  readonly known?: { readonly position: number; readonly hash: string };
  readonly deployment?: string;
  readonly report?: (message: string) => void;
  /** The clock of the machine. */
  readonly clock?: Clock;
};

/** Waits for the lease and opens the log; it is closed with the test, unless it has failed. */
export async function openLog(options: OpenLog): Promise<Log & { readonly holder: string }> {
  const { urls, replicatedStorage = true, known = logBeginning, deployment } = options;
  const { report = () => {}, clock = systemClock } = options;
  const holder = randomUUID();
  const servers = createServers({
    ...{ urls, replicatedStorage },
    applicationName: `evermark ${holder}`,
    scheduler: systemScheduler,
  });
  const log = await openPostgresLog({
    ...{ servers, holder, replicatedStorage, report },
    known: () => known,
    expected: { deployment, chain },
    address: 'test',
    clock,
    scheduler: systemScheduler,
  });
  return { ...log, holder };
}

/** An entry whose commands say who made it and which it is. */
export function entryOf(text: string, time = 1): LogEntry {
  return { time, engineHash: 'ab'.repeat(32), count: 1, commands: Buffer.from(text) };
}

/**
 * Appends entries, as many at the same time as the log takes. Gives the head when all are durable.
 */
export async function appendAll(log: Log, entries: readonly LogEntry[]): Promise<LogHead> {
  let wake = (): void => {};
  let failure: Error | undefined;
  log.onDurable(() => wake());
  log.onFailure((error) => {
    failure = error;
    wake();
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      if (failure !== undefined) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  let last = log.head().position;
  for (const entry of entries) {
    await until(log.ready);
    last = log.append(entry);
  }
  await until(() => log.head().position === last);
  return log.head();
}
