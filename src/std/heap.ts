// A binary min-heap over an array. The order among equals is the comparison's alone: give it one
// that never ties where determinism matters. A heap that is told where its items go can give any of
// them back: each item then remembers its place.

export type Heap<T> = {
  readonly items: T[];
  readonly before: (a: T, b: T) => boolean;
  /** Hears of every item that has come to another place in `items`; −1: it has left. */
  readonly place: (item: T, index: number) => void;
};

export function createHeap<T>(
  before: (a: T, b: T) => boolean,
  place: (item: T, index: number) => void = () => {},
): Heap<T> {
  return { items: [], before, place };
}

export function heapPeek<T>(heap: Heap<T>): T | undefined {
  return heap.items[0];
}

export function heapPush<T>(heap: Heap<T>, item: T): void {
  heap.items.push(item);
  rise(heap, item, heap.items.length - 1);
}

export function heapPop<T>(heap: Heap<T>): T | undefined {
  return heap.items.length === 0 ? undefined : heapRemove(heap, 0);
}

/** Takes out the item at a place in `items`. Cost: log n. */
export function heapRemove<T>(heap: Heap<T>, index: number): T | undefined {
  const { items, before, place } = heap;
  const removed = items[index];
  const last = items.pop();
  if (removed === undefined || last === undefined) return undefined;
  if (index < items.length) {
    const parent = items[(index - 1) >> 1];
    if (index > 0 && before(last, parent!)) rise(heap, last, index);
    else sink(heap, last, index);
  }
  place(removed, -1);
  return removed;
}

/** Puts the item at the place from which it belongs here or nearer to the top. */
function rise<T>({ items, before, place }: Heap<T>, item: T, from: number): void {
  let index = from;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = items[parent]!;
    if (!before(item, above)) break;
    items[index] = above;
    place(above, index);
    index = parent;
  }
  items[index] = item;
  place(item, index);
}

/** Puts the item at the place from which it belongs here or further from the top. */
function sink<T>({ items, before, place }: Heap<T>, item: T, from: number): void {
  let index = from;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= items.length) break;
    if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child += 1;
    const below = items[child]!;
    if (!before(below, item)) break;
    items[index] = below;
    place(below, index);
    index = child;
  }
  items[index] = item;
  place(item, index);
}
