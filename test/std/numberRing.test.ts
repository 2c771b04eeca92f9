// Rows in a flat array against an array of rows, and wide sums against bigint.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createNumberRing,
  dropOldest,
  firstFrom,
  type NumberRing,
  pushNumbers,
  rowOf,
} from '../../src/std/numberRing.ts';
import { addWide, subtractWide, wideSumAt } from '../../src/std/wideSum.ts';

const width = 2;

const rowsOf = (ring: NumberRing): number[][] =>
  Array.from({ length: ring.size }, (_, index) => {
    const at = rowOf(ring, index);
    return [...ring.values.subarray(at, at + width)];
  });

test('UNIT-1 a ring of numbers has the last rows after any pushes and drops', () => {
  const steps = fc.array(fc.boolean(), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), steps, (max, pushes) => {
      const ring = createNumberRing(width, max);
      let rows: number[][] = [];
      for (const [index, push] of pushes.entries()) {
        if (push) {
          const at = pushNumbers(ring);
          expect(ring.values[at + 1]).toBe(0);
          ring.values[at] = index;
          ring.values[at + 1] = 1000 + index;
          rows = [...rows, [index, 1000 + index]].slice(-max);
        } else if (rows.length > 0) {
          dropOldest(ring);
          rows = rows.slice(1);
        }
        expect(rowsOf(ring)).toEqual(rows);
        const newest = ring.newest < 0 ? undefined : ring.values[ring.newest];
        expect(newest).toBe(rows.at(-1)?.[0]);
        for (const least of [0, index - 3, index, index + 1]) {
          const found = rows.findIndex(([first]) => first! >= least);
          expect(firstFrom(ring, 0, least)).toBe(found < 0 ? rows.length : found);
        }
      }
    }),
  );
});

test('UNIT-1 wide sums are exact beyond 2^53 and return what was added', () => {
  const amounts = fc.array(fc.maxSafeNat(), { maxLength: 50 });
  fc.assert(
    fc.property(amounts, (taken) => {
      const values = new Float64Array(2);
      let sum = 0n;
      for (const amount of taken) {
        addWide(values, 0, amount);
        sum += BigInt(amount);
        expect(wideSumAt(values, 0)).toBe(sum);
      }
      for (const amount of taken) {
        subtractWide(values, 0, amount);
        sum -= BigInt(amount);
        expect(wideSumAt(values, 0)).toBe(sum);
      }
      expect([...values]).toEqual([0, 0]);
    }),
  );
});
