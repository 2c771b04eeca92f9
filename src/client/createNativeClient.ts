// Makes a client of native operations for a page, only for the routes that it is given
// (api/native/nativeRoutes.ts). A bundle then contains no other route, and no code that serves
// them.

import type { NativeRoutes } from '../api/native/nativeRoutes.ts';
import type { Client } from './client.ts';
import { type CallsOptions, createCalls } from './createCalls.ts';

/** Every call rejects with an ApiError unless the answer is a success. */
export function createNativeClient<Name extends keyof NativeRoutes>(
  routes: Pick<NativeRoutes, Name>,
  options: CallsOptions,
): Pick<Client['native'], Name> {
  // The types are made from the rows, and the rows have these routes.
  return createCalls(routes, options) as unknown as Pick<Client['native'], Name>;
}
