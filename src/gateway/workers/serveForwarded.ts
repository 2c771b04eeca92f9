// Serves the requests of one worker in the serving thread: by the same handlers as requests that
// this thread reads itself, in the order in which the worker read them. The answers of a turn of
// the event loop go back together.

import { failureAnswer } from '../../api/errors/failureAnswer.ts';
import type { Answer } from '../../api/operation.ts';
import { deadlineMs } from '../../engine/limits.ts';
import type { MarketGrid } from '../../engine/views/market.ts';
import { must } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  reserveBytes,
} from '../../std/bytes.ts';
import { stopwatchLagMs, stopwatchMs } from '../../std/clock.ts';
import type { Time } from '../../units/units.ts';
import { type Handlers, listenerReasons, type Route } from '../handlers.ts';
import type { Handler, IncomingRequest } from '../incomingRequest.ts';
import { documentOf } from '../preparedDocument.ts';
import { type KeptOrder, type Responder, unseenUsage } from '../responder.ts';
import type { MadeHandler } from './createMadeHandler.ts';
import {
  writeAnswer,
  writeDocument,
  writeKey,
  writeLimit,
  writeOrderAnswer,
  writeReference,
} from './forwardedAnswer.ts';
import { type ReceivedCommand, type ReceivedRequest, readRequest } from './forwardedRequest.ts';
import { gridOf } from './makeCommand.ts';

export type ServeForwarded = {
  readonly handlers: Handlers;
  readonly routes: readonly Route[];
  /** What performs the commands that the worker makes of a route's requests. */
  readonly byMade?: readonly (MadeHandler | undefined)[];
  /** The markets that are listed, and the number of them that the worker knows. */
  readonly markets?: {
    readonly listed: () => readonly MarketGrid[];
    readonly known: number;
  };
  /** Sends what was gathered to the worker, and empties it. */
  readonly post: (answers: ByteWriter) => void;
  /** Called when the first answer of a turn is gathered. */
  readonly stir?: () => void;
  /** Called for a request of this route that is refused because it has waited too long. */
  readonly onLate: (route: Route) => void;
  /** Runs a step after the present turn of the event loop. */
  readonly defer?: (step: () => void) => void;
};

export type ForwardedServing = {
  /** Takes a message of the worker; it keeps none of its bytes. */
  readonly take: (requests: ByteReader) => void;
  /** The worker has ended: its answers are dropped. */
  readonly abandon: () => void;
};

const gatheredBytes = 64 * 1024;
/** Orders are kept in parts of this size; more than one order takes. */
const keptBytes = 32 * 1024;
const keptOrderBytes = 512;

/** Writes to the message that leaves at the end of this turn. */
type Gather = (write: (gathered: ByteWriter) => void) => void;

export function serveForwarded(options: ServeForwarded): ForwardedServing {
  const { routes, byMade = [], post, stir, defer = setImmediate } = options;
  const gathered = createByteWriter(gatheredBytes);
  let abandoned = false;
  const gather: Gather = (write) => {
    if (abandoned) return;
    if (gathered.length === 0) {
      stir?.();
      defer(() => abandoned || post(gathered));
    }
    write(gathered);
  };
  const responderOf = createResponders(options, gather);
  const serve = createServing(options);
  const learn: IncomingRequest['learn'] = (apiKey, key) =>
    gather((writer) => writeKey(writer, { apiKey, key }));
  const takesMade = (handler: number): boolean => byMade[handler] !== undefined;
  const reading = { lagMs: stopwatchLagMs(), learn, takesMade };
  return {
    take: (reader) => {
      while (reader.offset < reader.end) {
        const request = readRequest(reader, reading);
        serve(request, routes[request.handler], responderOf(request.id));
      }
    },
    abandon: () => {
      abandoned = true;
    },
  };
}

/** Makes the responder of a request by its number. */
function createResponders(options: ServeForwarded, gather: Gather): (id: number) => Responder {
  /** Documents of which the worker has all forms. */
  const given = new Set<string>();
  const knownDocument = (answer: Answer): string => {
    const document = documentOf(answer);
    if (given.has(document.tag)) return document.tag;
    if (document.gzip !== undefined && document.brotli !== undefined) given.add(document.tag);
    gather((writer) => writeReference(writer, { document }));
    return document.tag;
  };
  const keepOrder = createOrderKeeper(options, gather);
  const sendKept = (kept: KeptOrder): void => gather((writer) => writeKept(writer, kept));
  return (id) => ({
    failureOf: failureAnswer,
    send: (answer, usage) => {
      if (answer.document !== true) gather((writer) => writeAnswer(writer, { id, answer, usage }));
      else gather((writer) => writeDocument(writer, { id, tag: knownDocument(answer) }));
    },
    keepOrder: keepOrder && ((order, usage) => keepOrder({ id, order, usage })),
    sendKept,
    onExhausted: (exhausted) => gather((writer) => writeLimit(writer, exhausted)),
  });
}

type Serve = (
  request: ReceivedRequest | ReceivedCommand,
  route: Route | undefined,
  responder: Responder,
) => void;

function createServing({ handlers, byMade = [], onLate }: ServeForwarded): Serve {
  const byNumber: readonly Handler[] = [
    ...handlers.byRoute,
    ...listenerReasons.map((reason) => handlers.refusals[reason]),
  ];
  const named = 'a worker names the handler of its request';
  return (request, route, responder) => {
    const { handler, startedAt } = request;
    const late = stopwatchMs() - startedAt > deadlineMs;
    if (late && route !== undefined && route.surface !== 'probe') {
      const now = handlers.clock.now() as Time;
      responder.send(failureAnswer(route.surface, { reason: 'overloaded' }, now), unseenUsage);
      return onLate(route);
    }
    try {
      if ('made' in request) must(byMade[handler], named)(request, responder);
      else must(byNumber[handler], named)(request.incoming, responder);
    } catch (error) {
      handlers.onFault(error, 'http');
      if ('incoming' in request) handlers.refusals.internal(request.incoming, responder);
      else refuseMade(handlers, must(route, named), responder);
    }
  };
}

type OrderAnswer = Parameters<typeof writeOrderAnswer>[1];

/** Keeps orders as bytes, and names their markets to the worker; undefined: answers are texts. */
function createOrderKeeper(
  { markets }: ServeForwarded,
  gather: Gather,
): ((answer: OrderAnswer) => KeptOrder) | undefined {
  if (markets === undefined) return undefined;
  let { known } = markets;
  // A buffer for each order would cost more than its bytes. What is kept keeps its part alive.
  let writer = createByteWriter(keptBytes);
  return (answer) => {
    // Markets are numbered in the order of listing.
    for (; known <= answer.order.market; known += 1) {
      const market = gridOf(must(markets.listed()[known], 'an order is on a listed market'));
      gather((references) => writeReference(references, { market }));
    }
    if (writer.length > keptBytes - keptOrderBytes) writer = createByteWriter(keptBytes);
    const at = writer.length;
    writeOrderAnswer(writer, answer);
    return { buffer: writer.buffer, at, end: writer.length };
  };
}

function writeKept(writer: ByteWriter, { buffer, at, end }: KeptOrder): void {
  const to = reserveBytes(writer, end - at);
  // Shorter than what a call into the runtime pays for.
  for (let i = at; i < end; i += 1) writer.buffer[to + i - at] = buffer[i]!;
}

/** A fault of ours, as `refusals.internal` answers it. */
function refuseMade({ clock }: Handlers, { surface }: Route, responder: Responder): void {
  const failure = failureAnswer(surface, { reason: 'internal' }, clock.now() as Time);
  responder.send(failure, unseenUsage);
}
