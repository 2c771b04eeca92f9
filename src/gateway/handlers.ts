// The handlers of a listener. There are two sets: those of createHandlers.ts serve requests, and
// those of workers/forwardingHandlers.ts forward them to the serving thread.

import type { Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Clock } from '../std/clock.ts';
import type { AddressWeight } from './addressWeight.ts';
import type { Handler } from './incomingRequest.ts';

/** What a listener must know of a row. */
export type Route = Pick<
  Operation,
  'name' | 'method' | 'path' | 'aliases' | 'surface' | 'auth' | 'countsAsOrder'
> & { readonly addressWeight: AddressWeight };

/** Why a listener refuses by itself. Messages between threads use the numbers of this order. */
export const listenerReasons = [
  'pathUnknown',
  'requestMalformed',
  'internal',
] as const satisfies readonly Refusal['reason'][];
export type ListenerReason = (typeof listenerReasons)[number];

export type Handlers = {
  readonly clock: Clock;
  /** One for each route, in the order of the routes. */
  readonly byRoute: readonly Handler[];
  /** For requests that no route serves. They answer in the form of the path's surface. */
  readonly refusals: Readonly<Record<ListenerReason, Handler>>;
  /** Called with every exception: a fault of ours. */
  readonly onFault: (error: unknown, operation: string) => void;
};
