// A log that a thread of its own recovers and writes, so that neither the owner nor Node's thread
// pool ever waits for the disk.

import type { Worker } from 'node:worker_threads';
import { startThread } from '../../threads.ts';
import { type Log, LogDamaged, type LogHead } from '../log.ts';
import { askToClose, createBatchSlots } from './batchSlots.ts';
import { createSlotLog } from './createSlotLog.ts';
import type { DirectoryLock } from './lockDirectory.ts';
import { createLogOutlet, fail } from './logOutlet.ts';
import type { FromLogWriter, ThreadError, WriterThreadData } from './logWriterThread.ts';

export type ThreadLogOptions = Omit<WriterThreadData, 'shared'>;

/**
 * The log of a directory of the machine's disk, once it is recovered; releases `lock` when it is
 * closed. Rejects with what `recoverLog` throws.
 */
export async function createThreadLog(
  options: ThreadLogOptions,
  lock: DirectoryLock,
): Promise<Log> {
  const slots = createBatchSlots();
  const { directory, segmentBytes } = options;
  const workerData: WriterThreadData = { shared: slots.shared, directory, segmentBytes };
  const worker = startThread('logWriter', workerData);
  const outlet = createLogOutlet(await recoveredHead(worker));
  const { log, end } = createSlotLog(outlet, slots);
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      end();
      if (outlet.status === 'open') fail(outlet, new Error('the log writer has ended'));
      resolve();
    });
  });
  worker.on('message', (message: FromLogWriter) => {
    if (message.kind === 'failed') fail(outlet, logFailure(message.message));
  });
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

/** Rejects when the thread has ended, so that nothing writes there any more. */
function recoveredHead(worker: Worker): Promise<LogHead> {
  return new Promise((resolve, reject) => {
    let failure = new Error('the log writer has ended');
    const receive = (message: FromLogWriter): void => {
      if (message.kind === 'refused') failure = errorOf(message.error);
      if (message.kind !== 'recovered') return;
      worker.off('message', receive).off('error', receiveError).off('exit', receiveExit);
      const { head } = message;
      // Buffers of another thread come as plain byte arrays.
      resolve({ ...head, hash: Buffer.from(head.hash) });
    };
    const receiveError = (error: Error): void => {
      failure = error;
    };
    const receiveExit = (): void => reject(failure);
    worker.on('message', receive).on('error', receiveError).on('exit', receiveExit);
  });
}

function errorOf({ name, message, code }: ThreadError): Error {
  const error = name === 'LogDamaged' ? new LogDamaged(message) : new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}

function logFailure(message: string): Error {
  return new Error(`the log can no longer be written: ${message}`);
}
