// What every log reports to its owner, in any thread: the head, durable batches and
// failure, each of these two to one listener. It also holds the checks of `append`.

import { assert } from '../../std/assert.ts';
import { batchBytesMax, batchesInFlightMax, type LogEntry, type LogHead } from '../log.ts';

export type LogOutlet = {
  /** The last batch known to be durable. */
  head: LogHead;
  /** The last batch appended. */
  position: number;
  time: number;
  status: 'open' | 'closing' | 'failed';
  durable: (head: LogHead) => void;
  failure: (error: Error) => void;
};

export function createLogOutlet(head: LogHead): LogOutlet {
  return {
    head,
    position: head.position,
    time: head.time,
    status: 'open',
    durable: () => {},
    // Without a listener the process must stop too.
    failure: (error) => {
      throw error;
    },
  };
}

export function isReady(outlet: LogOutlet): boolean {
  const inFlight = outlet.position - outlet.head.position;
  return outlet.status === 'open' && inFlight < batchesInFlightMax;
}

/** Checks the entry and gives its position. */
export function admitEntry(outlet: LogOutlet, entry: LogEntry): number {
  assert(isReady(outlet), 'a batch is appended only when the log is ready');
  assert(entry.commands.length <= batchBytesMax, 'a batch holds at most batchBytesMax bytes');
  assert(Number.isSafeInteger(entry.time) && entry.time >= outlet.time, 'time runs forward');
  assert(Number.isInteger(entry.count) && entry.count >= 0, 'a batch has a count of commands');
  outlet.position += 1;
  outlet.time = entry.time;
  return outlet.position;
}

/** Reports to the owner that everything up to `head` is durable. */
export function acknowledge(outlet: LogOutlet, head: LogHead): void {
  assert(outlet.status !== 'failed', 'nothing is acknowledged after a failure');
  assert(head.position > outlet.head.position, 'the head moves forward');
  assert(head.position <= outlet.position, 'only what was appended becomes durable');
  outlet.head = head;
  outlet.durable(head);
}

/** Reports to the owner that the log has failed, but only the first time. */
export function fail(outlet: LogOutlet, error: Error): void {
  if (outlet.status === 'failed') return;
  outlet.status = 'failed';
  outlet.failure(error);
}
