// The pauses that the collection of garbage makes in the thread that asks.

import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** Both in milliseconds; `at` by `performance.now`. */
export type Pause = { readonly at: number; readonly ms: number; readonly isMajor: boolean };

export type PauseWatch = {
  /** All pauses since the last call. */
  readonly take: () => Promise<Pause[]>;
};

/** Watches until the thread ends. */
export function watchPauses(): PauseWatch {
  let pauses: Pause[] = [];
  const gather = (entries: readonly PerformanceEntry[]): void => {
    for (const entry of entries) {
      const { startTime: at, duration: ms } = entry;
      // The types do not know the details of an entry.
      const { kind } = (entry as PerformanceEntry & { detail: NodeGCPerformanceDetail }).detail;
      pauses.push({ at, ms, isMajor: kind !== constants.NODE_PERFORMANCE_GC_MINOR });
    }
  };
  const observer = new PerformanceObserver((list) => gather(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const take = async (): Promise<Pause[]> => {
    // The runtime reports a pause in a later turn of the event loop.
    await setImmediate();
    gather(observer.takeRecords());
    const taken = pauses;
    pauses = [];
    return taken;
  };
  return { take };
}
