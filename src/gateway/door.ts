// What a listener hands its requests to. There are two: createDoor.ts serves them, and
// workers/forwardingDoor.ts hands them to the thread that does.

import type { Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Clock } from '../std/clock.ts';
import type { AddressWeight } from './addressWeight.ts';
import type { Serve } from './arrival.ts';

/** What a listener must know of a row. */
export type Route = Pick<
  Operation,
  'name' | 'method' | 'path' | 'aliases' | 'surface' | 'auth' | 'countsAsOrder'
> & { readonly addressWeight: AddressWeight };

/** Why a listener refuses by itself, in this order wherever it is a number. */
export const listenerReasons = [
  'pathUnknown',
  'requestMalformed',
  'internal',
] as const satisfies readonly Refusal['reason'][];
export type ListenerReason = (typeof listenerReasons)[number];

export type Door = {
  readonly clock: Clock;
  /** Of each route, in their order. */
  readonly serves: readonly Serve[];
  /** Of what no route gets, in the form of the surface that the path belongs to. */
  readonly refuses: Readonly<Record<ListenerReason, Serve>>;
  /** Hears of every exception: a fault of ours. */
  readonly onFault: (error: unknown, operation: string) => void;
};
