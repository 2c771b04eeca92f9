// Steps that come in crowds, a few in each turn of the event loop: new sockets and their messages
// (CON-7). Orders are served between. First come, first served.

import { createQueue, queuePush, queueShift } from '../../std/queue.ts';

/** Runs the step now, or in a later turn when this one has had its share. */
export type PacedSteps = (step: () => void) => void;

export function createPacedSteps(perTurn: number): PacedSteps {
  const waiting = createQueue<() => void>();
  let taken = 0;
  let turning = false;
  const nextTurn = (): void => {
    turning = true;
    setImmediate(() => {
      turning = false;
      taken = 0;
      while (taken < perTurn && waiting.length > 0) run(queueShift(waiting)!);
    });
  };
  const run = (step: () => void): void => {
    taken += 1;
    if (!turning) nextTurn();
    step();
  };
  return (step) => {
    if (taken < perTurn && waiting.length === 0) run(step);
    else queuePush(waiting, step);
  };
}
