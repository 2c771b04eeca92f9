// Makes a client of a deployment with every operation of every surface. A page needs few of them
// and uses createNativeClient.ts.

import { createHmac } from 'node:crypto';
import { fapiOperations } from '../api/fapi/fapiOperations.ts';
import { nativeOperations, operatorOperations, probeOperations } from '../api/operations.ts';
import type { Client } from './client.ts';
import { type CallsOptions, createCalls } from './createCalls.ts';
import type { Sign } from './rowRequest.ts';

export type ClientOptions = CallsOptions & {
  /** The operator's listener; calls of the operator surface go there. */
  readonly operatorUrl?: string;
};

/** Synchronous, so that calls leave in the order in which they were made. */
const sign: Sign = (secret, text) => createHmac('sha256', secret).update(text).digest('hex');

/** Every call rejects with an ApiError unless the answer is a success. */
export function createClient(options: ClientOptions): Client {
  const calls = { sign, ...options };
  const operator = { ...calls, baseUrl: options.operatorUrl ?? options.baseUrl };
  // The types come from the same rows (client.ts), so the cast adds nothing to them.
  return {
    fapi: createCalls(fapiOperations, calls),
    native: createCalls(nativeOperations, calls),
    operator: createCalls(operatorOperations, operator),
    probes: createCalls(probeOperations, calls),
  } as unknown as Client;
}
