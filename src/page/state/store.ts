// What the browser keeps for this page between visits. Where it keeps nothing (private windows, a
// full store) the page works, and forgets.

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A store that forgets at the end of the visit; also for tests. */
export function memoryStore(): Store {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      kept.set(key, value);
    },
    removeItem: (key) => {
      kept.delete(key);
    },
  };
}

export function readJson(store: Store, key: string): unknown {
  try {
    const text = store.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Returns whether it is kept. */
export function writeJson(store: Store, key: string, value: unknown): boolean {
  try {
    if (value === undefined) store.removeItem(key);
    else store.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
