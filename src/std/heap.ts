// A binary min-heap over an array. The order among equals is the comparison's alone: give it one
// that never ties where determinism matters.

export type Heap<T> = { readonly items: T[]; readonly before: (a: T, b: T) => boolean };

export function createHeap<T>(before: (a: T, b: T) => boolean): Heap<T> {
  return { items: [], before };
}

export function heapPeek<T>(heap: Heap<T>): T | undefined {
  return heap.items[0];
}

export function heapPush<T>(heap: Heap<T>, item: T): void {
  const { items, before } = heap;
  let index = items.length;
  items.push(item);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!before(item, items[parent]!)) break;
    items[index] = items[parent]!;
    index = parent;
  }
  items[index] = item;
}

export function heapPop<T>(heap: Heap<T>): T | undefined {
  const { items, before } = heap;
  const top = items[0];
  const last = items.pop();
  if (items.length === 0 || last === undefined) return top;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= items.length) break;
    if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child += 1;
    if (!before(items[child]!, last)) break;
    items[index] = items[child]!;
    index = child;
  }
  items[index] = last;
  return top;
}
