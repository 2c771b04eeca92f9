// What a life of the exchange lends its clients: a network that loses, doubles, reorders and delays,
// a clock, chance, and keys; and what a crowd of clients gives back to be run and checked. Nothing in
// here is implemented.

import type { Exchange } from '../../src/engine/exchange.ts';
import type { LogBatch } from '../../src/log/log.ts';
import type { Prng } from '../../src/std/prng.ts';

/** `path` carries the query; `body` is empty where there is none. `address` is the client's. */
export type Request = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly address: string;
  /** Never doubled by the network, so that a refusal says that it was not executed. */
  readonly single?: boolean;
};

export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** unknown: lost, timed out, or the process died; whether it had an effect is not known. */
export type Reply =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'unknown' };

export type SocketListener = {
  readonly onText: (text: string) => void;
  /** Once; nothing comes after it. */
  readonly onClose: () => void;
};

export type Socket = {
  /** Vanishes when the connection is gone. */
  readonly send: (text: string) => void;
  /** The listener hears `onClose` later. */
  readonly close: () => void;
};

export type Network = {
  /**
   * Carries a request; `onReply` is called exactly once, in a later step. A request may arrive twice,
   * after later ones, or long after its sender was told `unknown`.
   */
  readonly send: (request: Request, onReply: (reply: Reply) => void) => void;
  /** A socket to a path such as `/ws`; it closes at once when nobody listens there. */
  readonly connect: (path: string, address: string, listener: SocketListener) => Socket;
};

export type SimClock = {
  /**
   * Milliseconds since the Unix epoch, by the clients' clock. It leaps forward when the whole world,
   * the exchange included, sleeps; it never goes back.
   */
  readonly now: () => number;
  /** Runs `step` that many milliseconds later; kills of the exchange do not touch it. */
  readonly after: (milliseconds: number, step: () => void) => void;
};

export type ClientKey = {
  readonly apiKey: string;
  readonly secret: string;
  /** The number of the account that the key opens. */
  readonly account: number;
  /** A bearer token of the same account, for native routes and the channel `account`. */
  readonly token?: string;
};

/** A market as clients need to know it; a crowd may ask `exchangeInfo` for more. */
export type LifeMarket = {
  readonly symbol: string;
  /** One tick and one lot are `step` in the `decimals`-th digit. */
  readonly tick: { readonly decimals: number; readonly step: number };
  readonly lot: { readonly decimals: number; readonly step: number };
  readonly maxLeverage: number;
  /** What the index is about, in ticks, when the market is listed. */
  readonly priceTicks: number;
};

export type ClientWorld = {
  readonly network: Network;
  readonly clock: SimClock;
  readonly prng: Prng;
  /** Funded by the operator before the crowd starts, and repeatedly afterwards. */
  readonly credentials: readonly ClientKey[];
  /** Grows when a market is listed; one that is to be delivered leaves it. */
  readonly markets: readonly LifeMarket[];
  /** A crowd counts here what it did, by name; the counts come into the line of JSON. */
  readonly count: (name: string) => void;
};

/** What a crowd may look at when the exchange is at rest and all that it applied is durable. */
export type LifeView = {
  /** start: recovered after a kill, before any client is served. end: after the last command. */
  readonly when: 'start' | 'end';
  /** Never to be changed. */
  readonly exchange: Readonly<Exchange>;
  /** The last durable batch; at `start` all that will ever be there of what came before it. */
  readonly position: number;
  /** The exchange's time. */
  readonly time: number;
  /** What the durable log holds behind that position, in order, up to `position`. */
  readonly batchesAfter: (position: number) => Iterable<LogBatch>;
  /** Whether the operator had that command of a batch passed over. */
  readonly isSkipped: (position: number, index: number) => boolean;
  /**
   * How orders of that account ended that the program remembers: by client order id, or by order
   * number as text. undefined: it never was, or it is open, or it is forgotten.
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
  /** Called once, when the first life serves its clients. Its timers then run for ever. */
  readonly start: () => void;
  /** Called at every start of the program and at the end; every reply sent so far is delivered. */
  readonly check: (view: LifeView) => readonly Violation[];
  /** Stops sending for good: what is under way may still be answered. Called before the end. */
  readonly stop: () => void;
};

export type CrowdOptions = {
  /** About how many requests a second of virtual time all clients together send. */
  readonly requestsPerSecond: number;
};
