// What `evermark start` says, with its exit code, when a log in PostgreSQL and a data directory do
// not belong together.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { connect as connectSocket, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { makeDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { writeDeploymentMark } from '../../../src/bin/deploymentMark.ts';
import { openLocalSegments } from '../../../src/log/postgres/openLocalSegments.ts';
import { freePort } from '../../fixtures/freePort.ts';
import { cleanEnvironment, program, quietFlags } from '../../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { chain, connect, entryOf, makeDatabase, sharedServer } from './openServers.ts';
import { makeLog } from './typeMove.ts';

const free = [...quietFlags, '--port', '0', '--operator-port', '0'];

type Refused = { readonly code: number | null; readonly why: string };

async function start(data: string, url: string, flags: readonly string[] = []): Promise<Refused> {
  const words = ['start', '--data', data, ...free, '--replicated-storage', ...flags];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...cleanEnvironment(), ...(url === '' ? {} : { EVERMARK_CLUSTER_URL: url }) },
  });
  let why = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    why += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, why };
}

test('a start is refused, with a sentence, where log and directory do not belong together', async () => {
  using place = createTemporaryDirectory();
  const at = (name: string): string => join(place.path, name);
  const empty = await sharedServer.createDatabase();
  const url = await makeDatabase(sharedServer);
  const client = await connect(url);
  const refused = async (asked: Promise<Refused>, code: number, why: string): Promise<void> => {
    const found = await asked;
    expect(found.why).toContain(why);
    expect(found.code).toBe(code);
  };
  await refused(start(at('a'), 'postgres://nowhere'), 2, 'EVERMARK_CLUSTER_URL takes postgres://');
  const shown = ['--cluster', 'postgres://me:hidden@localhost/x'];
  await refused(start(at('a'), '', shown), 2, '--cluster would show a password');
  await refused(start(at('a'), empty), 1, 'evermark cluster make makes them');
  await refused(start(at('b'), url, ['--chain', '421614']), 1, 'belongs to chain 43113');
  await makeLog(at('c'), 3);
  await refused(start(at('c'), url), 2, 'holds the log of a deployment on files');
  await client.query("update evermark.deployment set state = 'filling'");
  await refused(start(at('d'), url), 1, 'has begun and is not finished');
  await client.query("update evermark.deployment set state = 'left'");
  await refused(start(at('d'), url), 1, 'was moved to files');
  await client.query("update evermark.deployment set state = 'open'");

  // A local copy with batches that the database does not have: it was put back to the past.
  const { path, log } = makeDataDirectory(at('e'), chain);
  const { rows } = await client.query('select deployment from evermark.deployment');
  const [{ deployment }] = rows;
  writeDeploymentMark(path, { deployment, log: 'postgres' });
  const segments = openLocalSegments({ directory: log, segmentBytes: 65_536, report: () => {} });
  segments.append(entryOf('acknowledged'));
  segments.close();
  await refused(start(at('e'), url), 1, 'does not have batch 1, which was acknowledged');
  await refused(start(at('e'), ''), 2, 'is in PostgreSQL: name its servers');
  await client.query('update evermark.deployment set deployment = gen_random_uuid()');
  await refused(start(at('e'), url), 1, 'every deployment needs its own database');
  const lease = await client.query('select epoch from evermark.lease');
  expect(lease.rows).toEqual([{ epoch: '0' }]);
});

type Waiting = {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<number | null>;
  /** Resolves when it has said that. */
  readonly says: (stream: Readable, wanted: string) => Promise<void>;
};

/** A start whose database may be away. */
function startWaiting(data: string, url: string): Waiting {
  const words = ['start', '--data', data, ...free, '--replicated-storage'];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...cleanEnvironment(), EVERMARK_CLUSTER_URL: url },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const says = (stream: Readable, wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      let said = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes(wanted)) resolve();
      });
      void ended.then(() => reject(new Error(`it ended, and said: ${said}`)));
    });
  return { child, ended, says };
}

test('a start waits for a database that is away, says so, and serves when it is there', async () => {
  using place = createTemporaryDirectory();
  const address = new URL(await makeDatabase(sharedServer));
  const target = Number(address.port);
  const door = createServer((client) => {
    const upstream = connectSocket(target, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
  });
  const port = await freePort();
  address.port = String(port);
  const { child, ended, says } = startWaiting(join(place.path, 'a'), address.toString());
  try {
    const served = says(child.stdout, 'evermark ready');
    await says(child.stderr, `the start waits for PostgreSQL: PostgreSQL at 127.0.0.1:${port}`);
    await new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve));
    await served;
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    door.close();
  }
});

test('a signal ends a start that waits for its database', async () => {
  using place = createTemporaryDirectory();
  const url = `postgres://evermark@127.0.0.1:${await freePort()}/evermark`;
  const { child, ended, says } = startWaiting(join(place.path, 'a'), url);
  try {
    await says(child.stderr, 'the start waits for PostgreSQL');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});
