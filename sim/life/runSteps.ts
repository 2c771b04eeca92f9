// Runs the steps of a simulation, each when every promise that can continue has continued.

import type { Steps } from './steps.ts';

/**
 * So many turns are planned at once. Between two turns the platform continues promises, and only
 * after all of them it looks for files and sockets, which costs more than a step.
 */
const together = 64;

/** Resolves when there is no step any more, or before the step at which `goesOn` says no. */
export function runSteps(steps: Steps, goesOn: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let planned = 0;
    let ended = false;
    const plan = (): void => {
      for (planned = 0; planned < together; planned += 1) setImmediate(turn);
    };
    const turn = (): void => {
      planned -= 1;
      if (ended) return;
      try {
        ended = !goesOn() || !steps.take();
      } catch (error) {
        ended = true;
        reject(error);
      }
      if (ended) resolve();
      else if (planned === 0) plan();
    };
    plan();
  });
}
