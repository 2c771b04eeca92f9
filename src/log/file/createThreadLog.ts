// A log whose batches are written by a thread of its own, so that neither the owner nor Node's
// thread pool ever waits for a sync.

import { startThread } from '../../threads.ts';
import type { Log } from '../log.ts';
import {
  askToClose,
  awaitSignal,
  createBatchSlots,
  hasFailed,
  putEntry,
  signalCounter,
  takeResults,
} from './batchSlots.ts';
import type { DirectoryLock } from './lockDirectory.ts';
import { acknowledge, admitEntry, createLogOutlet, fail, isReady } from './logOutlet.ts';
import type { LogWriterOptions } from './logWriter.ts';
import type { WriterThreadData, WriterThreadFailure } from './logWriterThread.ts';

/** The log over a recovered directory of the machine's disk; releases `lock` when it is closed. */
export function createThreadLog(options: LogWriterOptions, lock: DirectoryLock): Log {
  const { directory, segmentBytes, tail } = options;
  const outlet = createLogOutlet(tail.head);
  const slots = createBatchSlots();
  const workerData: WriterThreadData = { shared: slots.shared, directory, segmentBytes, tail };
  const worker = startThread('logWriter', workerData);
  let seen = 0;
  let ended = false;
  const collect = (): void => {
    if (hasFailed(slots) || outlet.status === 'failed') return;
    const results = takeResults(slots, seen);
    if (results === undefined) return;
    seen = results.counter;
    const { hash, time } = results;
    acknowledge(outlet, { position: outlet.head.position + results.count, hash, time });
  };
  const listen = (): void => {
    if (ended || outlet.status === 'failed') return;
    const counter = signalCounter(slots);
    collect();
    awaitSignal(slots, counter, listen);
  };
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      ended = true;
      collect();
      if (outlet.status === 'open') fail(outlet, new Error('the log writer has ended'));
      resolve();
    });
  });
  worker.on('message', ({ message }: WriterThreadFailure) => fail(outlet, logFailure(message)));
  worker.on('error', (error) => fail(outlet, logFailure(String(error))));
  listen();
  return {
    head: () => outlet.head,
    ready: () => isReady(outlet),
    append: (entry) => {
      const position = admitEntry(outlet, entry);
      putEntry(slots, entry);
      return position;
    },
    onDurable: (listener) => {
      outlet.durable = listener;
    },
    onFailure: (listener) => {
      outlet.failure = listener;
    },
    close: async () => {
      if (outlet.status === 'open') outlet.status = 'closing';
      askToClose(slots);
      await exited;
      lock.release();
    },
  };
}

function logFailure(message: string): Error {
  return new Error(`the log can no longer be written: ${message}`);
}
