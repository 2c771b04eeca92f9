// The handlers of a worker. They read bodies, check the signatures that they can check, make the
// commands of orders, and forward requests to the serving thread; answers come back by the number
// of the request. They refuse requests above a bound before they read them, and decide nothing
// else.

import { failureAnswer } from '../../api/errors/failureAnswer.ts';
import type { Answer } from '../../api/operation.ts';
import { answerOrder } from '../../api/orderAnswer.ts';
import type { MarketGrid } from '../../engine/views/market.ts';
import { assert, must } from '../../std/assert.ts';
import { type ByteReader, type ByteWriter, createByteWriter } from '../../std/bytes.ts';
import { type Clock, stopwatchLagMs, stopwatchMs } from '../../std/clock.ts';
import type { Time } from '../../units/units.ts';
import { type AddressWeight, weighAtAddress } from '../addressWeight.ts';
import { signatureMatches } from '../checkSignature.ts';
import {
  type AddressLimit,
  createExhaustedLimits,
  type ExhaustedLimits,
} from '../exhaustedLimits.ts';
import { isFapiPath } from '../fapiPath.ts';
import { type Handlers, type ListenerReason, listenerReasons, type Route } from '../handlers.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import type { Handler, IncomingRequest } from '../incomingRequest.ts';
import { parsePairs, queryOf } from '../parsePairs.ts';
import { clientOf } from '../pendingRequest.ts';
import { answerOfDocument } from '../preparedDocument.ts';
import { type Body, bodyBytesMax } from '../readBody.ts';
import { requestBodyOf } from '../requestBody.ts';
import { type Responder, unseenUsage } from '../responder.ts';
import { type Reference, readToWorker } from './forwardedAnswer.ts';
import { type ForwardedRequest, writeRequest } from './forwardedRequest.ts';
import { createKeyMemory, type KeyMemory } from './keyMemory.ts';
import {
  createKnownMarkets,
  type KnownMarkets,
  type Making,
  makeCommand,
  makingOf,
} from './makeCommand.ts';

/** What may wait for the serving thread in one worker. */
export type ForwardingBounds = {
  /** At so many waiting requests, new orders are refused; at so many, every other request. */
  readonly orders: number;
  readonly requests: number;
  /** Bytes of their bodies. */
  readonly bytes: number;
};

export const defaultForwardingBounds: ForwardingBounds = {
  orders: 8000,
  requests: 16_000,
  bytes: 64 * 1024 * 1024,
};

/** Probes that may wait in addition. */
const probesReserve = 1000;

/** Keys of one minute; the serving thread checks the signatures of the others. */
const keysMax = 50_000;

export type ForwardingOptions = {
  readonly clock: Clock;
  readonly routes: readonly Route[];
  readonly trustedProxies: ReadonlySet<string>;
  /** The markets that are listed; the serving thread names those that come later. */
  readonly markets?: readonly MarketGrid[];
  /** Sends what was gathered to the serving thread, and empties it. */
  readonly post: (requests: ByteWriter) => void;
  /** Called when the first request of a turn is gathered. */
  readonly stir?: () => void;
  /** Called with the counts of refusals by route, when answers come. */
  readonly onRefused: (counts: readonly (readonly [number, number])[]) => void;
  readonly onFault: Handlers['onFault'];
  readonly bounds?: ForwardingBounds;
  /** Runs a step after the present turn of the event loop. */
  readonly defer?: (step: () => void) => void;
};

export type ForwardingHandlers = {
  readonly handlers: Handlers;
  /** Takes a message of the serving thread; it keeps none of its bytes. */
  readonly take: (answers: ByteReader) => void;
};

type Waiting = { readonly responder: Responder; readonly bytes: number };

type Forwarding = Required<Pick<ForwardingOptions, 'bounds' | 'defer'>> & {
  readonly options: ForwardingOptions;
  readonly keys: KeyMemory;
  readonly markets: KnownMarkets;
  /** By their tags. */
  readonly documents: Map<string, Answer>;
  readonly exhausted: ExhaustedLimits;
  readonly waiting: Map<number, Waiting>;
  waitingBytes: number;
  readonly lagMs: number;
  lastId: number;
  readonly refused: Map<number, number>;
  /** Requests that this turn has read. */
  readonly gathered: ReturnType<typeof createByteWriter>;
};

const idMax = 2 ** 32 - 1;
const gatheredBytes = 64 * 1024;

export function createForwardingHandlers(options: ForwardingOptions): ForwardingHandlers {
  const { clock, routes, onFault } = options;
  const run: Forwarding = {
    options,
    bounds: options.bounds ?? defaultForwardingBounds,
    defer: options.defer ?? setImmediate,
    keys: createKeyMemory(keysMax),
    markets: createKnownMarkets(options.markets ?? []),
    documents: new Map(),
    exhausted: createExhaustedLimits(),
    waiting: new Map(),
    waitingBytes: 0,
    lagMs: stopwatchLagMs(),
    lastId: 0,
    refused: new Map(),
    gathered: createByteWriter(gatheredBytes),
  };
  const refuseOf = (reason: ListenerReason): Handler => {
    const handler = routes.length + listenerReasons.indexOf(reason);
    return (incoming, responder) => {
      const limited = isFapiPath(incoming.target) ? unservedFapi : unservedNative;
      if (!refuseExhausted(run, limited, incoming, responder)) {
        forward(run, { handler, incoming, body: undefined }, responder);
      }
    };
  };
  const handlers: Handlers = {
    clock,
    onFault,
    byRoute: routes.map((route, index) => handlerOf(run, route, index)),
    refusals: {
      pathUnknown: refuseOf('pathUnknown'),
      requestMalformed: refuseOf('requestMalformed'),
      internal: refuseOf('internal'),
    },
  };
  return { handlers, take: (answers) => take(run, answers) };
}

function handlerOf(run: Forwarding, route: Route, index: number): Handler {
  const { surface, auth, addressWeight } = route;
  const isSigned = surface === 'fapi' && auth !== 'none';
  const making = makingOf(route);
  const limit = limitOf(route);
  const limited = limit === undefined ? undefined : { surface, limit, addressWeight };
  const refuse = (responder: Responder): void => {
    noteRefused(run, index);
    const now = run.options.clock.now() as Time;
    responder.send(failureAnswer(surface, { reason: 'overloaded' }, now), unseenUsage);
  };
  return (incoming, responder) => {
    if (limited !== undefined && refuseExhausted(run, limited, incoming, responder)) {
      noteRefused(run, index);
      return;
    }
    if (isFull(run, route)) return refuse(responder);
    // A request without a key or token is refused by its head alone.
    if (auth !== 'none' && !showsSomething(route, incoming)) {
      return forward(run, { handler: index, incoming, body: undefined }, responder);
    }
    let waited = false;
    incoming.readBody(bodyBytesMax[surface], (body) => {
      const read = waited ? { ...incoming, startedAt: stopwatchMs() } : incoming;
      if (waited && isFull(run, route)) refuse(responder);
      else {
        const given = isSigned ? judge(run, making, read, body) : { incoming: read };
        forward(run, { handler: index, body, ...given }, responder);
      }
    });
    waited = true;
  };
}

function noteRefused({ refused }: Forwarding, index: number): void {
  refused.set(index, (refused.get(index) ?? 0) + 1);
}

/** The limit of addresses in which a route counts first. */
function limitOf({ surface, auth }: Route): AddressLimit | undefined {
  if (surface === 'native' || surface === 'probe') return 'nativeAddress';
  if (surface === 'fapi') return auth === 'none' ? 'publicWeight' : 'gate';
  return undefined;
}

type Limited = Pick<Route, 'surface' | 'addressWeight'> & { readonly limit: AddressLimit };

/** A request that no route serves weighs 1. */
const unservedWeight: AddressWeight = { withSymbol: 1, without: 1 };
const unservedFapi: Limited = {
  surface: 'fapi',
  limit: 'publicWeight',
  addressWeight: unservedWeight,
};
const unservedNative: Limited = {
  surface: 'native',
  limit: 'nativeAddress',
  addressWeight: unservedWeight,
};

/**
 * Refuses as the serving thread would, if that thread reported that the client has too little left.
 */
function refuseExhausted(
  { options, exhausted }: Forwarding,
  { surface, limit, addressWeight }: Limited,
  incoming: IncomingRequest,
  responder: Responder,
): boolean {
  const now = options.clock.now() as Time;
  if (exhausted.isEmpty(now)) return false;
  const limitKey = limitKeyOf(clientOf(options, incoming));
  const weigh = (): number => weighAtAddress(addressWeight, incoming);
  const weight = exhausted.usedUp({ limit, limitKey, weigh }, now);
  if (weight === undefined) return false;
  const usage = surface === 'fapi' ? { ...unseenUsage, weight } : unseenUsage;
  responder.send(failureAnswer(surface, { reason: 'tooManyRequests' }, now), usage);
  return true;
}

/** Whether the head has a key or a token, or the route does not need one. */
function showsSomething({ surface, auth }: Route, { headers }: IncomingRequest): boolean {
  if (surface === 'fapi') return headers['x-mbx-apikey'] !== undefined;
  return auth === 'jwtOptional' || headers.authorization !== undefined;
}

/**
 * At the bound new orders are refused first. A request that is refused here is definitely not
 * executed. Probes have a reserve, so that a busy process does not look dead.
 */
function isFull(
  { waiting, waitingBytes, bounds }: Forwarding,
  { countsAsOrder, surface }: Route,
): boolean {
  if (surface === 'probe') return waiting.size >= bounds.requests + probesReserve;
  const most = countsAsOrder === true ? bounds.orders : bounds.requests;
  return waiting.size >= most || waitingBytes >= bounds.bytes;
}

/**
 * Checks the signature (AUTH-2), if the key's secret is known. If it is good, this makes the
 * command of a request of such a row.
 */
function judge(
  { keys, markets, options }: Forwarding,
  making: Making | undefined,
  incoming: IncomingRequest,
  bytes: Body,
): Pick<ForwardedRequest, 'incoming' | 'made'> {
  const { headers, target } = incoming;
  const apiKey = headers['x-mbx-apikey'];
  if (typeof apiKey !== 'string' || typeof bytes === 'string') return { incoming };
  const key = keys.keyOf(apiKey, options.clock.now());
  if (key === undefined) return { incoming };
  const query = parsePairs(queryOf(target));
  const body = requestBodyOf(bytes, headers['content-type']);
  if (!signatureMatches(key, { query, body })) {
    return { incoming: { ...incoming, verdict: 'invalid' } };
  }
  const { trustedProxies } = options;
  const known = { markets, trustedProxies };
  const made = making && makeCommand(making, incoming, { query, body }, known);
  return { incoming: { ...incoming, verdict: 'valid' }, made };
}

function forward(
  run: Forwarding,
  request: Omit<ForwardedRequest, 'id'>,
  responder: Responder,
): void {
  const { waiting, gathered, defer, options } = run;
  const id = run.lastId === idMax ? 1 : run.lastId + 1;
  assert(!waiting.has(id), 'numbers of requests come again long after their answers');
  run.lastId = id;
  const bytes = request.body instanceof Buffer ? request.body.length : 0;
  waiting.set(id, { responder, bytes });
  run.waitingBytes += bytes;
  if (gathered.length === 0) {
    options.stir?.();
    defer(() => options.post(gathered));
  }
  writeRequest(gathered, { id, ...request }, run.lagMs);
}

function keepReference({ documents, markets }: Forwarding, reference: Reference): void {
  if ('market' in reference) markets.learn(reference.market);
  else documents.set(reference.document.tag, answerOfDocument(reference.document));
}

function take(run: Forwarding, reader: ByteReader): void {
  const { waiting, keys, documents, options, refused } = run;
  while (reader.offset < reader.end) {
    const message = readToWorker(reader);
    if (message.kind === 'key') {
      keys.learn(message.apiKey, message.key, options.clock.now());
      continue;
    }
    if (message.kind === 'limit') {
      run.exhausted.note(message);
      continue;
    }
    if (message.kind === 'reference') {
      keepReference(run, message.reference);
      continue;
    }
    const forwarded = waiting.get(message.id);
    if (forwarded === undefined) continue;
    waiting.delete(message.id);
    run.waitingBytes -= forwarded.bytes;
    if (message.kind === 'answer') forwarded.responder.send(message.answer, message.usage);
    else if (message.kind === 'order') {
      const { order, usage } = message;
      const market = must(run.markets.byId(order.market), 'a market comes before its orders');
      forwarded.responder.send(answerOrder(order, market), usage);
    } else
      forwarded.responder.send(
        must(documents.get(message.tag), 'a document comes first'),
        unseenUsage,
      );
  }
  if (refused.size === 0) return;
  options.onRefused([...refused]);
  refused.clear();
}
