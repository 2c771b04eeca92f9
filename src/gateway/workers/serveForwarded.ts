// What the serving thread does with the requests of one worker: each goes through the same door as
// if it had been read here, in the order in which the worker read them, and the answers of a turn
// of the event loop go back together.

import { failureAnswer } from '../../api/errors/failureAnswer.ts';
import type { Answer } from '../../api/operation.ts';
import { deadlineMs } from '../../engine/limits.ts';
import { must } from '../../std/assert.ts';
import { createByteReader, createByteWriter } from '../../std/bytes.ts';
import { stopwatchLagMs, stopwatchMs } from '../../std/clock.ts';
import type { Time } from '../../units/units.ts';
import type { Arrival, Serve } from '../arrival.ts';
import { type Door, listenerReasons, type Route } from '../door.ts';
import { type AnswerExit, unseenUsage } from '../pendingAnswer.ts';
import { documentOf, type PreparedDocument } from '../preparedDocument.ts';
import { writeAnswer, writeDocument, writeLesson, writeSpent } from './forwardedAnswer.ts';
import { type ReceivedRequest, readRequest } from './forwardedRequest.ts';
import { takeMessage } from './workerMessage.ts';

export type ServeForwarded = {
  readonly door: Door;
  readonly routes: readonly Route[];
  /** Hands answers to the worker. */
  readonly post: (answers: ArrayBuffer) => void;
  /** Hands a document to the worker, before an answer that names it. */
  readonly giveDocument: (document: PreparedDocument) => void;
  /** Hears of a request of this route that is not looked at, because it has waited too long. */
  readonly onLate: (route: Route) => void;
  /** Runs a step after the present turn of the event loop. */
  readonly defer?: (step: () => void) => void;
};

export type ForwardedServing = {
  readonly take: (requests: ArrayBuffer) => void;
  /** The worker is no more: its answers have nowhere to go. */
  readonly abandon: () => void;
};

const gatheredBytes = 64 * 1024;

export function serveForwarded(options: ServeForwarded): ForwardedServing {
  const { door, routes, post, giveDocument, onLate, defer = setImmediate } = options;
  const serves: readonly Serve[] = [
    ...door.serves,
    ...listenerReasons.map((reason) => door.refuses[reason]),
  ];
  const gathered = createByteWriter(gatheredBytes);
  let abandoned = false;
  /** What is written now leaves at the end of this turn. */
  const gather = (write: () => void): void => {
    if (abandoned) return;
    if (gathered.length === 0) defer(() => abandoned || post(takeMessage(gathered)));
    write();
  };
  /** Documents that the worker has in every form. */
  const given = new Set<string>();
  const knownDocument = (answer: Answer): string => {
    const document = documentOf(answer);
    if (given.has(document.tag)) return document.tag;
    if (document.gzip !== undefined && document.brotli !== undefined) given.add(document.tag);
    giveDocument(document);
    return document.tag;
  };
  const exitOf = (id: number): AnswerExit => ({
    failureOf: failureAnswer,
    send: (answer, usage) => {
      if (answer.document !== true) gather(() => writeAnswer(gathered, { id, answer, usage }));
      else gather(() => writeDocument(gathered, { id, tag: knownDocument(answer) }));
    },
    onSpent: (spent) => gather(() => writeSpent(gathered, spent)),
  });
  const learn: Arrival['learn'] = (apiKey, key) =>
    gather(() => writeLesson(gathered, { apiKey, key }));
  const reading = { lagMs: stopwatchLagMs(), learn };
  const serveOne = ({ id, serve, arrival }: ReceivedRequest): void => {
    const exit = exitOf(id);
    const route = routes[serve];
    const late = stopwatchMs() - arrival.startedAt > deadlineMs;
    if (late && route !== undefined && route.surface !== 'probe') {
      const now = door.clock.now() as Time;
      exit.send(failureAnswer(route.surface, { reason: 'overloaded' }, now), unseenUsage);
      return onLate(route);
    }
    try {
      must(serves[serve], 'a worker names what serves its request')(arrival, exit);
    } catch (error) {
      door.onFault(error, 'http');
      door.refuses.internal(arrival, exit);
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
