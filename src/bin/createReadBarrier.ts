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
  /** Tasks that wait. */
  readonly waiting: () => number;
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

type Run = {
  readonly defer: (step: () => void) => void;
  applied: number;
  questions: number;
  waiting: number;
  groups: Group[];
  askNow: ((number: number) => void) | undefined;
};

/**
 * Of a replica that has applied the log up to a position. `defer` runs a step after the present
 * turn of the event loop.
 */
export function createReadBarrier(
  position: number,
  stopwatch = stopwatchMs,
  defer: (step: () => void) => void = setImmediate,
): ReadBarrier {
  const run: Run = {
    ...{ defer, applied: position, questions: 0, waiting: 0, groups: [], askNow: undefined },
  };
  let lifted = false;
  return {
    whenCurrent: (task, refuse) => {
      if (lifted) return task();
      if (run.waiting >= waitingMax) return refuse('overloaded');
      run.waiting += 1;
      presentGroup(run).tasks.push({ task, refuse, at: stopwatch() });
    },
    onLinked: (asking) => {
      run.askNow = asking;
      for (const group of run.groups) ask(run, group);
    },
    onUnlinked: () => {
      run.askNow = undefined;
      // What was asked and not answered is asked again.
      for (const group of run.groups) {
        if (group.position === unanswered) group.question = undefined;
      }
    },
    onAnswer: (number, durable) => {
      for (const group of run.groups) {
        if (group.question !== undefined && group.question <= number) {
          group.position = Math.min(group.position, durable);
        }
      }
      runCurrent(run);
    },
    onApplied: (last) => {
      run.applied = last;
      runCurrent(run);
    },
    waiting: () => run.waiting,
    tick: () => refuseOld(run, stopwatch() - waitMs),
    lift: () => {
      lifted = true;
      run.waiting = 0;
      for (const { tasks } of run.groups.splice(0)) for (const { task } of tasks) task();
    },
  };
}

function runCurrent(run: Run): void {
  const { groups } = run;
  while (groups[0] !== undefined && groups[0].position <= run.applied) {
    const { tasks } = groups.shift()!;
    run.waiting -= tasks.length;
    for (const { task } of tasks) task();
  }
}

function ask(run: Run, group: Group): void {
  if (run.askNow === undefined || group.question !== undefined) return;
  run.questions += 1;
  group.question = run.questions;
  run.askNow(run.questions);
}

/** The group of this turn, or of several while there is no link. */
function presentGroup(run: Run): Group {
  const last = run.groups.at(-1);
  if (last !== undefined && last.question === undefined) return last;
  const group: Group = { tasks: [], question: undefined, position: unanswered };
  run.groups.push(group);
  run.defer(() => ask(run, group));
  return group;
}

function refuseOld(run: Run, before: number): void {
  for (const { tasks } of run.groups) {
    while (tasks[0] !== undefined && tasks[0].at <= before) {
      run.waiting -= 1;
      tasks.shift()!.refuse('waiting');
    }
    if (tasks.length > 0) return;
  }
}
