// The target of HTTP: requests from the operations table, valid, with one defect, and hostile, sent
// to a whole exchange in memory. The answers contain no 5xx except the documented one, no fault,
// nothing undocumented and no secret. A refused request leaves the state hash unchanged.

import { ApiError } from '../src/client/apiError.ts';
import { tidyStage } from '../test/api/badInputStage.ts';
import { createDraw } from './draw.ts';
import { drawHttpCase } from './httpCase.ts';
import { openHttpStage } from './httpStage.ts';
import { sentenceOf, type TargetReport, type TargetRun, tryRounds } from './target.ts';

/** Requests to one exchange; then a new one begins. */
const roundSize = 2000;
/** Requests between two steps of the clock, and between two cleanups. */
const perMoment = 16;
const perClearance = 400;

export function httpTarget(run: TargetRun): Promise<TargetReport> {
  return tryRounds('http', { ...run, roundSize }, async ({ seed, count, begin, add }) => {
    const draw = createDraw(seed);
    const at = await openHttpStage(seed);
    try {
      for (let i = 0; i < count; i += 1) {
        // A request has deleted the key that signs the others.
        if (i % perMoment === 0 && !(await at.pass(2000))) break;
        if (i % perClearance === 0) await tidyStage(at.stage);
        begin();
        const drawn = await drawHttpCase(draw, at).catch(notMade);
        if (drawn === undefined) {
          // An earlier request has limited the key or closed the market.
          await at.pass(2000);
          add('not made');
          continue;
        }
        const { wire, verdict, kind } = drawn;
        at.look();
        const { status } = await at.send(wire, verdict);
        add(`${kind} ${status}`);
      }
      const { operator } = at.world.client({ operatorToken: at.world.operatorToken });
      const { ok, failures } = await operator.getInvariants();
      return ok ? undefined : `the invariants fail: ${failures.join('; ')}`;
    } catch (error) {
      return sentenceOf(error);
    } finally {
      await at.close();
    }
  });
}

/** A request that prepares a valid one was refused; any other error is a fault of the fuzzer. */
function notMade(error: unknown): undefined {
  if (error instanceof ApiError && error.status < 500) return undefined;
  throw error;
}
