// Goal: a restart, a kill and a power failure give a signer no new cap. Method: a disk in memory
// that forgets what was not synced, and fails after any number of bytes.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import {
  type CheckBatch,
  createBatchCheck,
  type SignedPayment,
} from '../../src/chain/signers/checkBatch.ts';
import { createSignedFile } from '../../src/chain/signers/createSignedFile.ts';
import { cappedChecks } from '../../src/chain/signers/createSigners.ts';
import type { Payment } from '../../src/chain/vaultTypes.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { createMemoryDisk, type MemoryDisk } from '../log/memoryDisk.ts';

const path = '/signer/0xab';
const paymentOf = (at: number): Payment => ({
  id: `0x${at.toString(16).padStart(32, '0')}`,
  to: `0x${'cd'.repeat(20)}`,
  units: 1n,
  deadline: 9n,
});
const replica = {
  openByIds: async (ids: readonly Hex[]) =>
    ids.map((id) => ({ ...paymentOf(Number(id)), state: 'sent' as const })),
  isConserved: async () => true,
};

const checkOn = (disk: MemoryDisk, unitsPerHourMax: bigint): CheckBatch =>
  createBatchCheck({ replica, unitsPerHourMax, store: createSignedFile(path, disk) });

/** A batch of so many payments from this one on. */
const batch = (from: number, count: number): Payment[] =>
  Array.from({ length: count }, (_, at) => paymentOf(from + at));

test('the cap of an hour is the same after a restart', async () => {
  const disk = createMemoryDisk();
  await checkOn(disk, 9n)(batch(0, 5), 100n);
  disk.kill();
  await checkOn(disk, 9n)(batch(5, 4), 200n);
  disk.losePower(createPrng(1));
  const check = checkOn(disk, 9n);
  await expect(check([paymentOf(9)], 3699n)).rejects.toThrow('capReached');
  // What was signed is signed again without being counted again.
  await check(batch(0, 9), 3699n);
  await check(batch(9, 5), 3700n);
  await expect(check([paymentOf(14)], 3700n)).rejects.toThrow('capReached');
});

test('whatever was signed before a crash counts after it, wherever the crash comes', async () => {
  let crashes = 0;
  for (let budget = 1; budget < 3000; budget += 7) {
    const disk = createMemoryDisk();
    const prng = createPrng(budget);
    let signed = 0;
    try {
      const check = checkOn(disk, 1000n);
      disk.budget = budget;
      for (let at = 0; at < 12; at += 1) {
        await check(batch(20 * at, 20), BigInt(at));
        signed += 20;
      }
    } catch {
      crashes += 1;
    }
    disk.budget = Number.MAX_SAFE_INTEGER;
    disk.losePower(prng);
    const check = checkOn(disk, BigInt(signed));
    await check(batch(0, signed === 0 ? 1 : signed), 20n).catch((error: Error) => {
      if (signed > 0) throw error;
    });
    await expect(check(batch(signed, 1), 20n), `budget ${budget}`).rejects.toThrow('capReached');
  }
  expect(crashes).toBeGreaterThan(300);
});

test('a write that failed is no signature, and no further one is given', async () => {
  const disk = createMemoryDisk();
  const check = checkOn(disk, 100n);
  await check(batch(0, 1), 0n);
  disk.syncFailure = { after: 0 };
  await expect(check(batch(1, 1), 0n)).rejects.toThrow();
  disk.syncFailure = undefined;
  await expect(check(batch(1, 1), 0n)).rejects.toThrow('could not be written before');
  await expect(check(batch(2, 1), 0n)).rejects.toThrow('could not be written before');
});

test('a file that is damaged before its last line stops the signer', async () => {
  const disk = createMemoryDisk();
  const check = checkOn(disk, 100n);
  for (let at = 0; at < 3; at += 1) await check(batch(at, 1), 0n);
  const text = disk.bytesOf(path).toString();
  const changed = (from: string, to: string): void =>
    disk.replace(path, Buffer.from(text.replace(from, to)));
  changed(':1', ':0');
  expect(() => checkOn(disk, 100n)).toThrow('line 1: it is damaged');
  for (const cut of [1, 3, 40]) {
    disk.replace(path, Buffer.from(text.slice(0, -cut)));
    expect(createSignedFile(path, disk).load()).toHaveLength(2);
  }
});

test('the file forgets what is older than an hour, and does not grow for ever', () => {
  const disk = createMemoryDisk();
  const store = createSignedFile(path, disk);
  expect(store.load()).toEqual([]);
  const signed = (at: number): SignedPayment[] =>
    Array.from({ length: 300 }, (_, each) => ({
      id: paymentOf(at * 300 + each).id,
      units: 10n ** 18n,
      at: BigInt(at),
    }));
  let largest = 0;
  for (let at = 0; at < 1000; at += 1) {
    store.append(signed(at), () => signed(at));
    largest = Math.max(largest, disk.bytesOf(path).length);
  }
  expect(largest).toBeLessThan(5_000_000);
  store.append(signed(9999), () => signed(9999));
  expect(createSignedFile(path, disk).load()).toHaveLength(300);
});

test('a damaged file stops its signer, and not those beside it', async () => {
  using directory = createTemporaryDirectory();
  const [good, bad] = ['0x01', '0x02'] as const;
  const asked = { action: 'pay', payments: batch(0, 1) } as const;
  const judgeTree = async (): Promise<'unknown'> => 'unknown';
  const checkOf = cappedChecks({
    ...{ replica: { ...replica, judgeTree }, interval: 3600n },
    unitsPerHourMax: 9n,
    directory: directory.path,
  });
  await checkOf(good)(asked, 0n);
  // Two signers of one key do not write one file apart.
  expect(checkOf(good)).toBe(checkOf(good));
  writeFileSync(join(directory.path, bad), `no line\n${readText(join(directory.path, good))}`);
  await expect(checkOf(bad)(asked, 0n)).rejects.toThrow('failed: ');
});

const readText = (path: string): string => readFileSync(path, 'utf8');
