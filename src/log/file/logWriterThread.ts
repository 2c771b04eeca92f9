// The writer's thread: it recovers the log, then takes batches from the shared slots and makes them
// durable. It does nothing else, so a slow sync delays only those who wait for it.

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import { fileDisk } from '../../std/disk.ts';
import { setTimeSlice, shortSlice } from '../../std/timeSlice.ts';
import type { LogHead } from '../log.ts';
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
import { createLogWriter, type LogWriter } from './logWriter.ts';
import { recoverLog } from './recoverLog.ts';

export type WriterThreadData = {
  readonly shared: SharedArrayBuffer;
  readonly directory: string;
  readonly segmentBytes: number;
};

/** An error as it crosses threads: its class and its code do not. */
export type ThreadError = {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
};

export type FromLogWriter =
  | { readonly kind: 'recovered'; readonly head: LogHead }
  /** It could not be recovered, and the thread ends. */
  | { readonly kind: 'refused'; readonly error: ThreadError }
  /** A write or a sync has failed, and the thread ends. */
  | { readonly kind: 'failed'; readonly message: string };

const port = must(parentPort, 'the log writer runs as a thread');
setTimeSlice(shortSlice);
const send = (message: FromLogWriter): void => port.postMessage(message);

function recover({ directory, segmentBytes }: WriterThreadData): LogWriter | undefined {
  try {
    const tail = recoverLog({ disk: fileDisk, directory }, segmentBytes);
    const writer = createLogWriter({ disk: fileDisk, directory, segmentBytes, tail });
    send({ kind: 'recovered', head: tail.head });
    return writer;
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    send({ kind: 'refused', error: { name, message, code } });
    return undefined;
  }
}

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

function main(threadData: WriterThreadData): void {
  const writer = recover(threadData);
  if (writer === undefined) return;
  const slots = createBatchSlots(threadData.shared);
  try {
    writeUntilClosed(slots, writer);
  } catch (error) {
    send({ kind: 'failed', message: (error as Error).message });
    failEntries(slots);
  }
}

// This file is the thread's program: the process starts it and never imports its values.
main(workerData as WriterThreadData);
