// The door of a worker: it reads bodies, checks signatures that it can check and hands requests on
// to the thread that serves them; answers come back by the request's number. It decides nothing,
// but that what is too much is refused here, before it is read.

import { failureAnswer } from '../../api/errors/failureAnswer.ts';
import type { Answer } from '../../api/operation.ts';
import { assert, must } from '../../std/assert.ts';
import { createByteReader, createByteWriter } from '../../std/bytes.ts';
import { type Clock, stopwatchLagMs, stopwatchMs } from '../../std/clock.ts';
import type { Time } from '../../units/units.ts';
import { type AddressWeight, weighAtAddress } from '../addressWeight.ts';
import type { Arrival, Serve, SignatureVerdict } from '../arrival.ts';
import { signatureMatches } from '../checkSignature.ts';
import { type Door, type ListenerReason, listenerReasons, type Route } from '../door.ts';
import { isFapiPath } from '../fapiPath.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import { parsePairs, queryOf } from '../parsePairs.ts';
import { type AnswerExit, unseenUsage } from '../pendingAnswer.ts';
import { answerOfDocument, type PreparedDocument } from '../preparedDocument.ts';
import { type Body, bodyBytesMax } from '../readBody.ts';
import { requestBodyOf } from '../requestBody.ts';
import { type AddressLimit, createSpentLimits, type SpentLimits } from '../spentLimits.ts';
import { clientOf } from '../visit.ts';
import { readToWorker } from './forwardedAnswer.ts';
import { type ForwardedRequest, writeRequest } from './forwardedRequest.ts';
import { createKeyMemory, type KeyMemory } from './keyMemory.ts';
import { takeMessage } from './workerMessage.ts';

/** What may wait for the serving thread, of one worker. */
export type ForwardingBounds = {
  /** Requests that wait when one more order is refused, and when anything else is. */
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

/** Probes that may wait beside everything else. */
const probesReserve = 1000;

/** Keys used in one minute; the serving thread computes for those beyond. */
const keysMax = 50_000;

export type ForwardingOptions = {
  readonly clock: Clock;
  readonly routes: readonly Route[];
  readonly trustedProxies: ReadonlySet<string>;
  /** Hands requests to the serving thread. */
  readonly post: (requests: ArrayBuffer) => void;
  /** Counts of what was refused here, by route; told while answers come. */
  readonly onRefused: (counts: readonly (readonly [number, number])[]) => void;
  readonly onFault: Door['onFault'];
  readonly bounds?: ForwardingBounds;
  /** Runs a step after the present turn of the event loop. */
  readonly defer?: (step: () => void) => void;
};

export type ForwardingDoor = {
  readonly door: Door;
  /** Takes what the serving thread has said. */
  readonly take: (answers: ArrayBuffer) => void;
  /** Keeps a document that answers will name. */
  readonly keepDocument: (document: PreparedDocument) => void;
};

type Waiting = { readonly exit: AnswerExit; readonly bytes: number };

type Run = Required<Pick<ForwardingOptions, 'bounds' | 'defer'>> & {
  readonly options: ForwardingOptions;
  readonly keys: KeyMemory;
  /** By their tags. */
  readonly documents: Map<string, Answer>;
  readonly spent: SpentLimits;
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

export function createForwardingDoor(options: ForwardingOptions): ForwardingDoor {
  const { clock, routes, onFault } = options;
  const run: Run = {
    options,
    bounds: options.bounds ?? defaultForwardingBounds,
    defer: options.defer ?? setImmediate,
    keys: createKeyMemory(keysMax),
    documents: new Map(),
    spent: createSpentLimits(),
    waiting: new Map(),
    waitingBytes: 0,
    lagMs: stopwatchLagMs(),
    lastId: 0,
    refused: new Map(),
    gathered: createByteWriter(gatheredBytes),
  };
  const refuseOf = (reason: ListenerReason): Serve => {
    const serve = routes.length + listenerReasons.indexOf(reason);
    return (arrival, exit) => {
      const surface = isFapiPath(arrival.target) ? 'fapi' : 'native';
      const limit = surface === 'fapi' ? 'publicWeight' : 'nativeAddress';
      if (!refuseSpent(run, { surface, limit, addressWeight: unservedWeight }, arrival, exit)) {
        forward(run, { serve, arrival, body: undefined }, exit);
      }
    };
  };
  const door: Door = {
    clock,
    onFault,
    serves: routes.map((route, index) => serverOf(run, route, index)),
    refuses: {
      pathUnknown: refuseOf('pathUnknown'),
      requestMalformed: refuseOf('requestMalformed'),
      internal: refuseOf('internal'),
    },
  };
  return {
    door,
    take: (answers) => take(run, answers),
    keepDocument: (document) => run.documents.set(document.tag, answerOfDocument(document)),
  };
}

function serverOf(run: Run, route: Route, index: number): Serve {
  const { surface, auth, addressWeight } = route;
  const isSigned = surface === 'fapi' && auth !== 'none';
  const limit = limitOf(route);
  const refuse = (exit: AnswerExit): void => {
    noteRefused(run, index);
    const now = run.options.clock.now() as Time;
    exit.send(failureAnswer(surface, { reason: 'overloaded' }, now), unseenUsage);
  };
  return (arrival, exit) => {
    if (limit !== undefined && refuseSpent(run, { surface, limit, addressWeight }, arrival, exit)) {
      noteRefused(run, index);
      return;
    }
    if (isFull(run, route)) return refuse(exit);
    // Who shows nothing is refused by the head alone.
    if (auth !== 'none' && !showsSomething(route, arrival)) {
      return forward(run, { serve: index, arrival, body: undefined }, exit);
    }
    let waited = false;
    arrival.readBody(bodyBytesMax[surface], (body) => {
      const read = waited ? { ...arrival, startedAt: stopwatchMs() } : arrival;
      if (waited && isFull(run, route)) refuse(exit);
      else {
        const verdict = isSigned ? judge(run, read, body) : 'unknown';
        const judged = verdict === 'unknown' ? read : { ...read, verdict };
        forward(run, { serve: index, arrival: judged, body }, exit);
      }
    });
    waited = true;
  };
}

function noteRefused({ refused }: Run, index: number): void {
  refused.set(index, (refused.get(index) ?? 0) + 1);
}

/** The limit of addresses that a route counts in, before anything else. */
function limitOf({ surface, auth }: Route): AddressLimit | undefined {
  if (surface === 'native' || surface === 'probe') return 'nativeAddress';
  if (surface === 'fapi') return auth === 'none' ? 'publicWeight' : 'gate';
  return undefined;
}

/** What no route gets counts by one. */
const unservedWeight: AddressWeight = { withSymbol: 1, without: 1 };

type Limited = Pick<Route, 'surface' | 'addressWeight'> & { readonly limit: AddressLimit };

/** Answers as the serving thread would, when it has said that the client has too little left. */
function refuseSpent(
  { options, spent }: Run,
  { surface, limit, addressWeight }: Limited,
  arrival: Arrival,
  exit: AnswerExit,
): boolean {
  const now = options.clock.now() as Time;
  if (spent.isEmpty(now)) return false;
  const limitKey = limitKeyOf(clientOf(options, arrival));
  const weigh = (): number => weighAtAddress(addressWeight, arrival);
  const weight = spent.usedUp({ limit, limitKey, weigh }, now);
  if (weight === undefined) return false;
  const usage = surface === 'fapi' ? { ...unseenUsage, weight } : unseenUsage;
  exit.send(failureAnswer(surface, { reason: 'tooManyRequests' }, now), usage);
  return true;
}

/** Whether the head names a key, or a token where none would do. */
function showsSomething({ surface, auth }: Route, { headers }: Arrival): boolean {
  if (surface === 'fapi') return headers['x-mbx-apikey'] !== undefined;
  return auth === 'jwtOptional' || headers.authorization !== undefined;
}

/**
 * At the bound new orders are refused first; what was read is then definitely not executed. Probes
 * have a reserve: who looks whether the process is up must not take a busy one for a dead one.
 */
function isFull(
  { waiting, waitingBytes, bounds }: Run,
  { countsAsOrder, surface }: Route,
): boolean {
  if (surface === 'probe') return waiting.size >= bounds.requests + probesReserve;
  const most = countsAsOrder === true ? bounds.orders : bounds.requests;
  return waiting.size >= most || waitingBytes >= bounds.bytes;
}

/** AUTH-2, where the key's secret is known. */
function judge(
  { keys, options }: Run,
  { headers, target }: Arrival,
  bytes: Body,
): SignatureVerdict {
  const apiKey = headers['x-mbx-apikey'];
  if (typeof apiKey !== 'string' || typeof bytes === 'string') return 'unknown';
  const key = keys.keyOf(apiKey, options.clock.now());
  if (key === undefined) return 'unknown';
  const query = parsePairs(queryOf(target));
  const body = requestBodyOf(bytes, headers['content-type']);
  return signatureMatches(key, { query, body }) ? 'valid' : 'invalid';
}

function forward(run: Run, request: Omit<ForwardedRequest, 'id'>, exit: AnswerExit): void {
  const { waiting, gathered, defer, options } = run;
  const id = run.lastId === idMax ? 1 : run.lastId + 1;
  assert(!waiting.has(id), 'numbers of requests come again long after their answers');
  run.lastId = id;
  const bytes = request.body instanceof Buffer ? request.body.length : 0;
  waiting.set(id, { exit, bytes });
  run.waitingBytes += bytes;
  if (gathered.length === 0) defer(() => options.post(takeMessage(gathered)));
  writeRequest(gathered, { id, ...request }, run.lagMs);
}

function take(run: Run, answers: ArrayBuffer): void {
  const { waiting, keys, documents, options, refused } = run;
  const reader = createByteReader(Buffer.from(answers));
  while (reader.offset < reader.end) {
    const said = readToWorker(reader);
    if (said.kind === 'lesson') {
      keys.learn(said.apiKey, said.key, options.clock.now());
      continue;
    }
    if (said.kind === 'spent') {
      run.spent.note(said);
      continue;
    }
    const asked = waiting.get(said.id);
    if (asked === undefined) continue;
    waiting.delete(said.id);
    run.waitingBytes -= asked.bytes;
    if (said.kind === 'answer') asked.exit.send(said.answer, said.usage);
    else asked.exit.send(must(documents.get(said.tag), 'a document comes first'), unseenUsage);
  }
  if (refused.size === 0) return;
  options.onRefused([...refused]);
  refused.clear();
}
