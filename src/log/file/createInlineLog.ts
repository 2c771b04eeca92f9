// A log that writes its batches inside `append`. It still acknowledges them later, in a microtask,
// as the log with a thread does.

import type { Log, LogHead } from '../log.ts';
import type { DirectoryLock } from './lockDirectory.ts';
import { acknowledge, admitEntry, createLogOutlet, fail, isReady } from './logOutlet.ts';
import { createLogWriter, type LogWriterOptions } from './logWriter.ts';

/** The log over a recovered directory; releases `lock` when it is closed. */
export function createInlineLog(options: LogWriterOptions, lock: DirectoryLock): Log {
  const writer = createLogWriter(options);
  const outlet = createLogOutlet(options.tail.head);
  let written: LogHead | undefined;
  let failed: Error | undefined;
  const report = (): void => {
    const head = written;
    // Cleared before the call of the owner: its listener may append, and then another report is
    // due.
    written = undefined;
    if (failed !== undefined) fail(outlet, failed);
    else if (head !== undefined) acknowledge(outlet, head);
  };
  return {
    head: () => outlet.head,
    ready: () => isReady(outlet),
    append: (entry) => {
      const position = admitEntry(outlet, entry);
      if (failed !== undefined) return position;
      // A report that is due covers this batch too.
      if (written === undefined) queueMicrotask(report);
      try {
        written = writer.append(entry);
        writer.prepare();
      } catch (error) {
        failed = error as Error;
      }
      return position;
    },
    onDurable: (listener) => {
      outlet.durable = listener;
    },
    onFailure: (listener) => {
      outlet.failure = listener;
    },
    close: async () => {
      report();
      if (outlet.status === 'open') outlet.status = 'closing';
      writer.close();
      lock.release();
    },
  };
}
