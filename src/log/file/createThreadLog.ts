// A log whose batches are written by a thread of its own, so that neither the owner nor Node's
// thread pool ever waits for a sync.

import { startThread } from '../../threads.ts';
import type { Log } from '../log.ts';
import { askToClose, createBatchSlots } from './batchSlots.ts';
import { createSlotLog } from './createSlotLog.ts';
import type { DirectoryLock } from './lockDirectory.ts';
import { createLogOutlet, fail } from './logOutlet.ts';
import type { LogWriterOptions } from './logWriter.ts';
import type { WriterThreadData, WriterThreadFailure } from './logWriterThread.ts';

/** The log over a recovered directory of the machine's disk; releases `lock` when it is closed. */
export function createThreadLog(options: LogWriterOptions, lock: DirectoryLock): Log {
  const { directory, segmentBytes, tail } = options;
  const outlet = createLogOutlet(tail.head);
  const slots = createBatchSlots();
  const workerData: WriterThreadData = { shared: slots.shared, directory, segmentBytes, tail };
  const worker = startThread('logWriter', workerData);
  const { log, end } = createSlotLog(outlet, slots);
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      end();
      if (outlet.status === 'open') fail(outlet, new Error('the log writer has ended'));
      resolve();
    });
  });
  worker.on('message', ({ message }: WriterThreadFailure) => fail(outlet, logFailure(message)));
  worker.on('error', (error) => fail(outlet, logFailure(String(error))));
  return {
    ...log,
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
