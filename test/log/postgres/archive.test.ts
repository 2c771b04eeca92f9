// An archive of the log in PostgreSQL: what is old is copied into it, checked, removed from the
// database, and comes back from it. Whatever is wrong with an archive is refused with a sentence.

import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ArchiveManifest,
  archivedEnd,
  readManifest,
  writeManifest,
} from '../../../src/log/file/archiveManifest.ts';
import { checkArchive } from '../../../src/log/file/checkArchive.ts';
import { openLogReader } from '../../../src/log/file/openLogReader.ts';
import { listArchived } from '../../../src/log/file/segment.ts';
import { type LogHead, logBeginning } from '../../../src/log/log.ts';
import { catchUp, checkContains } from '../../../src/log/postgres/catchUp.ts';
import { exportLog } from '../../../src/log/postgres/exportLog.ts';
import { fetchArchive } from '../../../src/log/postgres/fetchArchive.ts';
import { matchArchive } from '../../../src/log/postgres/matchArchive.ts';
import { beatStatement } from '../../../src/log/postgres/memberStatement.ts';
import { openLocalSegments } from '../../../src/log/postgres/openLocalSegments.ts';
import type { Session } from '../../../src/log/postgres/openSession.ts';
import { readPostgresBatches } from '../../../src/log/postgres/readPostgresBatches.ts';
import { removeArchived } from '../../../src/log/postgres/removeArchived.ts';
import { checkTables, type TablesOwner } from '../../../src/log/postgres/tables.ts';
import { fileDisk } from '../../../src/std/disk.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import {
  appendAll,
  chain,
  entryOf,
  makeDatabase,
  openLog,
  openTestSession,
  sharedServer,
} from './openServers.ts';

const disk = fileDisk;
const segmentBytes = 4096;
const firstQuery = 'select min(position)::integer as first from evermark.batch';
const engines = ['ab'.repeat(32), 'cd'.repeat(32)];

type Place = { readonly session: Session; readonly owner: TablesOwner; readonly url: string };

/** A log of `count` batches in partitions of 100, run by two engines, of which one is kept. */
async function makeLog(count: number, name = 'batch'): Promise<Place> {
  const url = await makeDatabase(sharedServer, true, 100);
  const session = await openTestSession(url);
  const owner = await checkTables(session.client, { deployment: undefined, chain });
  await session.client.query('insert into evermark.engine values ($1, $2)', [engines[0], 'packed']);
  await append(url, 1, count, name);
  return { session, owner, url };
}

/** Waits for the lease, appends these batches and gives the lease back. */
async function append(urls: string, from: number, to: number, name = 'batch'): Promise<LogHead> {
  const log = await openLog({ urls });
  const head = await appendAll(
    log,
    Array.from({ length: to - from + 1 }, (_, index) => {
      const position = from + index;
      const engineHash = engines[position <= 150 ? 0 : 1]!;
      return { ...entryOf(`${name} ${position} `.repeat(5), position), engineHash };
    }),
  );
  // Others know what is durable by the next renewal.
  const { client } = await openTestSession(urls);
  for (let look = 0; ; look += 1) {
    const { rows } = await client.query('select durable::integer from evermark.lease');
    if (rows[0].durable === head.position) break;
    expect(look, 'the holder renews its lease').toBeLessThan(600);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await log.close();
  return head;
}

const exportTo = ({ session, owner }: Place, directory: string): Promise<ArchiveManifest> =>
  exportLog({ session, owner, disk, directory, segmentBytes });

function remove({ session }: Place, directory: string) {
  const heads = new Map<number, LogHead>();
  const manifest = checkArchive({
    ...{ disk, directory },
    onBatch: (head) => void heads.set(head.position, head),
  });
  const { position: end } = archivedEnd(manifest);
  const archived = { end, hashAt: (position: number) => heads.get(position) };
  return removeArchived({ session, scheduler: systemScheduler, archived });
}

async function readHashes({ session }: Place, to: number): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of readPostgresBatches(session.client, logBeginning, to)) {
    hashes.push(hash.toString('hex'));
  }
  return hashes;
}

const hashesIn = (directory: string, to: number): string[] =>
  [...openLogReader(directory).read(1, to)].map(({ hash }) => hash.toString('hex'));

test('old partitions are archived with their engines, continued, removed, and come back', async () => {
  using place = createTemporaryDirectory();
  const at = (name: string): string => join(place.path, name);
  const log = await makeLog(350);
  const { session } = log;
  const hashes = await readHashes(log, 350);

  // Three partitions are whole; the log goes on in the fourth.
  const manifest = await exportTo(log, at('archive'));
  expect(archivedEnd(manifest)).toEqual({ position: 299, hash: hashes[298] });
  expect(manifest.segments.length).toBeGreaterThan(5);
  expect(manifest.segments.reduce((sum, { commands }) => sum + commands, 0)).toBe(299);
  expect(new Set(manifest.segments.flatMap((segment) => segment.engines))).toEqual(
    new Set(engines),
  );
  expect(manifest.engines).toMatchObject([{ hash: engines[0], bytes: 6 }]);
  expect(manifest).toMatchObject(log.owner);
  expect(checkArchive({ disk, directory: at('archive') })).toEqual(manifest);
  expect(hashesIn(at('archive'), 299)).toEqual(hashes.slice(0, 299));
  // Nothing new: nothing changes.
  expect(await exportTo(log, at('archive'))).toEqual(manifest);

  // A process that lives needs what its own archive does not have.
  const beat = (number: number, archived: number) => {
    const report = { process: 'neighbour', address: '', release: '1.0.0', engineHash: 'ab' };
    const { text, values } = beatStatement(
      { ...report, role: 'follower', position: 350, archived },
      number,
    );
    return session.client.query(text, [...values]);
  };
  let beats = 0;
  let archived = 199;
  await beat(0, archived);
  const timer = setInterval(() => {
    beats += 1;
    void beat(beats, archived).catch(() => {});
  }, 200);
  expect(await remove(log, at('archive'))).toEqual({
    beginsWith: 200,
    stays:
      'the batches up to 299 stay, because process neighbour has its own archive only up to ' +
      'batch 199: type it again later',
  });
  archived = 299;
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await remove(log, at('archive'))).toEqual({ beginsWith: 300, stays: undefined });
  clearInterval(timer);
  expect(await remove(log, at('archive'))).toEqual({ beginsWith: undefined, stays: undefined });
  const { rows } = await session.client.query(firstQuery);
  expect(rows).toEqual([{ first: 300 }]);

  // The log goes on, and so does the archive.
  await append(log.url, 351, 450);
  const known = { position: 450, hash: Buffer.alloc(32), time: 0 };
  await expect(checkContains(session, known)).rejects.toThrow('has another batch 450');
  expect(archivedEnd(await exportTo(log, at('archive'))).position).toBe(399);
  await expect(exportTo(log, at('new'))).rejects.toThrow(
    'begins with batch 300, and the archive in',
  );

  // A process with an empty directory cannot begin with batch 300. With the archive it can.
  const segments = openLocalSegments({ directory: at('empty'), segmentBytes, report: () => {} });
  await expect(catchUp(session, segments, 450)).rejects.toThrow(
    /begins with batch 300.*are empty.*evermark cluster fetch ARCHIVE/,
  );
  segments.close();
  await expectCaughtUp(log, { archive: at('archive'), copy: at('empty') }, hashes);
  // One that stood still for long ends before what the database has.
  cpSync(join(at('archive'), 'archive'), join(at('late'), 'archive'), { recursive: true });
  for (const { name, last } of listArchived(disk, at('late'))) {
    if (last > 250) rmSync(join(at('late'), 'archive', name));
  }
  const late = openLocalSegments({ directory: at('late'), segmentBytes, report: () => {} });
  await expect(catchUp(session, late, 450)).rejects.toThrow(
    /the local segments end with batch 2\d\d/,
  );
  late.close();
  await expectCaughtUp(log, { archive: at('archive'), copy: at('late') }, hashes);
});

/** Fetches the archive into the copy, catches up, and compares with the log. */
async function expectCaughtUp(
  { session }: Place,
  { archive, copy }: { readonly archive: string; readonly copy: string },
  hashes: readonly string[],
): Promise<void> {
  const manifest = checkArchive({ disk, directory: archive });
  fetchArchive({ disk, directory: archive, manifest, log: copy });
  const segments = openLocalSegments({ directory: copy, segmentBytes, report: () => {} });
  expect(segments.head().position).toBe(399);
  await checkContains(session, segments.head());
  await catchUp(session, segments, 450);
  segments.close();
  const copied = hashesIn(copy, 450);
  expect(copied).toHaveLength(450);
  expect(copied.slice(0, hashes.length)).toEqual(hashes);
  const again = openLocalSegments({ directory: copy, segmentBytes, report: () => {} });
  expect(again.head().position).toBe(450);
  again.close();
}

test('whatever is wrong with an archive is refused with its sentence, and nothing is removed', async () => {
  using place = createTemporaryDirectory();
  const log = await makeLog(330);
  const sound = join(place.path, 'sound');
  await exportTo(log, sound);
  const other = await makeLog(330, 'other');
  const foreign = join(place.path, 'foreign');
  await exportTo(other, foreign);
  let count = 0;
  const refused = async (
    sentence: string | RegExp,
    change: (directory: string, manifest: ArchiveManifest) => void,
  ): Promise<void> => {
    count += 1;
    const directory = join(place.path, String(count));
    cpSync(sound, directory, { recursive: true });
    change(directory, readManifest(disk, directory)!);
    const check = async () => {
      const manifest = checkArchive({ disk, directory });
      const { session, owner } = log;
      await matchArchive({ session, owner, directory, manifest });
      await remove(log, directory);
    };
    const error = await check().catch((caught: Error) => caught);
    expect(error).toHaveProperty('name', 'ArchiveRefused');
    expect((error as Error).message).toMatch(sentence);
  };
  const flip = (path: string, offset: number): void => {
    const bytes = readFileSync(path);
    bytes[offset]! ^= 1;
    writeFileSync(path, bytes);
  };
  const rewrite = (directory: string, manifest: ArchiveManifest, change: object): void =>
    writeManifest(disk, directory, { ...manifest, ...change });

  await refused('is no archive: it has no manifest.json', (directory) =>
    rmSync(join(directory, 'manifest.json')),
  );
  await refused('manifest.json is damaged, or of another release', (directory) =>
    flip(join(directory, 'manifest.json'), 40),
  );
  await refused('manifest.json is damaged', (directory) =>
    writeFileSync(join(directory, 'manifest.json'), '{"format":1,"segments":['),
  );
  await refused('manifest.json is damaged', (directory, manifest) => {
    const [first] = manifest.segments;
    rewrite(directory, manifest, { segments: [{ ...first, file: '../elsewhere.zst' }] });
  });
  await refused('.segment.zst is missing: put a copy', (directory, manifest) =>
    rmSync(join(directory, manifest.segments[3]!.file)),
  );
  await refused('is missing in the manifest', (directory, manifest) => {
    rmSync(join(directory, manifest.segments[3]!.file));
    rewrite(directory, manifest, { segments: manifest.segments.toSpliced(3, 1) });
  });
  await refused(
    'is not in the manifest: type "evermark cluster archive" again',
    (directory, manifest) =>
      rewrite(directory, manifest, { segments: manifest.segments.slice(0, -1) }),
  );
  await refused('was altered, because it does not have the checksum', (directory, manifest) =>
    flip(join(directory, manifest.segments[2]!.file), 300),
  );
  await refused('engines/ab', (directory) => flip(join(directory, `engines/${engines[0]}.zst`), 1));
  await refused('has other batches than the manifest says', (directory, manifest) => {
    const [first, ...rest] = manifest.segments;
    rewrite(directory, manifest, { segments: [{ ...first!, commands: 1 }, ...rest] });
  });
  await refused('is an archive of chain 56', (directory, manifest) =>
    rewrite(directory, manifest, { chain: 56 }),
  );
  await refused(
    /is the archive of deployment .*, and the database belongs to/,
    (directory, manifest) => rewrite(directory, manifest, { deployment: randomUUID() }),
  );
  // Another log's batches under this deployment's name.
  await refused('does not continue batch', (directory, manifest) => {
    const segments = [...manifest.segments];
    const [, strange] = readManifest(disk, foreign)!.segments;
    expect([strange!.first, strange!.last]).toEqual([segments[1]!.first, segments[1]!.last]);
    cpSync(join(foreign, strange!.file), join(directory, strange!.file));
    segments[1] = strange!;
    rewrite(directory, manifest, { segments });
  });
  await refused(/has another batch 299, with which the archive in/, (directory) => {
    rmSync(directory, { recursive: true });
    cpSync(foreign, directory, { recursive: true });
    rewrite(directory, readManifest(disk, foreign)!, log.owner);
  });
  // A database that was put back to the past ends before the archive.
  await log.session.client.query('delete from evermark.batch where position > 250');
  await refused(/does not have batch 299, with which the archive in/, () => {});

  const { rows } = await log.session.client.query(firstQuery);
  expect(rows).toEqual([{ first: 1 }]);
});
