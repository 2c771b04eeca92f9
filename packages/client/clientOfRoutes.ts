// A client of all operations that an API key or a login may call, with what its platform has.

/// <reference path="./routes.d.ts" />
import { fapiRoutes, nativeRoutes } from 'evermark:routes';
import { type CallsOptions, createCalls } from '../../src/client/createCalls.ts';

export type OpenClient = Readonly<Record<'fapi' | 'native', ReturnType<typeof createCalls>>>;

/** Every call rejects with an ApiError unless the answer is a success. */
export function clientOfRoutes(options: CallsOptions): OpenClient {
  return {
    fapi: createCalls(fapiRoutes, options),
    native: createCalls(nativeRoutes, options),
  };
}
