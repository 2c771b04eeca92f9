// The invariant of a heap: no item is below a later one.

import type { Heap } from '../../std/heap.ts';
import { type Findings, must } from './findings.ts';

export function checkHeap<T>(
  findings: Findings,
  { items, before }: Heap<T>,
  nameOf: (item: T) => string,
): void {
  items.forEach((item, index) => {
    const parent = items[(index - 1) >> 1];
    const later = parent === undefined || !before(item, parent);
    must(findings, later, () => `${nameOf(item)} stands before one that is earlier`);
  });
}
