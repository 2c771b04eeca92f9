// The greatest value of entries when the oldest ones drop out. It keeps the entries that may still
// become the greatest: each that is greater than all after it. Adding and dropping cost O(1) on
// average.

export type Extremes = {
  /** Rising numbers of entries, from `head` on. */
  readonly numbers: number[];
  /** Their values, falling. */
  readonly values: number[];
  head: number;
};

/** How many dropped entries may be in front before the rest moves to the front. */
const forgottenMax = 1024;

export function createExtremes(): Extremes {
  return { numbers: [], values: [], head: 0 };
}

/** The newest entry has this value, alone or besides its earlier values. */
export function offerEntry(
  { numbers, values, head }: Extremes,
  number: number,
  value: number,
): void {
  while (values.length > head && values[values.length - 1]! <= value) {
    values.pop();
    numbers.pop();
  }
  if (values.length > head && numbers[numbers.length - 1] === number) return;
  numbers.push(number);
  values.push(value);
}

/** Entries below this number are gone. */
export function forgetBefore(extremes: Extremes, number: number): void {
  const { numbers, values } = extremes;
  while (extremes.head < numbers.length && numbers[extremes.head]! < number) extremes.head += 1;
  if (extremes.head <= forgottenMax || 2 * extremes.head < numbers.length) return;
  numbers.splice(0, extremes.head);
  values.splice(0, extremes.head);
  extremes.head = 0;
}

/** The greatest value; there must be an entry. */
export function extremeOf({ values, head }: Extremes): number {
  return values[head]!;
}
