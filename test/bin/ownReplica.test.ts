// Goal: a signer's replica is the log's, batch by batch, while another process writes it, and knows
// when it is behind. Method: a real log directory with small segments, and its writer beside it.

import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { openOwnReplica } from '../../src/bin/openOwnReplica.ts';
import { withdrawalId } from '../../src/chain/withdrawalId.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { openLogTail } from '../../src/log/file/openLogTail.ts';
import { type LogBatch, logBeginning } from '../../src/log/log.ts';
import { openKeptEngines } from '../../src/replica/keptEngines.ts';
import { fileDisk } from '../../src/std/disk.ts';
import type { Time } from '../../src/units/units.ts';
import { vaultAddress } from '../engine/depositChain.ts';
import { keepChangedEngine, otherToken } from '../fixtures/changedEngine.ts';
import { logDirectoryOf, openFileReplica } from '../fixtures/fileReplica.ts';
import { openBoundLog } from '../fixtures/openBoundLog.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const wallet = `0x${'12'.repeat(20)}` as const;

function temporary(): string {
  const directory = createTemporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return directory.path;
}

test('what is read while it is written is what is there, over many segments', async () => {
  const path = temporary();
  const writer = await openFileReplica(path, { segmentBytes: 16 * 1024 });
  const directory = logDirectoryOf(path);
  await writer.trade(7, 5);
  const tail = openLogTail({ disk: fileDisk, directory, after: logBeginning });
  const read: LogBatch[] = [];
  const drain = (): void => {
    for (let batch = tail.next(); batch !== undefined; batch = tail.next()) read.push(batch);
  };
  for (let turn = 0; turn < 60; turn += 1) {
    drain();
    expect(read.at(-1)?.position).toBe(writer.log.head().position);
    await writer.trade(turn, 5 * (turn % 7));
  }
  drain();
  tail.close();
  await writer.close();
  const segments = fileDisk.list(directory).filter((name) => /^\d{16}/.test(name));
  expect(segments.length).toBeGreaterThan(3);
  expect(read).toEqual([...openLogReader(directory).read(1)]);
});

test('it follows the log, gives what is open, and says when it is behind', async () => {
  const path = temporary();
  const log = await openBoundLog(path);
  await log.deposit(wallet, 100);
  const first = await log.request(wallet, 30);
  const own = await openOwnReplica(findDataDirectory(path), { report: () => {} });
  expect(own.place).toEqual({ chainId: 43113, vault: vaultAddress });
  expect(own.standing().position).toBe(log.writer.log.head().position);
  await log.idle();
  expect(await own.openByIds([first])).toMatchObject([{ to: wallet, units: 30n }]);
  expect(await own.isConserved()).toBe(true);
  // What was requested since it has last looked is found, and not taken for a forgery.
  const second = await log.request(wallet, 20);
  expect(await own.openByIds([first, second])).toMatchObject([{ units: 30n }, { units: 20n }]);
  const later = withdrawalId((log.writer.clock.now() + 10) as Time, 99);
  await expect(own.openByIds([later])).rejects.toThrow(`behind: ${later} was requested after`);
  // Of the past, and in no log.
  expect(await own.openByIds([withdrawalId(1 as Time, 99), '0x12'])).toEqual([
    undefined,
    undefined,
  ]);
  const paid = { kind: 'withdrawal', id: first, fact: 'paid', blockTime: 1n } as const;
  expect(await log.submit(paid)).toBe('taken');
  await log.idle();
  expect(await own.openByIds([first])).toEqual([undefined]);
  expect(own.open(9)).toMatchObject([{ id: second }]);
  own.close();
  await log.writer.close();
});

test('a log of no vault, and one of an engine that is not there, are refused', async () => {
  const path = temporary();
  const mark = JSON.stringify({ format: 1, chainId: 43113 });
  writeFileSync(join(path, 'deployment.json'), mark);
  const engines = openKeptEngines(join(path, 'engines'));
  const writer = await openFileReplica(path, { engines });
  await writer.trade(1, 5);
  await writer.close();
  const open = (at: string) => openOwnReplica(findDataDirectory(at), { report: () => {} });
  await expect(open(path)).rejects.toThrow('is bound to no vault');
  const other = temporary();
  writeFileSync(join(other, 'deployment.json'), mark);
  const written = await openFileReplica(other);
  await written.trade(1, 5);
  await written.close();
  await expect(open(other)).rejects.toThrow('whose sources are not kept');
  const former = temporary();
  const changed = await keepChangedEngine(join(former, 'engines'), [otherToken]);
  const log = await openBoundLog(former, {}, changed);
  await log.writer.close();
  await expect(open(former)).rejects.toThrow('otherEngine: engine');
});

test('files that were made anew are found', async () => {
  const path = temporary();
  const log = await openBoundLog(path);
  await log.deposit(wallet, 100);
  let now = 0;
  const own = await openOwnReplica(findDataDirectory(path), {
    report: () => {},
    stopwatch: () => now,
  });
  await log.writer.close();
  const directory = join(path, 'log');
  for (const name of fileDisk.list(directory).filter((each) => /^\d{16}/.test(each))) {
    copyFileSync(join(directory, name), join(directory, 'copy'));
    fileDisk.rename(join(directory, 'copy'), join(directory, name));
  }
  const again = await openBoundLog(path);
  const id = await again.request(wallet, 30);
  await again.idle();
  await expect(own.openByIds([id])).rejects.toThrow('behind');
  now = 30_001;
  expect(await own.openByIds([id])).toMatchObject([{ units: 30n }]);
  own.close();
  await again.writer.close();
});

test('a log that was put back and went on otherwise is not followed', async () => {
  const [path, fork] = [temporary(), temporary()];
  const log = await openBoundLog(path);
  await log.deposit(wallet, 100);
  cpSync(path, fork, { recursive: true, filter: (name) => !name.endsWith('lock.db') });
  await log.request(wallet, 30);
  const own = await openOwnReplica(findDataDirectory(path), { report: () => {} });
  await log.writer.close();
  const other = await openBoundLog(fork);
  for (let times = 0; times < 4; times += 1) await other.request(wallet, 20);
  await other.writer.close();
  for (const name of fileDisk.list(join(fork, 'log')).filter((each) => /^\d{16}/.test(each))) {
    copyFileSync(join(fork, 'log', name), join(path, 'log', name));
  }
  await expect(own.follow()).rejects.toThrow(/does not follow its predecessor|a hole in the log/);
  own.close();
});
