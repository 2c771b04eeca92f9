// Refusals of `evermark move`: where it would lose or mix something, it changes nothing.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { openFileLog } from '../../../src/log/file/openFileLog.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { connect, sharedServer } from './openServers.ts';
import { makeLog, typeMove } from './typeMove.ts';

test('a move is refused where it would lose or mix something, and changes nothing', async () => {
  using place = createTemporaryDirectory();
  const [data, other, empty] = ['data', 'other', 'empty'].map((name) => join(place.path, name));
  const environment = { EVERMARK_CLUSTER_URL: await sharedServer.createDatabase() };
  const into = (from: string, more: readonly string[] = []) =>
    typeMove(
      ['move', '--to', 'cluster', '--data', from, '--replicated-storage', ...more],
      environment,
    );
  const outOf = (to: string, more: readonly string[] = []) =>
    typeMove(['move', '--to', to, '--data', data!, '--replicated-storage', ...more], environment);
  expect((await typeMove(['move'], environment)).code).toBe(2);
  const secret = ['move', '--to', 'postgres://me:secret@localhost/x', '--data', data!];
  const shown = await typeMove(secret, environment);
  expect([shown.code, shown.errors]).toEqual([
    2,
    expect.stringContaining('would show a password to every process'),
  ]);
  expect((await into(data!)).errors).toContain('There is no deployment in');
  await makeLog(data!, 20);
  await makeLog(other!, 30);
  const locked = await openFileLog({ directory: findDataDirectory(data!).log, inline: true });
  expect((await into(data!)).errors).toContain('is in use by another process');
  await locked.close();
  expect((await into(data!)).code).toBe(0);
  expect((await into(other!)).errors).toContain('holds the log of another deployment');
  expect((await outOf(other!)).errors).toContain('holds the log of a deployment already');
  mkdirSync(empty!);
  expect((await outOf(empty!, ['--chain', '56'])).errors).toContain('belongs to chain 43113');
  const client = await connect(environment.EVERMARK_CLUSTER_URL);
  const { rows } = await client.query(
    'select max(position) as last, (select state from evermark.deployment) from evermark.batch',
  );
  expect(rows).toEqual([{ last: '20', state: 'open' }]);
});
