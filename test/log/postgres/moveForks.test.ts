// Moves that were interrupted, or typed with the wrong directory: the deployment can never be
// started in two places, and a refused move leaves the deployment where it was.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyLog } from '../../../src/bin/copyLog.ts';
import { findDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { checkLogInFiles } from '../../../src/bin/deploymentMark.ts';
import { moveToFiles } from '../../../src/bin/moveToFiles.ts';
import { moveToPostgres } from '../../../src/bin/moveToPostgres.ts';
import { loadConfig } from '../../../src/config.ts';
import { checkLogHere } from '../../../src/log/postgres/tables.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { connect, makeDatabase, sharedServer } from './openServers.ts';
import { makeLog } from './typeMove.ts';

const report = (): void => {};

async function openMoves() {
  const place = createTemporaryDirectory();
  onTestFinished(() => place[Symbol.dispose]());
  const url = await makeDatabase(sharedServer);
  const client = await connect(url);
  const at = (name: string): string => join(place.path, name);
  const configOf = (name: string) =>
    loadConfig(['--data', at(name), '--replicated-storage'], { EVERMARK_CLUSTER_URL: url });
  return {
    at,
    url,
    query: async (text: string) => (await client.query(text)).rows,
    toPostgres: (from: string) => moveToPostgres({ config: configOf(from), report }),
    toFiles: (to: string) => moveToFiles({ config: configOf(to), target: at(to), report }),
    copy: (from: string) =>
      copyLog({
        ...{ urls: url, replicatedStorage: true, report },
        directory: findDataDirectory(at(from)),
      }),
    /** Where a start would not be refused. */
    startable: async (...names: string[]): Promise<string[]> => {
      const found = await checkLogHere(client).then(
        () => ['cluster'],
        () => [],
      );
      return [...found, ...names.filter((name) => isStartable(at(name)))];
    },
  };
}

function isStartable(path: string): boolean {
  try {
    checkLogInFiles(path);
    return true;
  } catch {
    return false;
  }
}

test('a move that was interrupted is not finished with another directory', async () => {
  const { at, query, toPostgres, toFiles, startable } = await openMoves();
  await makeLog(at('first'), 5);
  await toPostgres('first');
  expect(await startable('first')).toEqual(['cluster']);
  // Where a kill would leave it: the directory is whole, and the database is not closed yet.
  await query(
    'create function evermark.refuse() returns trigger language plpgsql as ' +
      "$$ begin if new.state = 'left' then raise 'refused'; end if; return new; end $$",
  );
  await query(
    'create trigger refuse before update on evermark.deployment for each row ' +
      'execute function evermark.refuse()',
  );
  await expect(toFiles('one')).rejects.toThrow('PostgreSQL does not take it');
  await query('drop trigger refuse on evermark.deployment');
  expect(await startable('first', 'one')).toEqual(['cluster']);

  await toFiles('two');
  await makeLog(at('two'), 3);
  await expect(toFiles('one')).rejects.toThrow('into another directory');
  await expect(toPostgres('one')).rejects.toThrow('is not finished');
  await expect(toPostgres('first')).rejects.toThrow('is an old copy');
  expect(await startable('first', 'one', 'two')).toEqual(['two']);

  // Where a kill leaves the move of the second directory, before its first batch.
  await query("update evermark.deployment set state = 'filling', mover = 'the second'");
  await expect(toPostgres('first')).rejects.toThrow('from another directory is not finished');
  await expect(toFiles('three')).rejects.toThrow('finish that one first');
  expect(await startable('first', 'one', 'two', 'three')).toEqual(['two', 'three']);
  expect(await toPostgres('two')).toMatchObject({ position: 8 });
  expect(await startable('first', 'one', 'two')).toEqual(['cluster']);
});

test('a move that waited for the lease while another one ended is refused', async () => {
  const { at, url, query, toPostgres, toFiles, startable } = await openMoves();
  await makeLog(at('first'), 5);
  await toPostgres('first');
  const other = await connect(url);
  await other.query('begin');
  await other.query('select from evermark.lease for update');
  const late = toFiles('late').catch((error: Error) => error.message);
  const waiting =
    'select from pg_stat_activity where datname = current_database() and ' +
    "wait_event_type = 'Lock' and query like 'update evermark.lease set epoch%'";
  while ((await query(waiting)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await query("update evermark.deployment set state = 'left', mover = 'the first'");
  await other.query('commit');
  expect(await late).toContain('into another directory');
  expect(await startable('first')).toEqual([]);
});

test('an old copy of a directory changes nothing, and a copy of the log is no deployment', async () => {
  const { at, toPostgres, copy, startable } = await openMoves();
  await makeLog(at('data'), 5);
  expect(await copy('data')).toMatchObject({ position: 5 });
  expect(await startable('data')).toEqual(['data']);
  cpSync(at('data'), at('old'), { recursive: true });
  await makeLog(at('data'), 3);
  expect(await copy('data')).toMatchObject({ position: 8 });
  await toPostgres('data');
  await expect(toPostgres('old')).rejects.toThrow('The database holds another log');
  await expect(copy('old')).rejects.toThrow('holds a deployment that processes may serve');
  expect(await startable('data')).toEqual(['cluster']);
});
