// Signals whose values stay in the browser between visits.

import { type Signal, signal } from '@preact/signals';
import { readJson, type Store, writeJson } from './store.ts';

/** A signal whose value outlives the visit. `read` judges what was kept; it may be anything. */
export function keptSignal<T>(store: Store, key: string, read: (kept: unknown) => T): Signal<T> {
  const kept = signal(read(readJson(store, key)));
  kept.subscribe((value) => {
    writeJson(store, key, value);
  });
  return kept;
}
