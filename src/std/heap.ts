// A binary min-heap over an array. The comparison alone decides the order of equal items: where
// determinism matters, use one without ties. A heap with `place` reports where its items go, so
// that it can also remove any item: each item then remembers its place.

export type Heap<T> = {
  readonly items: T[];
  readonly before: (a: T, b: T) => boolean;
  /** Receives every item that has moved to another place in `items`; −1: the item has left. */
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

/** Removes the item at a place in `items`. Cost: log n. */
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

/** Puts the item at `from`, or nearer to the top where it belongs. */
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

/** Puts the item at `from`, or further from the top where it belongs. */
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
