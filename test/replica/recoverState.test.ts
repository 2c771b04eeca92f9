// Recovery: the state after a restart is the state before it, from a snapshot and from none, and
// what cannot be the acknowledged state is refused.

import { appendFileSync, copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeCommand } from '../../src/engine/codec/commandCodec.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { appendSkip } from '../../src/log/file/skip.ts';
import { rowsInOrder } from '../../src/market-data/rowRing.ts';
import { figuresOf, type ReplicaState } from '../../src/replica/replicaState.ts';
import { snapshotPath, writeSnapshot } from '../../src/replica/snapshotFile.ts';
import { createByteWriter, reserveBytes, writtenBytes } from '../../src/std/bytes.ts';
import { fileDisk } from '../../src/std/disk.ts';
import { beginSection, claimedSectionBytes, endSection } from '../../src/std/section.ts';
import type { AccountId, MarketId, Money, Time } from '../../src/units/units.ts';
import { openingCommands } from '../engine/commandStream.ts';
import {
  type FileReplica,
  logDirectoryOf,
  openFileReplica,
  snapshotDirectoryOf,
} from '../fixtures/fileReplica.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

function fingerprint(state: ReplicaState): unknown {
  expect(checkInvariants(state.exchange).failures).toEqual([]);
  return {
    figures: figuresOf(state),
    state: stateHash(state.exchange),
    prices: priceHash(state.exchange),
    ended: [...rowsInOrder(state.views.endedOrders)].map(({ id, clientOrderId }) => [
      id,
      clientOrderId,
    ]),
  };
}

function snapshot(directory: string, { state, replica }: FileReplica): string {
  const place = { disk: fileDisk, directory: snapshotDirectoryOf(directory) };
  writeSnapshot(place, state, replica.head().hash);
  return snapshotPath(place.directory, state.position);
}

test('without a snapshot the whole log is replayed', async () => {
  using directory = createTemporaryDirectory();
  const first = await openFileReplica(directory.path);
  await first.trade(1, 1500);
  const before = fingerprint(first.state);
  await first.close();
  const second = await openFileReplica(directory.path);
  expect(second.recovered.snapshot).toBe(0);
  expect(fingerprint(second.state)).toEqual(before);
  await second.close();
});

test('from a snapshot only the tail is replayed, and both replicas continue in the same way', async () => {
  using directory = createTemporaryDirectory();
  const first = await openFileReplica(directory.path);
  await first.trade(2, 1000);
  const path = snapshot(directory.path, first);
  const at = first.state.position;
  await first.trade(3, 800);
  const before = fingerprint(first.state);
  await first.close();
  const second = await openFileReplica(directory.path);
  expect(second.recovered.snapshot).toBe(at);
  expect(fingerprint(second.state)).toEqual(before);
  await second.trade(4, 500);
  const after = fingerprint(second.state);
  await second.close();
  rmSync(path);
  const third = await openFileReplica(directory.path);
  expect(third.recovered.snapshot).toBe(0);
  expect(fingerprint(third.state)).toEqual(after);
  await third.close();
});

test('a snapshot at the very end of the log needs no tail', async () => {
  using directory = createTemporaryDirectory();
  const first = await openFileReplica(directory.path);
  await first.trade(2, 300);
  snapshot(directory.path, first);
  const before = fingerprint(first.state);
  await first.close();
  const second = await openFileReplica(directory.path);
  expect(second.recovered.snapshot).toBe(first.state.position);
  expect(fingerprint(second.state)).toEqual(before);
  await second.close();
});

test('ORD-13: the timer of a removed countdown finds nothing after a restart and causes no failure', async () => {
  using directory = createTemporaryDirectory();
  const first = await openFileReplica(directory.path);
  await first.batch(openingCommands());
  const place = { account: 1 as AccountId, market: 0 as MarketId } as const;
  await first.batch([{ kind: 'setCountdown', ...place, milliseconds: 5000 }]);
  await first.batch([{ kind: 'setCountdown', ...place, milliseconds: 0 }]);
  snapshot(directory.path, first);
  await first.close();
  const second = await openFileReplica(directory.path);
  second.clock.advance(10_000);
  await second.batch(openingCommands());
  expect(second.fatal).toEqual([]);
  const { items } = second.state.exchange.timers;
  expect(items.filter(({ kind }) => kind === 'countdown')).toEqual([]);
  await second.close();
});

test('a snapshot of the format before this one is read', async () => {
  using directory = createTemporaryDirectory();
  const first = await openFileReplica(directory.path);
  await first.trade(2, 1000);
  const path = snapshot(directory.path, first);
  await first.trade(3, 100);
  const before = fingerprint(first.state);
  await first.close();
  const sections = sectionsOf(readFileSync(path)).map((section, index) => {
    const kind = section.readUInt32LE(4);
    // The heads of ended orders and triggers have no list behind bound and count.
    const payload = [32, 34].includes(kind) ? section.subarray(12, 20) : section.subarray(12);
    const writer = createByteWriter();
    beginSection(writer);
    const at = reserveBytes(writer, payload.length);
    payload.copy(writer.buffer, at);
    if (index === 0) {
      expect(writer.view.getUint32(12, true)).toBe(6);
      writer.view.setUint32(12, 5, true);
    }
    return endSection(writer, kind);
  });
  writeFileSync(path, Buffer.concat(sections));
  const second = await openFileReplica(directory.path);
  expect(second.reports).toEqual([]);
  expect(second.recovered.snapshot).toBeGreaterThan(0);
  expect(fingerprint(second.state)).toEqual(before);
  await second.close();
});

function sectionsOf(file: Buffer): Buffer[] {
  const sections: Buffer[] = [];
  for (let at = 0; at < file.length; at += sections.at(-1)!.length) {
    sections.push(file.subarray(at, at + claimedSectionBytes(file.subarray(at))));
  }
  return sections;
}

describe('a damaged newest snapshot', () => {
  const damages: [string, (path: string) => void][] = [
    ['is cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, -7))],
    ['is empty', (path) => writeFileSync(path, '')],
    ['has more at its end', (path) => appendFileSync(path, Buffer.alloc(64))],
    [
      'has one changed byte',
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length >> 1]! ^= 1;
        writeFileSync(path, bytes);
      },
    ],
  ];

  test.each(damages)('that %s is replaced by the one before it', async (_, damage) => {
    using directory = createTemporaryDirectory();
    const first = await openFileReplica(directory.path);
    await first.trade(5, 500);
    snapshot(directory.path, first);
    const at = first.state.position;
    await first.trade(6, 300);
    const newest = snapshot(directory.path, first);
    await first.trade(7, 100);
    const before = fingerprint(first.state);
    await first.close();
    damage(newest);
    const second = await openFileReplica(directory.path);
    expect(second.recovered.snapshot).toBe(at);
    expect(second.reports.join()).toContain(newest);
    expect(fingerprint(second.state)).toEqual(before);
    await second.close();
  });

  test('a snapshot under the name of another position is damage', async () => {
    using directory = createTemporaryDirectory();
    const first = await openFileReplica(directory.path);
    await first.trade(5, 200);
    const path = snapshot(directory.path, first);
    await first.trade(6, 200);
    await first.close();
    copyFileSync(path, snapshotPath(snapshotDirectoryOf(directory.path), first.state.position));
    const second = await openFileReplica(directory.path);
    expect(second.reports.join()).toContain('its name and its position differ');
    expect(fingerprint(second.state)).toEqual(fingerprint(first.state));
    await second.close();
  });
});

describe('refusals', () => {
  test('a log that ends before a snapshot has lost acknowledged batches', async () => {
    using directory = createTemporaryDirectory();
    const first = await openFileReplica(directory.path);
    await first.trade(5, 200);
    snapshot(directory.path, first);
    await first.close();
    rmSync(logDirectoryOf(directory.path), { recursive: true });
    await expect(openFileReplica(directory.path)).rejects.toThrow('acknowledged batches are miss');
  });

  test('a snapshot of another log is not continued', async () => {
    using directory = createTemporaryDirectory();
    using other = createTemporaryDirectory();
    const first = await openFileReplica(directory.path);
    await first.trade(5, 200);
    snapshot(directory.path, first);
    await first.close();
    const second = await openFileReplica(other.path);
    await second.trade(6, 400);
    await second.close();
    const [source, target] = [other.path, directory.path].map(logDirectoryOf);
    rmSync(target!, { recursive: true });
    cpSync(source!, target!, { recursive: true });
    await expect(openFileReplica(directory.path)).rejects.toThrow('not of the same deployment');
  });
});

describe('a poison command', () => {
  /** A batch whose second command is a record of no kind, appended behind the replica's back. */
  async function poison(directory: string): Promise<number> {
    const opened = await openFileReplica(directory);
    await opened.trade(8, 100);
    const writer = createByteWriter();
    for (const reference of ['before', 'poison', 'behind']) {
      const address = `0x${'2'.repeat(40)}`;
      const amount = 1_000_000 as Money;
      encodeCommand(writer, { kind: 'credit', address, amount, reference }, 0 as Time);
    }
    const commands = writtenBytes(writer);
    const length = commands.readUInt32LE(0) & 0xffffff;
    commands[length + 3] = 0xee;
    const position = opened.log.append({
      time: opened.state.time,
      engineHash: 'ab',
      count: 3,
      commands,
    });
    opened.replica.stop();
    await opened.log.close();
    return position;
  }

  test('stops every start, and the message states how to skip it', async () => {
    using directory = createTemporaryDirectory();
    const position = await poison(directory.path);
    const expected = `evermark log skip ${position} 1`;
    await expect(openFileReplica(directory.path)).rejects.toThrow(expected);
    await expect(openFileReplica(directory.path)).rejects.toThrow(expected);
  });

  test('is skipped once it has a skip record, and the rest of its batch is not', async () => {
    using directory = createTemporaryDirectory();
    const position = await poison(directory.path);
    appendSkip(logDirectoryOf(directory.path), position, 1);
    const first = await openFileReplica(directory.path);
    const { credits } = first.state.exchange;
    expect([credits.has('before'), credits.has('poison'), credits.has('behind')]).toEqual([
      true,
      false,
      true,
    ]);
    await first.trade(9, 100);
    const before = fingerprint(first.state);
    await first.close();
    const second = await openFileReplica(directory.path);
    expect(fingerprint(second.state)).toEqual(before);
    await second.close();
  });
});
