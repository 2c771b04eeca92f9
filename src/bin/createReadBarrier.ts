// When a process that follows may answer the requests of accounts: when it has applied everything
// that was durable at the holder of the lease after the request came. It asks once for all requests
// of one turn.

import { stopwatchMs } from '../std/clock.ts';

/** Why a task is not run. */
export type ReadRefusal = 'waiting' | 'overloaded';

export type ReadBarrier = {
  /** Runs the task when the replica is current, in the order of the calls; or says why not. */
  readonly whenCurrent: (task: () => void, refuse: (reason: ReadRefusal) => void) => void;
  /** There is a link to the holder; `ask` sends it this question. */
  readonly onLinked: (ask: (number: number) => void) => void;
  readonly onUnlinked: () => void;
  /** The holder answers: this was durable there. */
  readonly onAnswer: (number: number, position: number) => void;
  readonly onApplied: (position: number) => void;
  /** To be called several times a second. */
  readonly tick: () => void;
  /** This process is the holder now: everything runs at once. */
  readonly lift: () => void;
};

type Waiting = {
  readonly task: () => void;
  readonly refuse: (reason: ReadRefusal) => void;
  readonly at: number;
};
/** `question`: the last one that covers them; `position`: its answer. */
type Group = { readonly tasks: Waiting[]; question: number | undefined; position: number };

const waitingMax = 20_000;
/** As long as a command waits. */
const waitMs = 5000;
const unanswered = Number.POSITIVE_INFINITY;

/** Of a replica that has applied the log up to a position. */
export function createReadBarrier(position: number, stopwatch = stopwatchMs): ReadBarrier {
  let applied = position;
  let questions = 0;
  let waiting = 0;
  let groups: Group[] = [];
  let askNow: ((number: number) => void) | undefined;
  let lifted = false;

  const run = (): void => {
    while (groups[0] !== undefined && groups[0].position <= applied) {
      const { tasks } = groups.shift()!;
      waiting -= tasks.length;
      for (const { task } of tasks) task();
    }
  };
  const ask = (group: Group): void => {
    if (askNow === undefined || group.question !== undefined) return;
    questions += 1;
    group.question = questions;
    askNow(questions);
  };
  /** The group of this turn. */
  const present = (): Group => {
    const last = groups.at(-1);
    if (last?.question === undefined && last !== undefined) return last;
    const group: Group = { tasks: [], question: undefined, position: unanswered };
    groups.push(group);
    setImmediate(() => ask(group));
    return group;
  };
  return {
    whenCurrent: (task, refuse) => {
      if (lifted) return task();
      if (waiting >= waitingMax) return refuse('overloaded');
      waiting += 1;
      present().tasks.push({ task, refuse, at: stopwatch() });
    },
    onLinked: (asking) => {
      askNow = asking;
      for (const group of groups) ask(group);
    },
    onUnlinked: () => {
      askNow = undefined;
      // What was asked and not answered is asked again.
      for (const group of groups) if (group.position === unanswered) group.question = undefined;
    },
    onAnswer: (number, durable) => {
      for (const group of groups) {
        if (group.question !== undefined && group.question <= number) {
          group.position = Math.min(group.position, durable);
        }
      }
      run();
    },
    onApplied: (last) => {
      applied = last;
      run();
    },
    tick: () => {
      const before = stopwatch() - waitMs;
      for (const { tasks } of groups) {
        while (tasks[0] !== undefined && tasks[0].at <= before) {
          waiting -= 1;
          tasks.shift()!.refuse('waiting');
        }
        if (tasks.length > 0) return;
      }
    },
    lift: () => {
      lifted = true;
      const rest = groups;
      groups = [];
      for (const { tasks } of rest) for (const { task } of tasks) task();
    },
  };
}
