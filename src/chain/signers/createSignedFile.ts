// What a signer has signed within the hour, in a file: a line for each batch, synced before the
// signature leaves. The last line may be cut by a crash: its signature never left. Any other line
// that cannot be read stops the signer, because a cap that begins anew is none.

import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Hex } from 'viem';
import { type Disk, type DiskFile, fileDisk } from '../../std/disk.ts';
import { readWholeFile } from '../../std/readWholeFile.ts';
import { hourSeconds, type SignedPayment, type SignedStore } from './checkBatch.ts';

/** The file is written anew, without what is older than an hour, when it has grown to this. */
const bytesMax = 4 * 1024 * 1024;

/** The checksum, the time, and each payment. */
function lineOf(at: bigint, signed: readonly SignedPayment[]): string {
  const text = [at, ...signed.map(({ id, units }) => `${id}:${units}`)].join(' ');
  return `${sumOf(text)} ${text}\n`;
}

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

const linesOf = (signed: Iterable<SignedPayment>): Buffer =>
  Buffer.from(
    [...Map.groupBy(signed, ({ at }) => at)].map(([at, each]) => lineOf(at, each)).join(''),
  );

/** One process at a time has the file. `load` comes before the first `append`. */
export function createSignedFile(path: string, disk: Disk = fileDisk): SignedStore {
  let file: DiskFile | undefined;
  let size = 0;
  let limit = bytesMax;
  /** After a failed write it is not known what the file holds. */
  let isBroken = false;
  const write = (signed: Iterable<SignedPayment>): void => {
    if (file !== undefined) disk.closeFile(file);
    const bytes = linesOf(signed);
    const next = disk.openFile(`${path}.new`, 'create');
    disk.writeAt(next, bytes, 0);
    disk.syncData(next);
    disk.rename(`${path}.new`, path);
    disk.syncDirectory(dirname(path));
    file = next;
    size = bytes.length;
    limit = Math.max(bytesMax, 2 * size);
  };
  const add = (signed: readonly SignedPayment[], live: () => Iterable<SignedPayment>): void => {
    if (size > limit) return write(live());
    const bytes = linesOf(signed);
    disk.writeAt(file!, bytes, size);
    disk.syncData(file!);
    size += bytes.length;
  };
  return {
    load: () => {
      const found = disk.exists(path)
        ? parse(path, readWholeFile(disk, path).toString('latin1'))
        : [];
      const last = found.reduce((time, { at }) => (at > time ? at : time), 0n);
      const kept = found.filter(({ at }) => at + hourSeconds > last);
      write(kept);
      return kept;
    },
    append: (signed, live) => {
      if (isBroken) throw new Error(`${path} could not be written before: start the signer again`);
      isBroken = true;
      add(signed, live);
      isBroken = false;
    },
  };
}

function parse(path: string, text: string): SignedPayment[] {
  // What follows the last line break was cut.
  const lines = text.split('\n').slice(0, -1).map(readLine);
  const cut = lines.indexOf(undefined);
  const good = cut < 0 ? lines : lines.slice(0, cut);
  if (lines.slice(good.length).some((line) => line !== undefined)) {
    throw new Error(`${path}, line ${cut + 1}: it is damaged, and without it the cap is unknown`);
  }
  return good.flatMap((line) => line!);
}

/** Undefined for what no whole write has left. */
function readLine(line: string): SignedPayment[] | undefined {
  if (line.slice(0, 8) !== sumOf(line.slice(9))) return undefined;
  const [time, ...payments] = line.slice(9).split(' ');
  return payments.map((each) => {
    const [id, units] = each.split(':');
    return { id: id as Hex, units: BigInt(units!), at: BigInt(time!) };
  });
}
