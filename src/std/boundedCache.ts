// A map with a bound on its entries. At the bound it drops the least recently used entry. Each
// entry must be computable again: this is a cache, never the only place of a fact.

import { assert } from './assert.ts';

export type BoundedCache<Value> = {
  readonly sizeMax: number;
  /** Least recently used first, by the order of insertion that Map keeps. */
  readonly entries: Map<string, Value>;
};

export function createBoundedCache<Value>(sizeMax: number): BoundedCache<Value> {
  assert(Number.isSafeInteger(sizeMax) && sizeMax > 0, 'a cache holds at least one entry');
  return { sizeMax, entries: new Map() };
}

/** The value under `key`, which becomes the most recently used; undefined when absent. */
export function cacheGet<Value>(cache: BoundedCache<Value>, key: string): Value | undefined {
  const value = cache.entries.get(key);
  if (value === undefined) return undefined;
  cache.entries.delete(key);
  cache.entries.set(key, value);
  return value;
}

export function cacheSet<Value>(cache: BoundedCache<Value>, key: string, value: Value): void {
  cache.entries.delete(key);
  cache.entries.set(key, value);
  if (cache.entries.size <= cache.sizeMax) return;
  for (const oldest of cache.entries.keys()) {
    cache.entries.delete(oldest);
    return;
  }
}

export function cacheDelete<Value>(cache: BoundedCache<Value>, key: string): void {
  cache.entries.delete(key);
}
