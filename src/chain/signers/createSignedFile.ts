// What a signer has signed within the hour, in a file: a line for each payment, synced before the
// signature leaves. A line that a crash has cut belongs to a signature that never left. Any other
// line that cannot be read stops the signer, because a cap that begins anew is none.

import { dirname } from 'node:path';
import type { Hex } from 'viem';
import { type Disk, type DiskFile, fileDisk } from '../../std/disk.ts';
import { hourSeconds, type SignedPayment, type SignedStore } from './checkBatch.ts';

/** The file is written anew, without what is older than an hour, when it has grown to this. */
const bytesMax = 4 * 1024 * 1024;

const lineOf = ({ id, units, at }: SignedPayment): string => `${id} ${units} ${at}\n`;
const line = /^(0x[0-9a-f]{1,64}) (\d{1,20}) (\d{1,20})$/;

/** One process at a time has the file. `load` comes before the first `append`. */
export function createSignedFile(path: string, disk: Disk = fileDisk): SignedStore {
  let file: DiskFile | undefined;
  let size = 0;
  let limit = bytesMax;
  /** After a failed write nobody knows what the file holds. */
  let isBroken = false;
  const write = (signed: Iterable<SignedPayment>): void => {
    if (file !== undefined) disk.closeFile(file);
    const bytes = Buffer.from([...signed].map(lineOf).join(''));
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
    const bytes = Buffer.from(signed.map(lineOf).join(''));
    disk.writeAt(file!, bytes, size);
    disk.syncData(file!);
    size += bytes.length;
  };
  return {
    load: () => {
      const found = disk.exists(path) ? parse(path, readText(path, disk)) : [];
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

function readText(path: string, disk: Disk): string {
  const file = disk.openFile(path, 'read');
  try {
    const bytes = Buffer.alloc(disk.sizeOf(file));
    return bytes.toString('latin1', 0, disk.readAt(file, bytes, 0));
  } finally {
    disk.closeFile(file);
  }
}

function parse(path: string, text: string): SignedPayment[] {
  // What follows the last line break was cut by a crash.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.slice(0, -1).map((each, at) => {
    const [, id, units, time] = line.exec(each) ?? [];
    if (id === undefined) throw new Error(`${path}, line ${at + 1}: no payment that was signed`);
    return { id: id as Hex, units: BigInt(units!), at: BigInt(time!) };
  });
}
