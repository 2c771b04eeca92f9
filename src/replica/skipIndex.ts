// The skip records as replay asks for them: which commands of the log every replica passes over,
// because applying them stopped the process.

/** The command at `index` (from 0) of the batch at `position`. */
export type SkipRecord = { readonly position: number; readonly index: number };

export type SkipIndex = ReadonlyMap<number, ReadonlySet<number>>;

export function createSkipIndex(records: readonly SkipRecord[]): SkipIndex {
  const skips = new Map<number, Set<number>>();
  for (const { position, index } of records) {
    const indexes = skips.get(position) ?? new Set();
    skips.set(position, indexes.add(index));
  }
  return skips;
}
