// Steps that come in crowds, a few in each turn of the event loop: requests of all connections
// (CON-8), new sockets and their messages (CON-7). Clients take turns; the steps of a client keep
// their order.

import { must } from '../../std/assert.ts';
import { stopwatchMs } from '../../std/clock.ts';
import { createQueue, type Queue, queuePush, queueShift } from '../../std/queue.ts';

/**
 * Does its work and gives how many shares of the turn it took; true is one. false: there was
 * nothing to do any more. `room`: how many are left.
 */
export type Step = (room: number) => number | boolean;

/** Runs the step of a client now, or in a later turn when this one has had its share. */
export type PacedSteps = (limitKey: string, step: Step) => void;

/** Whether a turn may begin now; if not, `later` runs a step that asks again. */
export type TurnGate = {
  readonly isOpen: () => boolean;
  readonly later: (ask: () => void) => void;
};

const openGate: TurnGate = { isOpen: () => true, later: setImmediate };

/** A turn that takes longer has fewer shares the next time. */
const turnMs = 2;

/** Shares of the first turn: its code may be cold. */
const firstShares = 8;

/**
 * A turn has at most `perTurn` shares, and at most twice as many as the one before it took, but
 * `firstShares` in any case: a volley after a pause does not run a whole turn of cold code. It has
 * fewer after one that took too long, by `now` in milliseconds, with what the steps have caused:
 * answers are made and written behind them. After a short turn it has twice as many again. While
 * `gate` is closed, all steps wait.
 */
export function createPacedSteps(
  perTurn: number,
  now: () => number = stopwatchMs,
  gate = openGate,
): PacedSteps {
  /** By client, the one whose turn is next first. */
  const waiting = new Map<string, Queue<Step>>();
  let shares = Math.min(perTurn, firstShares);
  let taken = 0;
  let turning = false;
  const nextTurn = (): void => {
    turning = true;
    const begun = now();
    setImmediate(() => {
      const tookMs = now() - begun;
      const wanted =
        tookMs > turnMs
          ? Math.floor((shares * turnMs) / tookMs)
          : Math.min(shares * 2, Math.max(taken * 2, firstShares));
      shares = Math.max(1, Math.min(wanted, perTurn));
      taken = 0;
      beginTurn();
    });
  };
  const beginTurn = (): void => {
    if (waiting.size > 0 && !gate.isOpen()) {
      gate.later(beginTurn);
      return;
    }
    turning = false;
    while (taken < shares && waiting.size > 0) run(takeNext());
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
    taken += Number(step(shares - taken));
  };
  return (limitKey, step) => {
    if (taken < shares && waiting.size === 0 && gate.isOpen()) {
      run(step);
      return;
    }
    if (!turning) nextTurn();
    const steps = waiting.get(limitKey) ?? createQueue<Step>();
    waiting.set(limitKey, steps);
    queuePush(steps, step);
  };
}
