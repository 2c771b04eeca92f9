// The channel protocol at the socket's own address (WS-1, WS-2): the messages of a client and their
// answers. Messages are read one after the other, also while a token is being checked.

import { hasSession } from '../../engine/views/account.ts';
import { accountById, type Exchange } from '../../engine/views/exchange.ts';
import type { Channel } from '../channel.ts';
import { type Opening, openChannel } from '../fanout.ts';
import { endSubscription, type Reader, sendText } from '../reader.ts';
import type { Holder, StreamContext } from '../streamContext.ts';
import { resume, subscribe } from '../subscribe.ts';
import { accountOpening, accountStreamKey } from './accountOpening.ts';
import { candlesOpening } from './candlesOpening.ts';
import { type ChannelName, parseChannelName } from './channelName.ts';
import { depthOpening } from './depthOpening.ts';
import { levelsOpening } from './levelsOpening.ts';
import { pricesOpening } from './pricesOpening.ts';
import { errorText, type StreamError } from './streamError.ts';
import { switchDisconnect, switchErrorText } from './switchDisconnect.ts';
import { tickerOpening } from './tickerOpening.ts';
import { tickersOpening } from './tickersOpening.ts';
import { tradesOpening } from './tradesOpening.ts';

export type NativeSession = {
  readonly context: StreamContext;
  readonly reader: Reader;
  /** The client's network address. */
  readonly client: string;
  /** The holder of the last valid token. */
  holder: Holder | undefined;
  /** Messages that wait while a token is checked; undefined when none is being checked. */
  waiting: NativeMessage[] | undefined;
};

/** A JSON object that a client sent. */
export type NativeMessage = Readonly<Record<string, unknown>>;

export function createNativeSession(
  options: Pick<NativeSession, 'context' | 'reader' | 'client'>,
): NativeSession {
  return { ...options, holder: undefined, waiting: undefined };
}

/** Answers a message, or puts it in the queue. */
export function takeNativeMessage(session: NativeSession, message: NativeMessage): void {
  if (session.waiting !== undefined) {
    session.waiting.push(message);
    return;
  }
  if (expireHolder(session, session.context.clock.now())) tellExpired(session);
  switch (message.type) {
    case 'ping':
      return sendText(session.reader, '{"type":"pong"}');
    case 'subscribe':
      return onSubscribe(session, message);
    case 'unsubscribe':
      return onUnsubscribe(session, message);
    case 'resume':
      return onResume(session, message);
    case 'auth':
      return onAuth(session, message);
    case 'cancel_on_disconnect':
      return onCancelOnDisconnect(session, message);
    default:
      return refuse(session, {
        code: 'INVALID_PARAMETER',
        message: 'type must be subscribe, unsubscribe, resume, auth, cancel_on_disconnect or ping.',
      });
  }
}

function refuse({ reader }: NativeSession, error: StreamError, channel?: unknown): void {
  sendText(reader, errorText(error, channel));
}

function onSubscribe(session: NativeSession, message: NativeMessage): void {
  const channel = channelFor(session, message);
  if (channel === undefined) return;
  sendText(session.reader, `{"type":"subscribed","channel":"${channel.name}"}`);
  subscribe(session.context.fanout, session.reader, channel);
}

function onResume(session: NativeSession, message: NativeMessage): void {
  const { epoch, seq } = message;
  if (typeof epoch !== 'string' || !Number.isSafeInteger(seq)) {
    const error = 'resume needs the epoch (a text) and the seq (a number) of the last message.';
    return refuse(session, { code: 'INVALID_PARAMETER', message: error }, message.channel);
  }
  const channel = channelFor(session, message);
  if (channel === undefined) return;
  const { fanout } = session.context;
  const { reader } = session;
  if (epoch === channel.epoch && resume(fanout, reader, channel, seq as number)) return;
  sendText(reader, `{"type":"reset","channel":"${channel.name}"}`);
  subscribe(fanout, reader, channel);
}

function onUnsubscribe(session: NativeSession, { channel: text }: NativeMessage): void {
  const name = parseChannelName(text, session.context.exchange);
  if ('code' in name) return refuse(session, name, text);
  const opening = openingOf(session, name);
  const subscription =
    opening === undefined ? undefined : session.reader.subscriptions.get(opening.key);
  if (subscription !== undefined) endSubscription(subscription);
  const shown = opening?.name ?? 'account';
  sendText(session.reader, `{"type":"unsubscribed","channel":"${shown}"}`);
}

const tokenInvalid: StreamError = {
  code: 'INVALID_TOKEN',
  message: 'The token is missing, has expired, or its session has ended.',
};

/** The channel that a message names; undefined when the client has received an error. */
function channelFor(session: NativeSession, { channel: text }: NativeMessage): Channel | undefined {
  const { context, reader } = session;
  const name = parseChannelName(text, context.exchange);
  if ('code' in name) {
    refuse(session, name, text);
    return undefined;
  }
  const opening = openingOf(session, name);
  if (opening === undefined) {
    refuse(session, tokenInvalid, text);
    return undefined;
  }
  const { subscriptionsMax } = context.bounds;
  if (!reader.subscriptions.has(opening.key) && reader.subscriptions.size >= subscriptionsMax) {
    const message = `A connection has at most ${subscriptionsMax} channels.`;
    refuse(session, { code: 'LIMIT_REACHED', message }, text);
    return undefined;
  }
  const channel = openChannel(context.fanout, opening);
  if (channel !== undefined) return channel;
  refuse(session, { code: 'TOO_MANY_REQUESTS', message: 'Too many channels are open.' }, text);
  return undefined;
}

/** undefined when the channel needs an account and the session has none. */
function openingOf({ context, holder }: NativeSession, name: ChannelName): Opening | undefined {
  switch (name.kind) {
    case 'ticker':
      return tickerOpening(context, name.market);
    case 'tickers':
      return tickersOpening(context);
    case 'prices':
      return pricesOpening(context, name.market);
    case 'depth':
      return depthOpening(context, name.market);
    case 'levels':
      return levelsOpening(context, name);
    case 'trades':
      return tradesOpening(context, name.market);
    case 'candles':
      return candlesOpening(context, name);
    case 'account':
      // The account with this number may have been forgotten; the number is then free or belongs to
      // another account (AUTH-5a).
      return holder !== undefined && isHeld(context.exchange, holder)
        ? accountOpening(context, holder.account)
        : undefined;
  }
}

const tooMany: StreamError = { code: 'TOO_MANY_REQUESTS', message: 'Too many requests.' };

function onAuth(session: NativeSession, { token }: NativeMessage): void {
  const { context, reader, client } = session;
  if (typeof token !== 'string') return refuse(session, tokenInvalid);
  session.waiting = [];
  const settle = (answer: () => void): void => {
    const { waiting = [] } = session;
    session.waiting = undefined;
    if (reader.gone) return;
    answer();
    for (const message of waiting) takeNativeMessage(session, message);
  };
  context.admitToken(token, client).then(
    (admitted) =>
      settle(() => {
        if (admitted === 'tokenInvalid') refuse(session, tokenInvalid);
        else if (admitted === 'tooManyRequests') refuse(session, tooMany);
        else becomeHolder(session, admitted);
      }),
    () => settle(() => refuse(session, tokenInvalid)),
  );
}

/** COD-1: for the account of the token, and only while that token gives access. */
function onCancelOnDisconnect(session: NativeSession, message: NativeMessage): void {
  const { context, reader, holder } = session;
  const refuseSwitch = (): void => sendText(reader, switchErrorText(tokenInvalid));
  const isThere = holder !== undefined && isHeld(context.exchange, holder);
  if (!isThere) return refuseSwitch();
  const { account } = holder;
  const isAllowed = (): boolean =>
    session.holder?.account === account && isHeld(context.exchange, session.holder);
  // Reported when everything applied by now is durable, also the end of the session.
  const onEnd = (): void => context.fanout.whenDurable(refuseSwitch);
  switchDisconnect({ context, reader, account, isAllowed, onEnd }, message);
}

/**
 * When the new token is for another account, the channel of the old account ends, and what the
 * connection was armed for (COD-4).
 */
function becomeHolder(session: NativeSession, holder: Holder): void {
  if (session.holder?.account !== holder.account) {
    endAccount(session);
    session.reader.disconnect?.end();
  }
  session.holder = holder;
  const { address, expiresAt } = holder;
  const expires = Math.floor(expiresAt / 1000);
  sendText(
    session.reader,
    `{"type":"authenticated","address":"${address}","expires_at":${expires}}`,
  );
}

/** Ends the account's channel; gives whether the client was reading it. */
function endAccount({ reader, holder }: NativeSession): boolean {
  const subscription =
    holder === undefined ? undefined : reader.subscriptions.get(accountStreamKey(holder.account));
  if (subscription !== undefined) endSubscription(subscription);
  return subscription !== undefined;
}

/** Whether the holder's account has its address and its session still (AUTH-5a, AUTH-11). */
function isHeld(exchange: Exchange, { account: id, address, session }: Holder): boolean {
  const account = accountById(exchange, id);
  return account?.address === address && hasSession(account, session);
}

/**
 * A token that has expired, or whose session has ended, gives no more access. Returns whether the
 * client was reading the account: then it must learn it (tellExpired).
 */
export function expireHolder(session: NativeSession, now: number): boolean {
  const { context, holder } = session;
  if (holder === undefined) return false;
  if (now < holder.expiresAt && isHeld(context.exchange, holder)) return false;
  const read = endAccount(session);
  session.holder = undefined;
  session.reader.disconnect?.endLogin();
  return read;
}

/** Reports it when everything applied by now is durable, also the end of the session. */
export function tellExpired(session: NativeSession): void {
  session.context.fanout.whenDurable(() => refuse(session, tokenInvalid, 'account'));
}
