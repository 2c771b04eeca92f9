// The log of a run: the real writer over the run's disk, with steps in place of its thread. A batch
// waits in memory, is written and synced in a step, and is acknowledged in a later one. So a kill
// may come before, between and after.

import {
  acknowledge,
  admitEntry,
  createLogOutlet,
  fail,
  isReady,
} from '../../src/log/file/logOutlet.ts';
import { createLogWriter, type LogWriterOptions } from '../../src/log/file/logWriter.ts';
import type { Log, LogEntry, LogHead } from '../../src/log/log.ts';

export type SteppedLogOptions = LogWriterOptions & {
  /** Runs a step later, unless the program has died meanwhile. */
  readonly later: (milliseconds: number, step: () => void) => void;
  /** The time of the next write and sync. */
  readonly syncMs: () => number;
  /** The time until the trading thread learns of it. */
  readonly tellMs: () => number;
  /** Acknowledges batches that are not written yet: a mistake that the simulation must find. */
  readonly eager: boolean;
};

export type SteppedLog = Log & {
  /**
   * Writes what waits, as the thread does when trading has stopped; the trading thread learns
   * nothing of it.
   */
  readonly finish: () => void;
};

export function createSteppedLog(options: SteppedLogOptions): SteppedLog {
  const writer = createLogWriter(options);
  const outlet = createLogOutlet(options.tail.head);
  const waiting: LogEntry[] = [];
  let busy = false;
  let failed = false;
  const write = (): LogHead | undefined => {
    const entry = waiting.shift();
    if (entry === undefined || failed) return undefined;
    try {
      const head = writer.append(entry);
      writer.prepare();
      return head;
    } catch (error) {
      failed = true;
      options.later(options.tellMs(), () => fail(outlet, error as Error));
      return undefined;
    }
  };
  const work = (): void => {
    busy = true;
    options.later(options.syncMs(), () => {
      busy = false;
      const head = write();
      if (head !== undefined && !options.eager) {
        options.later(options.tellMs(), () => {
          if (head.position > outlet.head.position) acknowledge(outlet, head);
        });
      }
      if (waiting.length > 0 && !failed) work();
    });
  };
  return {
    head: () => outlet.head,
    ready: () => isReady(outlet),
    append: (entry) => {
      const position = admitEntry(outlet, entry);
      waiting.push({ ...entry, commands: Buffer.from(entry.commands) });
      if (options.eager) {
        const head = { position, hash: outlet.head.hash, time: entry.time };
        options.later(0, () => acknowledge(outlet, head));
      }
      if (!busy && !failed) work();
      return position;
    },
    onDurable: (listener) => {
      outlet.durable = listener;
    },
    onFailure: (listener) => {
      outlet.failure = listener;
    },
    close: async () => {
      writer.close();
    },
    finish: () => {
      while (waiting.length > 0 && !failed) write();
    },
  };
}
