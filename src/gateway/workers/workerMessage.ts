// What the serving thread and a gateway worker say to each other besides requests and answers,
// which go as an ArrayBuffer each way (forwardedRequest.ts, forwardedAnswer.ts); and what a worker
// is started with.

import type { AddressInfo } from 'node:net';
import type { ByteWriter } from '../../std/bytes.ts';
import type { ConnectionBounds } from '../connectionBounds.ts';
import type { ConnectionFigures } from '../connectionClients.ts';
import type { Route } from '../door.ts';
import type { PreparedDocument } from '../preparedDocument.ts';

export type GatewayWorkerData = {
  /** The routes of the rows that are served, in the rows' order. */
  readonly routes: readonly Route[];
  readonly host: string;
  readonly port: number;
  /** Of this worker's connections: its share of all. */
  readonly bounds: Partial<ConnectionBounds>;
  readonly trustedProxies: readonly string[];
  /** Upgrades of one client address in a minute; all of them count as native requests. */
  readonly upgradesMax: number;
  /** Where and by what word sockets are handed on. */
  readonly socketGate: SocketGateKey;
};

/** Where the socket gate is, and the word that opens it. */
export type SocketGateKey = { readonly path: string; readonly word: string };

/** What a socket shows at the gate: word, thread, its number there, and the client's address. */
export const passHeader = 'x-evermark-pass';

export type FromWorkerMessage =
  | ArrayBuffer
  | { readonly kind: 'listening'; readonly address: AddressInfo }
  /** A fault of ours in the worker. */
  | { readonly kind: 'fault'; readonly message: string; readonly operation: string }
  /** What has become of connections since the worker began. */
  | { readonly kind: 'connections'; readonly figures: ConnectionFigures }
  /** Requests of each route that the worker refused itself since it last said so. */
  | { readonly kind: 'refused'; readonly counts: readonly (readonly [number, number])[] };

export type ToWorkerMessage =
  | ArrayBuffer
  /** Answer what is here, for so long at most, then end. */
  | { readonly kind: 'close'; readonly withinMs: number }
  /** Answers will name this document. */
  | { readonly kind: 'document'; readonly document: PreparedDocument }
  /** The serving thread's end of a socket is gone. */
  | { readonly kind: 'socketEnded'; readonly socket: number };

/** What was gathered, in memory of its own that can be handed to another thread; none is left. */
export function takeMessage(gathered: ByteWriter): ArrayBuffer {
  const { buffer, length } = gathered;
  const message = new ArrayBuffer(length);
  new Uint8Array(message).set(buffer.subarray(0, length));
  gathered.length = 0;
  return message;
}
