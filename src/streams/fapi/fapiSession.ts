// The convention's stream protocol (WS-3; conventions, 12.2, 13.2): the requests of a client, and
// the streams in the address of its socket.

import { closeCodes } from '../closeCodes.ts';
import { type Opening, openChannel } from '../fanout.ts';
import { messageRules, type NoMessage } from '../parseMessage.ts';
import { closeReader, endSubscription, type Reader, sendText } from '../reader.ts';
import type { StreamContext } from '../streamContext.ts';
import type { SocketOpening } from '../streams.ts';
import { subscribe } from '../subscribe.ts';
import { type ListenKey, looksLikeListenKey } from './listenKeys.ts';
import { marketStream } from './marketStream.ts';
import { parseStreamName } from './streamName.ts';
import { userStream } from './userStream.ts';

export type FapiSession = {
  readonly context: StreamContext;
  readonly reader: Reader;
  /** The events that it wants from listen keys; undefined: all. */
  readonly events: ReadonlySet<string> | undefined;
};

type Message = Readonly<Record<string, unknown>>;

const { policyViolation } = closeCodes;

/**
 * Begins with the names in the socket's address. An invalid listen key closes the socket (12.2).
 */
export function openFapiSession(
  context: StreamContext,
  reader: Reader,
  { names, listenKeys, events, wraps }: SocketOpening,
): FapiSession {
  const session = { context, reader, events };
  reader.wraps = wraps;
  for (const key of listenKeys) {
    const listenKey = context.listenKeys.find(key);
    if (listenKey === undefined) closeReader(reader, policyViolation, 'Unknown listen key.');
    else join(session, userStream(context, listenKey));
  }
  for (const name of names) {
    const known = joinNamed(session, name);
    if (!known && looksLikeListenKey(name)) {
      closeReader(reader, policyViolation, 'Unknown listen key.');
    }
  }
  return session;
}

/** Answers one message. */
export function takeFapiMessage(session: FapiSession, message: Message): void {
  const { method, id = null } = message;
  if (!isId(id)) return refuse(session, invalidRequest('id must be an unsigned integer or a text'));
  switch (method) {
    case 'SUBSCRIBE':
    case 'UNSUBSCRIBE':
      return onNames(session, message, id);
    case 'LIST_SUBSCRIPTIONS': {
      const subscriptions = [...session.reader.subscriptions.values()];
      return answer(
        session,
        id,
        subscriptions.map(({ channel }) => channel.name),
      );
    }
    case 'SET_PROPERTY':
    case 'GET_PROPERTY':
      return onProperty(session, message, id);
    default:
      return refuse(session, invalidRequest('unknown method'), id);
  }
}

type Id = string | number | null;

const idLengthMax = 64;

function isId(id: unknown): id is Id {
  if (typeof id === 'string') return id.length <= idLengthMax;
  return id === null || (Number.isSafeInteger(id) && (id as number) >= 0);
}

function answer({ reader }: FapiSession, id: Id, result: unknown): void {
  sendText(reader, JSON.stringify({ result, id }));
}

type Problem = { readonly code: 0 | 1 | 2 | 3; readonly msg: string };

const invalidRequest = (why: string): Problem => ({ code: 2, msg: `Invalid request: ${why}.` });

function refuse({ reader }: Pick<FapiSession, 'reader'>, problem: Problem, id: Id = null): void {
  sendText(reader, JSON.stringify(id === null ? problem : { ...problem, id }));
}

/** A text that is no message. */
export function refuseFapiText(session: Pick<FapiSession, 'reader'>, wrong: NoMessage): void {
  const why = `a message ${messageRules[wrong]}`;
  if (wrong === 'tooManyBrackets') return refuse(session, invalidRequest(why));
  refuse(session, { code: 3, msg: `Invalid JSON: ${why}.` });
}

function onNames(session: FapiSession, { method, params }: Message, id: Id): void {
  const { streamsMax } = session.context.bounds;
  if (Array.isArray(params) && params.length > streamsMax) {
    return refuse(session, invalidRequest(`params has at most ${streamsMax} names`), id);
  }
  if (!Array.isArray(params) || !params.every((each) => typeof each === 'string')) {
    return refuse(session, invalidRequest('params must be an array of texts'), id);
  }
  // A name costs about a microsecond, so one that is repeated is looked at once.
  for (const name of new Set<string>(params)) {
    if (method === 'SUBSCRIBE') joinNamed(session, name);
    else leaveNamed(session, name);
    if (session.reader.gone) return;
  }
  answer(session, id, null);
}

type Meaning = { readonly key: string; readonly opening: () => Opening };

/** What a name means: a market stream or a listen key; undefined when it is neither. */
function meaningOf({ context }: FapiSession, name: string): Meaning | undefined {
  const listenKey: ListenKey | undefined = context.listenKeys.find(name);
  if (listenKey !== undefined) {
    const opening = userStream(context, listenKey);
    return { key: opening.key, opening: () => opening };
  }
  const stream = parseStreamName(name, context.exchange);
  if (stream === undefined) return undefined;
  return { key: stream.name, opening: () => marketStream(context, stream) };
}

function joinNamed(session: FapiSession, name: string): boolean {
  const meaning = meaningOf(session, name);
  if (meaning === undefined) return false;
  if (!session.reader.subscriptions.has(meaning.key)) join(session, meaning.opening());
  return true;
}

function join({ context, reader, events }: FapiSession, opening: Opening): void {
  if (reader.gone || reader.subscriptions.has(opening.key)) return;
  if (reader.subscriptions.size >= context.bounds.streamsMax) {
    closeReader(reader, policyViolation, 'Too many streams.');
    return;
  }
  const channel = openChannel(context.fanout, opening);
  if (channel === undefined) closeReader(reader, policyViolation, 'Too many streams are open.');
  else
    subscribe(context.fanout, reader, channel, opening.key === channel.name ? undefined : events);
}

function leaveNamed(session: FapiSession, name: string): void {
  const key = meaningOf(session, name)?.key;
  const subscription = key === undefined ? undefined : session.reader.subscriptions.get(key);
  if (subscription !== undefined) endSubscription(subscription);
}

function onProperty(session: FapiSession, { method, params }: Message, id: Id): void {
  const [name, value] = Array.isArray(params) ? params : [];
  if (name !== 'combined') return refuse(session, { code: 0, msg: 'Unknown property.' }, id);
  if (method === 'GET_PROPERTY') return answer(session, id, session.reader.wraps);
  if (typeof value !== 'boolean') {
    return refuse(session, { code: 1, msg: 'Invalid value type: expected a boolean.' }, id);
  }
  session.reader.wraps = value;
  return answer(session, id, null);
}
