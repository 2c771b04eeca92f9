// The owner's side of a log that another thread writes: entries go to that thread through shared
// slots, and what has become durable comes back through them. How the thread starts and ends is its
// log's own matter.

import type { Log } from '../log.ts';
import {
  awaitSignal,
  type BatchSlots,
  hasFailed,
  putEntry,
  signalCounter,
  takeResults,
} from './batchSlots.ts';
import { acknowledge, admitEntry, isReady, type LogOutlet } from './logOutlet.ts';

export type SlotLog = {
  readonly log: Omit<Log, 'close' | 'whenCurrent'>;
  /** Takes what has become durable until now, and listens no more: the thread has ended. */
  readonly end: () => void;
};

/** Listens to the slots from now on. */
export function createSlotLog(outlet: LogOutlet, slots: BatchSlots): SlotLog {
  let seen = 0;
  let ended = false;
  const collect = (): void => {
    if (hasFailed(slots) || outlet.status === 'failed') return;
    const results = takeResults(slots, seen);
    if (results === undefined) return;
    seen = results.counter;
    const { hash, time, count } = results;
    acknowledge(outlet, { position: outlet.head.position + count, hash, time });
  };
  const listen = (): void => {
    if (ended || outlet.status === 'failed') return;
    const counter = signalCounter(slots);
    collect();
    awaitSignal(slots, counter, listen);
  };
  listen();
  const log: SlotLog['log'] = {
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
  };
  const end = (): void => {
    ended = true;
    collect();
  };
  return { log, end };
}
