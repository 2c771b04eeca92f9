// What a run of the exchange gives its clients: a network that loses, doubles, reorders and delays,
// a clock, random numbers, and keys. And what a crowd of clients gives back to be run and checked.
// This file has no implementation.

import type { Exchange } from '../../src/engine/exchange.ts';
import type { LogBatch } from '../../src/log/log.ts';
import type { Prng } from '../../src/std/prng.ts';

/** `path` includes the query; `body` is empty when there is none. `address` is the client's. */
export type Request = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly address: string;
  /** The network never doubles it, so a refusal means that it was not executed. */
  readonly single?: boolean;
};

export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** unknown: lost, timed out, or the process died; it is not known whether it had an effect. */
export type Reply =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'unknown' };

export type SocketListener = {
  readonly onText: (text: string) => void;
  /** Called once; nothing comes after it. */
  readonly onClose: () => void;
};

export type Socket = {
  /** The text is lost when the connection is gone. */
  readonly send: (text: string) => void;
  /** `onClose` is called later. */
  readonly close: () => void;
};

export type Network = {
  /**
   * Sends a request; `onReply` is called exactly once, in a later step. A request may arrive twice,
   * after later ones, or long after its sender got `unknown`.
   */
  readonly send: (request: Request, onReply: (reply: Reply) => void) => void;
  /** A socket to a path such as `/ws`; it closes at once when no program listens. */
  readonly connect: (path: string, address: string, listener: SocketListener) => Socket;
};

export type SimClock = {
  /**
   * Milliseconds since the Unix epoch, by the clients' clock. It leaps forward when the whole
   * world, with the exchange, sleeps; it never goes back.
   */
  readonly now: () => number;
  /** Runs `step` that many milliseconds later, even when the exchange is killed meanwhile. */
  readonly after: (milliseconds: number, step: () => void) => void;
};

export type ClientKey = {
  readonly apiKey: string;
  readonly secret: string;
  /** The number of the key's account, and its address. */
  readonly account: number;
  readonly wallet: string;
  /** The bearer token of its first login, for native routes and the channel `account`. */
  readonly token?: string;
};

/** A market as clients need to know it; a crowd may ask `exchangeInfo` for more. */
export type LifeMarket = {
  readonly symbol: string;
  /** One tick and one lot are `step` in the `decimals`-th digit. */
  readonly tick: { readonly decimals: number; readonly step: number };
  readonly lot: { readonly decimals: number; readonly step: number };
  readonly maxLeverage: number;
  /** The approximate index when the market is listed, in ticks. */
  readonly priceTicks: number;
};

export type ClientWorld = {
  readonly network: Network;
  readonly clock: SimClock;
  readonly prng: Prng;
  /** Funded by the operator before the crowd starts, and repeatedly afterwards. */
  readonly credentials: readonly ClientKey[];
  /** Grows when a market is listed; a market that will be delivered leaves it. */
  readonly markets: readonly LifeMarket[];
  /** A crowd counts its actions here by name; the counts go into the line of JSON. */
  readonly count: (name: string) => void;
};

/** What a crowd may read when the exchange is at rest and everything it applied is durable. */
export type LifeView = {
  /** start: recovered after a kill, before any client is served. end: after the last command. */
  readonly when: 'start' | 'end';
  /** Read-only. */
  readonly exchange: Readonly<Exchange>;
  /** The last durable batch; at `start` no earlier change will be added. */
  readonly position: number;
  /** The exchange's time. */
  readonly time: number;
  /** The batches of the durable log after that position, in order, up to `position`. */
  readonly batchesAfter: (position: number) => Iterable<LogBatch>;
  /** Whether the operator had that command of a batch skipped. */
  readonly isSkipped: (position: number, index: number) => boolean;
  /**
   * How an order of that account ended that the program remembers, by client order id, or by order
   * number as text. undefined: it never existed, or it is open, or it is forgotten.
   */
  readonly endedOrder: (account: number, reference: string) => EndedView | undefined;
};

export type EndedView = {
  readonly status: string;
  readonly executedLots: number;
};

/** What is wrong, as a sentence that names client, request and both sides of the difference. */
export type Violation = string;

export type Crowd = {
  /** Called once, when the first start serves its clients. Its timers then run for ever. */
  readonly start: () => void;
  /**
   * Called at every start of the program and at the end; all replies so far have been delivered.
   */
  readonly check: (view: LifeView) => readonly Violation[];
  /** Stops sending for good; requests under way may still get an answer. Called before the end. */
  readonly stop: () => void;
};

export type CrowdOptions = {
  /** The approximate number of requests of all clients together in a second of virtual time. */
  readonly requestsPerSecond: number;
};
