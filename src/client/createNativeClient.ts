// Makes a client of native operations for a page: of those alone whose routes it is given
// (api/native/nativeRoutes.ts). A bundle then holds no other, and nothing of how they are served.

import type { NativeRoutes } from '../api/native/nativeRoutes.ts';
import type { Client } from './client.ts';
import { type CallsOptions, createCalls } from './createCalls.ts';

/** Every call rejects with an ApiError unless the answer is a success. */
export function createNativeClient<Name extends keyof NativeRoutes>(
  routes: Pick<NativeRoutes, Name>,
  options: CallsOptions,
): Pick<Client['native'], Name> {
  // The rows, of which the types are made, have these routes.
  return createCalls(routes, options) as unknown as Pick<Client['native'], Name>;
}
