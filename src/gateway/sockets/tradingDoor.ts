// The WebSocket trading API (WS-6; conventions, 14): requests over one socket, each admitted,
// counted and performed as over HTTP by the same row; and the session that spares signatures.

import { Type } from 'typebox';
import { type SessionMethod, sessionMethods, socketMethods } from '../../api/fapi/socketMethods.ts';
import { answerJson, defineQuery, type Operation } from '../../api/operation.ts';
import { stopwatchMs } from '../../std/clock.ts';
import { closeCodes } from '../../streams/closeCodes.ts';
import { closeReader, type Reader } from '../../streams/reader.ts';
import type { Speaker } from '../../streams/streams.ts';
import type { Time } from '../../units/units.ts';
import { admitKey, type KeyProof, knowKey, passGate, takePublicWeight } from '../admitKey.ts';
import { checkTimestamp } from '../checkSignature.ts';
import type { Gateway } from '../gateway.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import { parsePairs, queryOf } from '../parsePairs.ts';
import { createPendingAnswer } from '../pendingAnswer.ts';
import { type ServedRow, serveRow, unservedRow } from '../servedRow.ts';
import { sizeWeight } from '../sizeWeight.ts';
import { nobody, performVisit, refuseVisit, sendVisit, type Visit } from '../visit.ts';
import { checkParams } from './checkParams.ts';
import { frameExit } from './frameExit.ts';
import {
  type FrameRefusal,
  frameFields,
  parseTradingFrame,
  type TradingFrame,
} from './tradingFrame.ts';

/** Makes what takes the texts of one socket. `url`: as its request had it. */
export type TradingDoor = (socket: {
  readonly reader: Reader;
  /** The client's network address. */
  readonly client: string;
  readonly url: string;
}) => Speaker;

type TradingSession = {
  readonly gateway: Gateway;
  readonly reader: Reader;
  readonly client: string;
  /** Unless a request says otherwise. */
  readonly showsLimits: boolean;
  readonly connectedSince: Time;
  /** Of the last good logon; empty: none. */
  apiKey: string;
  authorizedSince: Time | null;
};

export function createTradingDoor(gateway: Gateway): TradingDoor {
  const rows = new Map(
    Object.entries(socketMethods).map(([method, row]) => [method, serveRow(row)]),
  );
  return ({ reader, client, url }) => {
    const query = parsePairs(queryOf(url)).items;
    const session: TradingSession = {
      gateway,
      reader,
      client,
      showsLimits: !query.some(({ key, value }) => key === 'returnratelimits' && value === 'false'),
      connectedSince: gateway.clock.now() as Time,
      apiKey: '',
      authorizedSince: null,
    };
    return (text) => {
      try {
        takeFrame(session, rows, text);
      } catch (error) {
        // A fault of ours costs this socket and no other.
        gateway.onFault(error, 'tradingSocket');
        closeReader(reader, closeCodes.internalError, 'Internal error.');
      }
    };
  };
}

const unserved = unservedRow('fapi');

/** A longer frame is not read; the largest legal one has about 2 KB. */
const frameLengthMax = 16 * 1024;

/**
 * Every frame passes the gate of its address before it is read; an address that has used that up is
 * answered and its socket closed.
 */
function takeFrame(
  session: TradingSession,
  rows: ReadonlyMap<string, ServedRow>,
  text: string,
): void {
  const arrived = openFrameVisit(session, text);
  if (!passGate(arrived)) {
    closeReader(session.reader, closeCodes.policyViolation, 'Too many requests.');
    return;
  }
  const frame = text.length > frameLengthMax ? unreadFrame : parseTradingFrame(text);
  const named = 'refusal' in frame ? undefined : rowOf(rows, frame.method);
  const visit = readFrameVisit(session, arrived, frame, named);
  if ('refusal' in frame) {
    if (takePublicWeight(visit, 1)) refuseVisit(visit, frame.refusal);
  } else if (named === undefined) {
    if (takePublicWeight(visit, 1)) {
      refuseVisit(visit, { reason: 'parameterMalformed', name: 'method' });
    }
  } else if (typeof named === 'string') takeSessionMethod(session, visit, { frame, method: named });
  else performFrame(session, visit, { frame, served: named });
}

const unreadFrame: FrameRefusal = { id: null, refusal: { reason: 'requestMalformed' } };

function isSessionMethod(method: string): method is SessionMethod {
  return sessionMethods.some((each) => each === method);
}

/** Longer names are no method's. */
const methodLengthMax = 64;

/** What a method's name stands for; a prefix that is no part of it names a version (14.3). */
function rowOf(
  rows: ReadonlyMap<string, ServedRow>,
  method: string,
): ServedRow | SessionMethod | undefined {
  if (method.length > methodLengthMax) return undefined;
  const plain = method.replace(/^v\d+\//, '');
  if (isSessionMethod(plain)) return plain;
  return rows.get(method) ?? rows.get(plain);
}

const rowIn = (named: ServedRow | SessionMethod): Operation =>
  typeof named === 'string' ? sessionRows[named] : named.row;

/** What is known of a frame before it is read. */
function openFrameVisit(
  { gateway, reader, client, showsLimits }: TradingSession,
  text: string,
): Visit {
  return {
    gateway,
    row: unserved,
    pending: createPendingAnswer(frameExit(reader, null, showsLimits)),
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

function readFrameVisit(
  { reader, showsLimits }: TradingSession,
  arrived: Visit,
  frame: TradingFrame | FrameRefusal,
  named: ServedRow | SessionMethod | undefined,
): Visit {
  const read = 'refusal' in frame ? undefined : frame;
  const asked = read?.params.get('returnratelimits');
  const shows = asked === undefined ? showsLimits : asked === 'true';
  return {
    ...arrived,
    row: named === undefined ? unserved : rowIn(named),
    pending: createPendingAnswer(frameExit(reader, frame.id, shows)),
    idempotencyKey: read?.idempotencyKey ?? '',
    target: read?.method ?? '',
  };
}

function performFrame(
  session: TradingSession,
  visit: Visit,
  { frame, served }: { readonly frame: TradingFrame; readonly served: ServedRow },
): void {
  const { auth, weight } = served.row;
  const fields = frameFields(frame);
  const amount = typeof weight === 'number' ? weight : weight(fields);
  if (auth === 'none') {
    if (takePublicWeight(visit, amount)) performVisit(visit, served, fields, nobody);
    return;
  }
  const inSession = proofInSession(session, frame, visit.now);
  const apiKey = inSession === undefined ? apiKeyOf(frame) : session.apiKey;
  const known = knowKey(visit, apiKey, amount);
  if (known === undefined) return;
  const admitted = admitKey(visit, known, inSession ?? proofOf(frame, visit.now), amount);
  if (admitted !== undefined) performVisit(visit, served, fields, admitted);
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

/** Of a request that leaves its signature to the logon; its timestamp must be good all the same. */
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

/** What the methods of the session are to limits and metrics; they are never performed. */
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
};

/** A logon that is refused leaves the session as it was. */
function takeSessionMethod(
  session: TradingSession,
  visit: Visit,
  { frame, method }: { readonly frame: TradingFrame; readonly method: SessionMethod },
): void {
  if (method === 'session.logon') {
    const known = knowKey(visit, apiKeyOf(frame), 1);
    if (known === undefined) return;
    const admitted = admitKey(visit, known, proofOf(frame, visit.now), 1);
    if (admitted === undefined) return;
    session.apiKey = admitted.apiKey.apiKey;
    session.authorizedSince = visit.now;
  } else {
    if (!takePublicWeight(visit, 1)) return;
    if (method === 'session.logout') {
      session.apiKey = '';
      session.authorizedSince = null;
    }
  }
  sendVisit(visit, answerJson(sessionRecord(session, visit.now)));
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
