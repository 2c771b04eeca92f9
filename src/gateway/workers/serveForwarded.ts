// Serves the requests of one worker in the serving thread: by the same handlers as requests that
// this thread reads itself, in the order in which the worker read them. The answers of a turn of
// the event loop go back together.

import { failureAnswer } from '../../api/errors/failureAnswer.ts';
import type { Answer } from '../../api/operation.ts';
import { deadlineMs } from '../../engine/limits.ts';
import { must } from '../../std/assert.ts';
import { createByteReader, createByteWriter } from '../../std/bytes.ts';
import { stopwatchLagMs, stopwatchMs } from '../../std/clock.ts';
import type { Time } from '../../units/units.ts';
import { type Handlers, listenerReasons, type Route } from '../handlers.ts';
import type { Handler, IncomingRequest } from '../incomingRequest.ts';
import { documentOf, type PreparedDocument } from '../preparedDocument.ts';
import { type Responder, unseenUsage } from '../responder.ts';
import { writeAnswer, writeDocument, writeKey, writeLimit } from './forwardedAnswer.ts';
import { type ReceivedRequest, readRequest } from './forwardedRequest.ts';
import { takeMessage } from './workerMessage.ts';

export type ServeForwarded = {
  readonly handlers: Handlers;
  readonly routes: readonly Route[];
  /** Sends answers to the worker. */
  readonly post: (answers: ArrayBuffer) => void;
  /** Sends a document to the worker, before an answer that names it. */
  readonly giveDocument: (document: PreparedDocument) => void;
  /** Called for a request of this route that is refused because it has waited too long. */
  readonly onLate: (route: Route) => void;
  /** Runs a step after the present turn of the event loop. */
  readonly defer?: (step: () => void) => void;
};

export type ForwardedServing = {
  readonly take: (requests: ArrayBuffer) => void;
  /** The worker has ended: its answers are dropped. */
  readonly abandon: () => void;
};

const gatheredBytes = 64 * 1024;

export function serveForwarded(options: ServeForwarded): ForwardedServing {
  const { handlers, routes, post, giveDocument, onLate, defer = setImmediate } = options;
  const byNumber: readonly Handler[] = [
    ...handlers.byRoute,
    ...listenerReasons.map((reason) => handlers.refusals[reason]),
  ];
  const gathered = createByteWriter(gatheredBytes);
  let abandoned = false;
  /** Writes to the message that leaves at the end of this turn. */
  const gather = (write: () => void): void => {
    if (abandoned) return;
    if (gathered.length === 0) defer(() => abandoned || post(takeMessage(gathered)));
    write();
  };
  /** Documents of which the worker has all forms. */
  const given = new Set<string>();
  const knownDocument = (answer: Answer): string => {
    const document = documentOf(answer);
    if (given.has(document.tag)) return document.tag;
    if (document.gzip !== undefined && document.brotli !== undefined) given.add(document.tag);
    giveDocument(document);
    return document.tag;
  };
  const responderOf = (id: number): Responder => ({
    failureOf: failureAnswer,
    send: (answer, usage) => {
      if (answer.document !== true) gather(() => writeAnswer(gathered, { id, answer, usage }));
      else gather(() => writeDocument(gathered, { id, tag: knownDocument(answer) }));
    },
    onExhausted: (exhausted) => gather(() => writeLimit(gathered, exhausted)),
  });
  const learn: IncomingRequest['learn'] = (apiKey, key) =>
    gather(() => writeKey(gathered, { apiKey, key }));
  const reading = { lagMs: stopwatchLagMs(), learn };
  const serveOne = ({ id, handler, incoming }: ReceivedRequest): void => {
    const responder = responderOf(id);
    const route = routes[handler];
    const late = stopwatchMs() - incoming.startedAt > deadlineMs;
    if (late && route !== undefined && route.surface !== 'probe') {
      const now = handlers.clock.now() as Time;
      responder.send(failureAnswer(route.surface, { reason: 'overloaded' }, now), unseenUsage);
      return onLate(route);
    }
    try {
      must(byNumber[handler], 'a worker names the handler of its request')(incoming, responder);
    } catch (error) {
      handlers.onFault(error, 'http');
      handlers.refusals.internal(incoming, responder);
    }
  };
  return {
    take: (requests) => {
      const reader = createByteReader(Buffer.from(requests));
      while (reader.offset < reader.end) serveOne(readRequest(reader, reading));
    },
    abandon: () => {
      abandoned = true;
    },
  };
}
