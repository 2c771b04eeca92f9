// `evermark cluster` as an operator types it: on a database that is empty, made, filled by a copy
// of a log on files, and another's.

import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { openFileLog } from '../../../src/log/file/openFileLog.ts';
import { cleanEnvironment, program } from '../../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { appendAll, chain, connect, entryOf, sharedServer } from './openServers.ts';

type Ended = { readonly code: number | null; readonly printed: string; readonly errors: string };

async function typed(words: readonly string[], url: string): Promise<Ended> {
  const child = spawn(process.execPath, [program, 'cluster', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...cleanEnvironment(), ...(url === '' ? {} : { EVERMARK_CLUSTER_URL: url }) },
  });
  let [printed, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, printed, errors };
}

async function makeLog(data: string, count: number): Promise<string> {
  const { log: directory } = makeDataDirectory(data, chain);
  const log = await openFileLog({ directory, inline: true });
  const texts = Array.from({ length: count }, (_, index) => `batch ${index}`);
  const { hash } = await appendAll(
    log,
    texts.map((text) => entryOf(text)),
  );
  await log.close();
  return hash.toString('hex');
}

test('the log of a data directory is copied, shown, continued, and another one is refused', async () => {
  using directory = createTemporaryDirectory();
  const data = join(directory.path, 'data');
  const url = await sharedServer.createDatabase();
  const here = ['--data', data, '--replicated-storage'];
  expect((await typed(here, '')).errors).toContain('EVERMARK_CLUSTER_URL names the database');
  expect((await typed(['steal', ...here], url)).code).toBe(2);
  expect((await typed(['copy', ...here], url)).errors).toContain('There is no log to copy');
  const first = await makeLog(data, 300);
  const absent = await typed(here, url);
  expect(absent.code).toBe(1);
  expect(absent.errors).toContain('evermark cluster make makes them');
  expect((await typed(['--data', data], url)).errors).toContain(
    'synchronous_standby_names is empty',
  );
  const made = (await typed(['make', ...here], url)).printed;
  expect(made).toMatch(/^the tables of deployment [0-9a-f-]{36}, chain 43113/);
  expect(made).toContain('the log has partitions of 1000000 batches');
  const copied = await typed(['copy', ...here], url);
  expect(copied).toEqual({
    code: 0,
    printed: `the log up to batch 300 is in PostgreSQL and was read back: ${first}\n`,
    errors: '',
  });
  const shown = JSON.parse((await typed(here, url)).printed);
  expect(shown).toMatchObject({
    chain,
    lease: { epoch: 1, released: true },
    last_batch: { position: 300, epoch: 1, hash: first },
    begins_with: 1,
    partitions: [
      { first: 0, next: 1_000_000 },
      { first: 1_000_000, next: 2_000_000 },
    ],
    members: [],
    connections: [],
  });
  expect((await typed(['handover', 'one', 'two', ...here], url)).code).toBe(2);
  expect((await typed(['handover', ...here], url)).errors).toContain(
    'No process that lives holds the lease',
  );

  cpSync(data, join(directory.path, 'other'), { recursive: true });
  const second = await makeLog(data, 5);
  expect((await typed(['copy', ...here], url)).printed).toContain(
    `up to batch 305 is in PostgreSQL and was read back: ${second}`,
  );
  await makeLog(join(directory.path, 'other'), 4);
  const other = ['--data', join(directory.path, 'other'), '--replicated-storage'];
  expect((await typed(['copy', ...other], url)).errors).toContain('The database holds another log');
  const client = await connect(url);
  await client.query('update evermark.deployment set deployment = gen_random_uuid()');
  const foreign = await typed(['copy', ...here], url);
  expect(foreign.code).toBe(1);
  expect(foreign.errors).toContain('every deployment needs its own database');
});
