// What this process runs short of, so that orders are refused: disk or memory.

import v8 from 'node:v8';
import type { Config } from '../config.ts';
import type { Shortage } from '../replica/replica.ts';
import { fileDisk } from '../std/disk.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { Journal } from './journal.ts';

/** Above this share of V8's heap orders are refused. */
const heapShareMax = 0.8;
const megabyte = 1024 * 1024;

/** The resources that are short; logs each change. */
export function createShortage(
  directory: DataDirectory,
  { freeDiskMin }: Config,
  journal: Journal,
): () => Shortage | undefined {
  let shortage: Shortage | undefined;
  return () => {
    const found = findShortage(directory, freeDiskMin);
    if (found !== shortage) {
      if (found !== undefined) journal.error(`orders are refused: ${shortageTexts[found]}`);
      else journal.info('orders are taken again');
      shortage = found;
    }
    return shortage;
  };
}

const shortageTexts: Readonly<Record<Shortage, string>> = {
  memoryShort: 'memory is short',
  diskFull: 'the disk has too little room',
};

function findShortage({ log }: DataDirectory, freeDiskMin: number): Shortage | undefined {
  const heap = v8.getHeapStatistics();
  if (heap.used_heap_size > heapShareMax * heap.heap_size_limit) return 'memoryShort';
  return fileDisk.freeBytes(log) < freeDiskMin * megabyte ? 'diskFull' : undefined;
}
