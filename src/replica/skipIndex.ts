// The skip records for replay: which commands of the log every replica skips, because applying them
// stopped the process.

/** The command at `index` (from 0) of the batch at `position`, or the whole batch: `wholeBatch`. */
export type SkipRecord = { readonly position: number; readonly index: number };

/** In place of an index: all timers and commands of the batch are skipped. */
export const wholeBatch = 2 ** 32 - 1;

export type SkipIndex = ReadonlyMap<number, ReadonlySet<number>>;

export function createSkipIndex(records: readonly SkipRecord[]): SkipIndex {
  const skips = new Map<number, Set<number>>();
  for (const { position, index } of records) {
    const indexes = skips.get(position) ?? new Set();
    skips.set(position, indexes.add(index));
  }
  return skips;
}
