// The greatest value of entries of which the oldest go: the entries that may yet be the greatest,
// that is each that is greater than all after it. Adding and forgetting cost O(1) on average.

export type Extremes = {
  /** Rising numbers of entries, from `head` on. */
  readonly numbers: number[];
  /** Their values, falling. */
  readonly values: number[];
  head: number;
};

/** How much that is forgotten may lie in front before it is moved away. */
const forgottenMax = 1024;

export function createExtremes(): Extremes {
  return { numbers: [], values: [], head: 0 };
}

/** The newest entry has this value, or has it besides what it had. */
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
