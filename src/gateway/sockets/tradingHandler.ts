// The WebSocket trading API (WS-6; conventions, 14): requests over one socket. Each is admitted,
// counted and performed as over HTTP, by the same row. A session can replace the signatures.

import { Type } from 'typebox';
import { readCancelOnDisconnect } from '../../api/fapi/cancelOnDisconnect.ts';
import { type SessionMethod, sessionMethods, socketMethods } from '../../api/fapi/socketMethods.ts';
import { type Answer, answerJson, defineQuery, type Operation } from '../../api/operation.ts';
import { stopwatchMs } from '../../std/clock.ts';
import { closeCodes } from '../../streams/closeCodes.ts';
import type { DisconnectFailure } from '../../streams/disconnectSwitch.ts';
import { closeReader, type Reader, switchOf } from '../../streams/reader.ts';
import type { Speaker } from '../../streams/streams.ts';
import type { AccountId, Time } from '../../units/units.ts';
import {
  admitKey,
  findKey,
  type KeyProof,
  mayUseKey,
  passGate,
  takePublicWeight,
} from '../admitKey.ts';
import { checkTimestamp } from '../checkSignature.ts';
import { defaultConnectionBounds } from '../connectionBounds.ts';
import { disconnectWeight } from '../createDisconnects.ts';
import { type Endpoint, endpointOf, unservedRow } from '../endpoint.ts';
import type { Gateway } from '../gateway.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import { keyArrival } from '../keyArrival.ts';
import { parsePairs, queryOf } from '../parsePairs.ts';
import { answerRequest, type PendingRequest, refuseRequest } from '../pendingRequest.ts';
import { anonymous, failRequest, performOperation } from '../performOperation.ts';
import { unseenUsage } from '../responder.ts';
import { sizeWeight } from '../sizeWeight.ts';
import { weightOf } from '../weightOf.ts';
import { checkParams } from './checkParams.ts';
import { frameResponder } from './frameResponder.ts';
import { createPacedSteps } from './pacedSteps.ts';
import {
  type FrameRefusal,
  frameFields,
  parseTradingFrame,
  type TradingFrame,
} from './tradingFrame.ts';

/** Makes the handler of the texts of one socket. `url`: as in its request. */
export type TradingHandler = (socket: {
  readonly reader: Reader;
  /** The client's network address. */
  readonly client: string;
  readonly url: string;
}) => Speaker;

type TradingSession = {
  readonly gateway: Gateway;
  readonly reader: Reader;
  readonly client: string;
  /** The default; a request can change it for itself. */
  readonly showsLimits: boolean;
  readonly connectedSince: Time;
  /** The key of the last good logon; empty: none. */
  apiKey: string;
  /** The account of that key. */
  account: AccountId | undefined;
  authorizedSince: Time | null;
};

export function createTradingHandler(gateway: Gateway): TradingHandler {
  const rows = new Map(
    Object.entries(socketMethods).map(([method, row]) => [method, endpointOf(row)]),
  );
  const inTurn = createPacedSteps(framesPerTurn);
  return ({ reader, client, url }) => {
    const query = parsePairs(queryOf(url)).items;
    const session: TradingSession = {
      gateway,
      reader,
      client,
      showsLimits: !query.some(({ key, value }) => key === 'returnratelimits' && value === 'false'),
      connectedSince: gateway.clock.now() as Time,
      apiKey: '',
      account: undefined,
      authorizedSince: null,
    };
    const guard = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        // A fault of ours closes this socket and no other.
        gateway.onFault(error, 'tradingSocket');
        closeReader(reader, closeCodes.internalError, 'Internal error.');
      }
    };
    return (text) =>
      guard(() => {
        const arrived = admitFrame(session, text);
        if (arrived === undefined) return;
        inTurn(arrived.limitKey, () => {
          if (reader.gone) return false;
          guard(() => takeFrame(session, rows, arrived, text));
          return true;
        });
      });
  };
}

const unserved = unservedRow('fapi');

/** Frames of all sockets that are served in a turn of the event loop: as many as HTTP requests. */
const framesPerTurn = defaultConnectionBounds.requestsPerTurnAll;

/** A longer frame is not parsed; the largest legal one has about 2 KB. */
const frameLengthMax = 16 * 1024;

/**
 * Every frame counts at the gate of its address when it arrives, so no more of them wait for their
 * turn than the gate lets in. If the gate is full, the frame is refused and the socket closed.
 */
function admitFrame(session: TradingSession, text: string): PendingRequest | undefined {
  const arrived = openFrameRequest(session, text);
  if (passGate(arrived)) return arrived;
  closeReader(session.reader, closeCodes.policyViolation, 'Too many requests.');
  return undefined;
}

function takeFrame(
  session: TradingSession,
  rows: ReadonlyMap<string, Endpoint>,
  arrived: PendingRequest,
  text: string,
): void {
  const frame = text.length > frameLengthMax ? unreadFrame : parseTradingFrame(text);
  const named = 'refusal' in frame ? undefined : rowOf(rows, frame.method);
  const request = readFrameRequest(session, arrived, frame, named);
  if ('refusal' in frame) {
    if (takePublicWeight(request, 1)) refuseRequest(request, frame.refusal);
  } else if (named === undefined) {
    if (takePublicWeight(request, 1)) {
      refuseRequest(request, { reason: 'parameterMalformed', name: 'method' });
    }
  } else {
    whenKeyKnown(session, { request, frame }, () => {
      if (typeof named === 'string') takeSessionMethod(session, request, { frame, method: named });
      else performFrame(session, request, { frame, endpoint: named });
    });
  }
}

/**
 * A key that another process has just made is waited for once, as over HTTP. What the client sends
 * on this socket meanwhile is performed before.
 */
function whenKeyKnown(
  { gateway, reader, client }: TradingSession,
  { request, frame }: { readonly request: PendingRequest; readonly frame: TradingFrame },
  perform: () => void,
): void {
  const { auth } = request.row;
  const arriving =
    auth === 'none' ? undefined : keyArrival(gateway, { text: apiKeyOf(frame), client });
  if (arriving === undefined) return perform();
  arriving
    .then((refusal) => {
      if (reader.gone) return;
      if (refusal === undefined) perform();
      else refuseRequest(request, refusal);
    })
    .catch((error) => failRequest(request, error));
}

const unreadFrame: FrameRefusal = { id: null, refusal: { reason: 'requestMalformed' } };

function isSessionMethod(method: string): method is SessionMethod {
  return sessionMethods.some((each) => each === method);
}

/** No method has a longer name. */
const methodLengthMax = 64;

/** What a method's name means; a prefix that is not part of it names a version (14.3). */
function rowOf(
  rows: ReadonlyMap<string, Endpoint>,
  method: string,
): Endpoint | SessionMethod | undefined {
  if (method.length > methodLengthMax) return undefined;
  const plain = method.replace(/^v\d+\//, '');
  if (isSessionMethod(plain)) return plain;
  return rows.get(method) ?? rows.get(plain);
}

const rowIn = (named: Endpoint | SessionMethod): Operation =>
  typeof named === 'string' ? sessionRows[named] : named.row;

/** The request of a frame before the frame is parsed. */
function openFrameRequest(
  { gateway, reader, client, showsLimits }: TradingSession,
  text: string,
): PendingRequest {
  return {
    gateway,
    row: unserved,
    responder: frameResponder(reader, null, showsLimits),
    usage: { ...unseenUsage },
    now: gateway.clock.now() as Time,
    startedAt: stopwatchMs(),
    client,
    limitKey: limitKeyOf(client),
    sizeWeight: sizeWeight(text.length),
    idempotencyKey: '',
    method: 'WS',
    target: '',
  };
}

function readFrameRequest(
  { reader, showsLimits }: TradingSession,
  arrived: PendingRequest,
  frame: TradingFrame | FrameRefusal,
  named: Endpoint | SessionMethod | undefined,
): PendingRequest {
  const read = 'refusal' in frame ? undefined : frame;
  const asked = read?.params.get('returnratelimits');
  const shows = asked === undefined ? showsLimits : asked === 'true';
  return {
    ...arrived,
    row: named === undefined ? unserved : rowIn(named),
    responder: frameResponder(reader, frame.id, shows),
    idempotencyKey: read?.idempotencyKey ?? '',
    target: read?.method ?? '',
  };
}

function performFrame(
  session: TradingSession,
  request: PendingRequest,
  { frame, endpoint }: { readonly frame: TradingFrame; readonly endpoint: Endpoint },
): void {
  const fields = frameFields(frame);
  const amount = weightOf(endpoint.row, () => fields);
  if (endpoint.row.auth === 'none') {
    if (takePublicWeight(request, amount)) performOperation(request, endpoint, fields, anonymous);
    return;
  }
  const inSession = proofInSession(session, frame, request.now);
  const apiKey = inSession === undefined ? apiKeyOf(frame) : session.apiKey;
  const known = findKey(request, apiKey, amount);
  if (known === undefined) return;
  const admitted = admitKey(request, known, inSession ?? proofOf(frame, request.now), amount);
  if (admitted !== undefined) performOperation(request, endpoint, fields, admitted);
}

function apiKeyOf({ params }: TradingFrame): string {
  return params.get('apikey') ?? '';
}

function proofOf(frame: TradingFrame, now: Time): KeyProof {
  return {
    isSigned: () => frame.params.has('signature'),
    check: (key) => checkParams(key, frame, now),
  };
}

/** The proof of a request that relies on the logon; its timestamp must be good, too. */
function proofInSession(
  { apiKey }: TradingSession,
  { params }: TradingFrame,
  now: Time,
): KeyProof | undefined {
  if (apiKey === '' || params.has('signature')) return undefined;
  if ((params.get('apikey') ?? apiKey) !== apiKey) return undefined;
  return {
    isSigned: () => false,
    check: () => checkTimestamp(params.get('timestamp') ?? '', now),
  };
}

/** The methods of the session, for limits and metrics; they are never performed. */
const sessionRow = (name: string, auth: 'none' | 'key'): Operation =>
  defineQuery({
    name,
    surface: 'fapi',
    method: 'GET',
    path: '*',
    auth,
    weight: 1,
    summary: 'A method of the trading socket’s session.',
    parameters: Type.Object({}),
    response: Type.Object({}),
    query: () => ({ reason: 'pathUnknown' }),
  });

const sessionRows: Readonly<Record<SessionMethod, Operation>> = {
  'session.logon': sessionRow('sessionLogon', 'key'),
  'session.status': sessionRow('sessionStatus', 'none'),
  'session.logout': sessionRow('sessionLogout', 'none'),
  'session.cancelOnDisconnect': sessionRow('sessionCancelOnDisconnect', 'key'),
};

/** A logon that is refused leaves the session as it was. */
function takeSessionMethod(
  session: TradingSession,
  request: PendingRequest,
  { frame, method }: { readonly frame: TradingFrame; readonly method: SessionMethod },
): void {
  if (method === 'session.cancelOnDisconnect') return switchSession(session, request, frame);
  if (method === 'session.logon') {
    const known = findKey(request, apiKeyOf(frame), 1);
    if (known === undefined) return;
    const admitted = admitKey(request, known, proofOf(frame, request.now), 1);
    if (admitted === undefined) return;
    const { apiKey, account } = admitted.apiKey;
    // What the connection was armed for ends with the session of that account (COD-4).
    if (session.account !== account) session.reader.disconnect?.end();
    session.apiKey = apiKey;
    session.account = account;
    session.authorizedSince = request.now;
  } else {
    if (!takePublicWeight(request, 1)) return;
    if (method === 'session.logout') {
      session.reader.disconnect?.end();
      session.apiKey = '';
      session.account = undefined;
      session.authorizedSince = null;
    }
  }
  answerRequest(request, answerJson(sessionRecord(session, request.now)));
}

/** Arms this socket for the account of the session, or disarms it; answers when that is durable. */
function switchSession(
  session: TradingSession,
  request: PendingRequest,
  frame: TradingFrame,
): void {
  const { gateway, reader, client, apiKey: text } = session;
  const known = findKey(request, text, disconnectWeight);
  if (known === undefined) return;
  const proof = proofInSession(session, frame, request.now) ?? proofOf(frame, request.now);
  if (admitKey(request, known, proof, disconnectWeight) === undefined) return;
  const wanted = readCancelOnDisconnect(frameFields(frame), gateway.replica.exchange);
  if ('reason' in wanted) return refuseRequest(request, wanted);
  const { enabled, markets } = wanted;
  const { id: account } = known.account;
  const symbols = markets.length === 0 ? null : markets.map(({ symbol }) => symbol);
  const settle = (failure: DisconnectFailure | undefined): void => {
    const { responder, now } = request;
    const done = (): Answer => answerJson({ enabled, symbols });
    answerRequest(request, failure ? responder.failureOf('fapi', failure, now) : done());
  };
  const own = switchOf(reader, gateway.disconnects);
  if (!enabled) return own.disarm(account, settle);
  const isAllowed = (): boolean => mayUseKey(gateway, { text: session.apiKey, account, client });
  // The next request is refused because of the key.
  const onEnd = (): void => {};
  const arming = { account, isAllowed, onEnd, markets: markets.map(({ id }) => id) };
  own.arm(arming, settle);
}

function sessionRecord(session: TradingSession, now: Time): object {
  return {
    apiKey: session.apiKey === '' ? null : session.apiKey,
    authorizedSince: session.authorizedSince,
    connectedSince: session.connectedSince,
    returnRateLimits: session.showsLimits,
    serverTime: now,
  };
}
