// Steps that come in crowds, a few in each turn of the event loop: requests of all connections
// (CON-8), new sockets and their messages (CON-7). Clients take turns; the steps of a client keep
// their order.

import { must } from '../../std/assert.ts';
import { createQueue, type Queue, queuePush, queueShift } from '../../std/queue.ts';

/**
 * Does its work and gives how many shares of the turn it took; true is one. false: there was
 * nothing to do any more.
 */
export type Step = () => number | boolean;

/** Runs the step of a client now, or in a later turn when this one has had its share. */
export type PacedSteps = (limitKey: string, step: Step) => void;

export function createPacedSteps(perTurn: number): PacedSteps {
  /** By client, the one whose turn is next first. */
  const waiting = new Map<string, Queue<Step>>();
  let taken = 0;
  let turning = false;
  const nextTurn = (): void => {
    turning = true;
    setImmediate(() => {
      turning = false;
      taken = 0;
      while (taken < perTurn && waiting.size > 0) run(takeNext());
    });
  };
  const takeNext = (): Step => {
    const [first] = waiting;
    const [limitKey, steps] = must(first, 'a client waits');
    const step = must(queueShift(steps), 'a client that waits has a step');
    waiting.delete(limitKey);
    // Behind the other clients.
    if (steps.length > 0) waiting.set(limitKey, steps);
    return step;
  };
  const run = (step: Step): void => {
    if (!turning) nextTurn();
    taken += Number(step());
  };
  return (limitKey, step) => {
    if (taken < perTurn && waiting.size === 0) {
      run(step);
      return;
    }
    const steps = waiting.get(limitKey) ?? createQueue<Step>();
    waiting.set(limitKey, steps);
    queuePush(steps, step);
  };
}
