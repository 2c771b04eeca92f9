// How a request of the campaigns of kills ended, as far as its client can know.

import assert from 'node:assert/strict';
import { ApiError } from '../../src/client/apiError.ts';

/**
 * `refused`: the exchange judged it and did not execute it. `waits`: the process did not serve it,
 * so it was certainly not executed. `no`: its fate is unknown.
 */
export type Answer = 'yes' | 'refused' | 'waits' | 'no';

const notServed = 429;
/** A request that was passed on, and whose fate its first process does not know. */
const unknownCodes: ReadonlySet<number | string> = new Set([-1001, 'UNKNOWN']);

export async function answered(request: () => Promise<unknown>): Promise<Answer> {
  try {
    await request();
    return 'yes';
  } catch (error) {
    if (!(error instanceof ApiError)) return 'no';
    if (error.status === notServed) return 'waits';
    if (unknownCodes.has(error.code)) return 'no';
    // Its login and its keys were acknowledged.
    assert.notEqual(error.status, 401, error.message);
    // A server that is being killed may still answer that it cannot; any other answer is a fault.
    assert(error.status < 500, error.message);
    return 'refused';
  }
}
