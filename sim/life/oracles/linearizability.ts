// Linearizability of what all clients saw, against the order of the log. Goal: there is one step of
// the log for every answer at which everything in it was so, and no answer is of an earlier step
// than another that had come before its request was sent. Method: answers are taken in the order in
// which they came; each gets the first step that fits, from the latest step on that any answer had
// before the request left. The first step that fits leaves the most room for those after it, so
// when none fits there is no other way either.
//
// A request without an answer is in no answer's way: what it did or not is what later answers say.

import { firstStepWithAll, type Seen, type Timelines, valueAt } from './timelines.ts';

/** A step that bounds what comes after it from below. */
export type Floor = { step: number };

export type Observation = {
  /** Who saw it by what, for the sentence of a violation. */
  readonly what: string;
  /** All of one moment. */
  readonly seen: readonly Seen[];
  /** Of an answer the floor of its request; of a stream's messages one that they share. */
  readonly floor: Floor;
  /** Messages of a stream are in order among themselves, and may come late. */
  readonly inOrder: boolean;
};

export type Happening =
  | { readonly kind: 'asked'; readonly floor: Floor }
  | { readonly kind: 'seen'; readonly observation: Observation };

export type History = {
  /** Not yet taken in, in the order in which they happened. */
  happenings: Happening[];
  /** The latest step of an answer. */
  floor: number;
};

export function createHistory(): History {
  return { happenings: [], floor: 0 };
}

/**
 * Takes in what has happened since the last time; the timelines reach to step `end`, behind which
 * nothing of it can lie. Gives what is wrong.
 */
export function checkHistory(history: History, timelines: Timelines, end: number): string[] {
  const wrong: string[] = [];
  for (const happening of history.happenings) {
    if (happening.kind === 'asked') {
      happening.floor.step = history.floor;
      continue;
    }
    const { observation } = happening;
    const { floor, seen, inOrder } = observation;
    const step = firstStepWithAll(timelines, seen, floor.step);
    if (step === undefined || step > end) {
      wrong.push(toldWrong(observation, timelines, end));
      continue;
    }
    if (inOrder) floor.step = step;
    history.floor = Math.max(history.floor, step);
  }
  history.happenings = [];
  // Whatever is asked from now on comes to a state that has all of this.
  history.floor = Math.max(history.floor, end);
  return wrong;
}

function toldWrong(
  { what, seen, floor: { step: from } }: Observation,
  timelines: Timelines,
  end: number,
): string {
  const parts = seen.map(({ key, value }) => {
    const steps = timelines.get(key);
    const around = steps === undefined ? 'never there' : shownFrom(timelines, key, from);
    return `${key} as "${value}", which is ${around}`;
  });
  return `${what} saw ${parts.join(' and ')}: at no step from ${from} to ${end} all of it`;
}

function shownFrom(timelines: Timelines, key: string, at: number): string {
  const { from, values } = timelines.get(key)!;
  const later = from
    .map((step, index) => ({ step, value: values[index]! }))
    .filter(({ step }) => step > at)
    .slice(0, 4);
  const before = `"${valueAt(timelines, key, at)}" at ${at}`;
  return [before, ...later.map(({ step, value }) => `"${value}" from ${step}`)].join(', ');
}
