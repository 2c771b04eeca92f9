// The value of everything in the exchange, as a client would see it, by the steps of the log: for
// each key a list of texts and the step from which each is valid. This file does not know what a
// text means.

export type Timeline = {
  /** Rising. */
  readonly from: number[];
  readonly values: string[];
};

export type Timelines = Map<string, Timeline>;

/** The value of a key before its first note. */
export const absent = '';

/** Notes the value of the key from step `at` on; steps of one key are noted in order. */
export function noteValue(timelines: Timelines, key: string, at: number, value: string): void {
  let timeline = timelines.get(key);
  if (timeline === undefined) {
    if (value === absent) return;
    timeline = { from: [], values: [] };
    timelines.set(key, timeline);
  }
  const { from, values } = timeline;
  if (values.at(-1) === value) return;
  if (from.at(-1) === at) values[values.length - 1] = value;
  else {
    from.push(at);
    values.push(value);
  }
}

/** The entry that is valid at step `at`; -1 before the first. */
function entryAt({ from }: Timeline, at: number): number {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (from[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function valueAt(timelines: Timelines, key: string, at: number): string {
  const timeline = timelines.get(key);
  if (timeline === undefined) return absent;
  return timeline.values[entryAt(timeline, at)] ?? absent;
}

/** The first step from `at` on at which the key has that value; undefined when there is none. */
export function firstStepWith(
  timelines: Timelines,
  { key, value }: Seen,
  at: number,
): number | undefined {
  const timeline = timelines.get(key);
  if (timeline === undefined) return value === absent ? at : undefined;
  const { from, values } = timeline;
  const entry = entryAt(timeline, at);
  if ((values[entry] ?? absent) === value) return at;
  for (let later = entry + 1; later < values.length; later += 1) {
    if (values[later] === value) return from[later]!;
  }
  return undefined;
}

/** A key and what a client saw of it. */
export type Seen = { readonly key: string; readonly value: string };

/**
 * The first step from `at` on at which all of them are true together; undefined when there is none.
 */
export function firstStepWithAll(
  timelines: Timelines,
  seen: readonly Seen[],
  at: number,
): number | undefined {
  let step = at;
  for (;;) {
    let moved = false;
    for (const each of seen) {
      const next = firstStepWith(timelines, each, step);
      if (next === undefined) return undefined;
      if (next === step) continue;
      step = next;
      moved = true;
    }
    if (!moved) return step;
  }
}
