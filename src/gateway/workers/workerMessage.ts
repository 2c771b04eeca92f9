// The messages between the serving thread and a gateway worker, and the data with which a worker
// starts. Requests and answers go through rings (createRingLink.ts) as bytes (forwardedRequest.ts,
// forwardedAnswer.ts).

import type { AddressInfo } from 'node:net';
import type { MarketGrid } from '../../engine/views/market.ts';
import type { ConnectionBounds } from '../connectionBounds.ts';
import type { ConnectionFigures } from '../connectionClients.ts';
import type { Route } from '../handlers.ts';
import type { RingMemory } from './createRingLink.ts';

export type GatewayWorkerData = {
  /** The routes of the served rows, in the rows' order. */
  readonly routes: readonly Route[];
  readonly host: string;
  readonly port: number;
  /** The bounds of this worker's connections: its share of all. */
  readonly bounds: Partial<ConnectionBounds>;
  readonly trustedProxies: readonly string[];
  /** The markets that are listed now. */
  readonly markets: readonly MarketGrid[];
  /** Upgrades of one client address in a minute; all of them count as native requests. */
  readonly upgradesMax: number;
  /** Where the socket gate is, and the word that it asks for. */
  readonly socketGate: SocketGateKey;
  readonly rings: RingMemory;
};

/** Wakes a thread that sleeps: the rings have something for it. */
export const wakeUp = 0;

/** Where the socket gate is, and the word that opens it. */
export type SocketGateKey = { readonly path: string; readonly word: string };

/** The header of a socket at the gate: word, thread, its number there, and the client's address. */
export const passHeader = 'x-evermark-pass';

export type FromWorkerMessage =
  | typeof wakeUp
  | { readonly kind: 'listening'; readonly address: AddressInfo }
  /** A fault of ours in the worker. */
  | { readonly kind: 'fault'; readonly message: string; readonly operation: string }
  /** The figures of connections since the worker began. */
  | { readonly kind: 'connections'; readonly figures: ConnectionFigures }
  /** Requests of each route that the worker has refused itself since its last report. */
  | { readonly kind: 'refused'; readonly counts: readonly (readonly [number, number])[] };

export type ToWorkerMessage =
  | typeof wakeUp
  /** Answer open requests within this time, then end. */
  | { readonly kind: 'close'; readonly withinMs: number }
  /** The serving thread's end of a socket is closed. */
  | { readonly kind: 'socketEnded'; readonly socket: number };
