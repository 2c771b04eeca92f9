// Linearizability of what all clients saw, compared with the order of the log. Goal: for every
// answer there is one step of the log at which everything in it was true, and no answer belongs to
// an earlier step than another that had come before its request was sent. Method: answers are taken
// in the order in which they came. Each gets the first step that fits, not before the latest step
// of any answer that had come before the request was sent. The first step that fits leaves the most
// room for later answers. So when none fits, no other choice fits either.
//
// A request without an answer restricts no other answer: later answers show whether it had an
// effect.

import { firstStepWithAll, type Seen, type Timelines, valueAt } from './timelines.ts';

/** A step; what comes after it is not earlier. */
export type Floor = { step: number };

export type Observation = {
  /** The client and its request, for the sentence of a violation. */
  readonly what: string;
  /** All of one moment. */
  readonly seen: readonly Seen[];
  /** For an answer the floor of its request; for a stream's messages one that they share. */
  readonly floor: Floor;
  /** Messages of a stream are in order among themselves, and may come late. */
  readonly inOrder: boolean;
};

export type Happening =
  | { readonly kind: 'asked'; readonly floor: Floor }
  | { readonly kind: 'seen'; readonly observation: Observation };

export type History = {
  /** Not checked yet, in the order in which they happened. */
  happenings: Happening[];
  /** The latest step of an answer. */
  floor: number;
};

export function createHistory(): History {
  return { happenings: [], floor: 0 };
}

/**
 * Checks what has happened since the last call. The timelines reach to step `end`, and nothing of
 * it can lie after that step. Gives what is wrong.
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
      wrong.push(reportedWrong(observation, timelines, end));
      continue;
    }
    if (inOrder) floor.step = step;
    history.floor = Math.max(history.floor, step);
  }
  history.happenings = [];
  // Every later request meets a state that includes all of this.
  history.floor = Math.max(history.floor, end);
  return wrong;
}

function reportedWrong(
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
