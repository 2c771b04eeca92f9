// A log whose batches are written inside `append`. Acknowledgements still come afterwards, from
// a microtask, as from the thread.

import type { Log, LogHead } from '../log.ts';
import type { DirectoryLock } from './lockDirectory.ts';
import { acknowledge, admitEntry, createLogOutlet, fail, isReady } from './logOutlet.ts';
import { createLogWriter, type LogWriterOptions } from './logWriter.ts';

/** The log over a recovered directory; gives up `lock` when closed. */
export function createInlineLog(options: LogWriterOptions, lock: DirectoryLock): Log {
  const writer = createLogWriter(options);
  const outlet = createLogOutlet(options.tail.head);
  let written: LogHead | undefined;
  let failed: Error | undefined;
  const report = (): void => {
    const head = written;
    // Before the owner hears of it: it may append from its listener, and then a report is due.
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
