// The writer's thread: it takes batches from the shared slots and makes them durable. It does
// nothing else, so a slow sync delays only those who wait for it.

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import { fileDisk } from '../../std/disk.ts';
import {
  awaitWake,
  type BatchSlots,
  completeEntry,
  createBatchSlots,
  failEntries,
  isClosing,
  takeEntry,
  wakeCounter,
} from './batchSlots.ts';
import { createLogWriter, type LogTail, type LogWriter } from './logWriter.ts';

export type WriterThreadData = {
  readonly shared: SharedArrayBuffer;
  readonly directory: string;
  readonly segmentBytes: number;
  readonly tail: LogTail;
};

/** The message that the thread sends when a write or a sync has failed. */
export type WriterThreadFailure = { readonly message: string };

function writeUntilClosed(slots: BatchSlots, writer: LogWriter): void {
  for (;;) {
    const counter = wakeCounter(slots);
    const entry = takeEntry(slots);
    if (entry !== undefined) {
      completeEntry(slots, writer.append(entry).hash);
      writer.prepare();
    } else if (isClosing(slots)) {
      writer.close();
      return;
    } else if (!writer.prepare()) {
      awaitWake(slots, counter);
    }
  }
}

function main(): void {
  const { shared, directory, segmentBytes, tail } = workerData as WriterThreadData;
  const slots = createBatchSlots(shared);
  // A thread receives buffers as plain byte arrays.
  const head = { ...tail.head, hash: Buffer.from(tail.head.hash) };
  try {
    const options = { disk: fileDisk, directory, segmentBytes, tail: { ...tail, head } };
    writeUntilClosed(slots, createLogWriter(options));
  } catch (error) {
    const failure: WriterThreadFailure = { message: (error as Error).message };
    must(parentPort, 'the log writer runs as a thread').postMessage(failure);
    failEntries(slots);
  }
}

// This file is the thread's program: the process starts it and never imports its values.
main();
