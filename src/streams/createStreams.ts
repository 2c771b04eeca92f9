// Puts the streams together: feeds of events, channels made from them, sessions that read channels.
// An error in here closes readers of streams and never stops trading. The readers reconnect and get
// snapshots.

import type { ApiKeyDeleted, ApiKeyUpdated, Event } from '../engine/event.ts';
import { createAccountFeed, feedAccounts } from './accountFeed.ts';
import { wrap } from './channel.ts';
import { closeCodes } from './closeCodes.ts';
import {
  type Connections,
  closeConnection,
  connect,
  type Goodbye,
  hearAnew,
  openSession,
  sweepConnection,
} from './connection.ts';
import { sendRested } from './deliverSoon.ts';
import { closeChannel, createFanout, type Fanout, seal, sweepChannels } from './fanout.ts';
import { createListenKeys, type ListenKey, type ListenKeys } from './fapi/listenKeys.ts';
import { userStreamKey } from './fapi/userStream.ts';
import { takeFigureTurns } from './figureTurns.ts';
import { createMarketFeed, feedMarkets } from './marketFeed.ts';
import { accountStreamKey } from './native/accountOpening.ts';
import { expireHolder, type NativeSession, tellExpired } from './native/nativeSession.ts';
import {
  closeReader,
  createReader,
  cutReader,
  type Losses,
  type Reader,
  sendBytes,
} from './reader.ts';
import { beat } from './rhythm.ts';
import { defaultStreamBounds, type StreamBounds } from './streamBounds.ts';
import type { StreamContext } from './streamContext.ts';
import type { StreamFigures, Streams } from './streams.ts';

export type StreamsOptions = Pick<
  StreamContext,
  'exchange' | 'views' | 'clock' | 'records' | 'admitToken' | 'disconnects'
> & {
  /** Drawn at every start (WS-2). */
  readonly epoch: string;
  readonly whenDurable: (release: () => void) => void;
  /** Receives every exception: a fault of the exchange. */
  readonly onFault: (error: unknown, operation: string) => void;
  /** Random bytes that are good enough for secrets: for listen keys. */
  readonly randomBytes: (size: number) => Uint8Array;
  /** Makes the listen keys that other processes know too; by default this process has its own. */
  readonly shareListenKeys?: ((onEnd: (ended: ListenKey) => void) => ListenKeys) | undefined;
  readonly bounds?: StreamBounds;
  /** A socket opens and no other one is open: `tick` must be called often. */
  readonly onFirst?: () => void;
  /** Runs a step in a later turn. */
  readonly defer?: (step: () => void) => void;
};

type StreamsState = Connections & {
  readonly losses: Losses;
  /** Readers of accounts whose sessions the present batch has ended. */
  readonly expired: NativeSession[];
  sweptAt: number;
  lookedAt: number;
  closed: boolean;
};

const stopping: Goodbye = { code: closeCodes.goingAway, reason: 'The exchange stops.' };
const overloaded: Goodbye = { code: closeCodes.tryAgainLater, reason: 'Too many messages wait.' };
const faulty: Goodbye = { code: closeCodes.internalError, reason: 'Internal error.' };

export function createStreams(options: StreamsOptions): Streams {
  const { bounds = defaultStreamBounds, exchange, onFault } = options;
  const guard = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      onFault(error, 'streams');
      closeAll(run, faulty);
    }
  };
  const fanout = createFanout({
    ...fanoutPorts(options, guard),
    bounds,
    onOverload: () => closeAll(run, overloaded),
  });
  const context = createContext(options, { fanout, bounds });
  const run = createRun(context, guard);
  return {
    onEvents: (events) => {
      guard(() => {
        forgetAccounts(context, events);
        endSessions(run, events);
      });
      if (fanout.channels.size === 0) return;
      guard(() => {
        feedMarkets(context.markets, exchange, events);
        feedAccounts(context.accounts, exchange, events);
        for (const follow of context.steps) follow(events);
      });
    },
    onApplied: () =>
      guard(() => {
        for (const follow of context.batchEnds) follow();
        seal(fanout);
        for (const native of run.expired.splice(0)) tellExpired(native);
      }),
    tick: () => {
      guard(() => tick(run));
      return run.open.size > 0;
    },
    open: (socket) => {
      if (run.open.size === 0) options.onFirst?.();
      return openSocket(run, socket);
    },
    listenKeys: context.listenKeys,
    close: () => {
      run.closed = true;
      closeAll(run, stopping);
    },
    figures: () => figuresOf(run),
  };
}

function createRun(context: StreamContext, guard: StreamsState['guard']): StreamsState {
  const losses: Losses = { readersCut: 0, bytesDropped: 0 };
  const times = { sweptAt: 0, lookedAt: 0 };
  return { context, guard, open: new Set(), losses, expired: [], ...times, closed: false };
}

const atOnce = (step: () => void): void => step();

function openSocket(
  run: StreamsState,
  {
    wire,
    client,
    opening,
    admitMessages,
    inTurn = atOnce,
    speaker,
  }: Parameters<Streams['open']>[0],
): ReturnType<Streams['open']> {
  const { backlogBytesMax } = run.context.bounds;
  const reader = createReader(wire, { losses: run.losses, backlogBytesMax });
  const taker = speaker?.(reader);
  const socket = { reader, client, opening, admitMessages, inTurn, speaker: taker };
  const connection = connect(run, socket);
  if (run.closed) closeConnection(run, connection, stopping);
  return openSession(run, connection);
}

function fanoutPorts(
  { clock, epoch, whenDurable, defer = setImmediate }: StreamsOptions,
  guard: (step: () => void) => void,
): Pick<Fanout, 'clock' | 'epoch' | 'whenDurable' | 'defer'> {
  return {
    clock,
    epoch,
    whenDurable: (then) => whenDurable(() => guard(then)),
    defer: (step) => {
      defer(() => guard(step));
    },
  };
}

function createContext(
  options: StreamsOptions,
  { fanout, bounds }: Pick<StreamContext, 'fanout' | 'bounds'>,
): StreamContext {
  const { exchange, views, clock, records, admitToken, disconnects, randomBytes } = options;
  const { shareListenKeys = () => undefined } = options;
  const onEnd = (ended: ListenKey): void => endUserStream(fanout, ended);
  return {
    exchange,
    views,
    clock,
    bounds,
    fanout,
    markets: createMarketFeed(),
    accounts: createAccountFeed(),
    rhythms: new Set(),
    figureTurns: new Set(),
    pictures: new Map(),
    steps: new Set(),
    batchEnds: new Set(),
    listenKeys: shareListenKeys(onEnd) ?? createListenKeys({ clock, randomBytes, onEnd }),
    records,
    admitToken,
    disconnects,
  };
}

/**
 * What a login has opened ends with its session (AUTH-11), at once; its readers learn it with the
 * batch. Cost: the connections, if any reads.
 */
function endSessions({ context, open, expired }: StreamsState, events: readonly Event[]): void {
  const { channels } = context.fanout;
  for (const event of events) {
    if (event.kind !== 'sessionEnded' || !channels.has(accountStreamKey(event.account))) continue;
    const now = context.clock.now();
    for (const { native } of open) {
      if (native !== undefined && expireHolder(native, now)) expired.push(native);
    }
    return;
  }
}

/**
 * When an account is forgotten, another account must not inherit its subscriptions (AUTH-5a). The
 * holder of an API key that ends may know the listen key of its account, so that ends, too (WS-3).
 */
function forgetAccounts({ fanout, listenKeys }: StreamContext, events: readonly Event[]): void {
  for (const event of events) {
    if (endsApiKey(event)) listenKeys.close(event.account);
    if (event.kind !== 'accountForgotten') continue;
    listenKeys.close(event.account);
    const channel = fanout.channels.get(accountStreamKey(event.account));
    if (channel === undefined) continue;
    for (const { reader } of channel.subscriptions) {
      closeReader(reader, closeCodes.policyViolation, 'The login is over.');
    }
    closeChannel(fanout, channel);
  }
}

const endsApiKey = (event: Event): event is ApiKeyDeleted | ApiKeyUpdated =>
  event.kind === 'apiKeyDeleted' || (event.kind === 'apiKeyUpdated' && event.status !== 'active');

/** Its readers receive an event and are closed (conventions, 12.2). */
function endUserStream(fanout: Fanout, { key }: ListenKey): void {
  const channel = fanout.channels.get(userStreamKey(key));
  if (channel === undefined) return;
  const event = { e: 'listenKeyExpired', E: fanout.clock.now(), listenKey: key };
  const bytes = Buffer.from(JSON.stringify(event));
  for (const { reader } of channel.subscriptions) {
    sendBytes(reader, reader.wraps ? wrap(key, bytes) : bytes);
    closeReader(reader, closeCodes.normal, 'The listen key has ended.');
  }
  closeChannel(fanout, channel);
}

function tick(run: StreamsState): void {
  const { clock, rhythms, figureTurns, fanout, bounds, listenKeys } = run.context;
  const now = clock.now();
  beat(rhythms, now);
  takeFigureTurns(figureTurns, now, bounds);
  seal(fanout);
  sendRested(fanout, now);
  if (isDue(now - run.lookedAt, bounds.backlogsMs)) {
    run.lookedAt = now;
    boundBacklogs(run);
  }
  const past = now - run.sweptAt;
  if (!isDue(past, bounds.sweepMs)) return;
  run.sweptAt = now;
  sweepChannels(fanout);
  listenKeys.sweep();
  const wasAway = isDue(past, lateSweeps * bounds.sweepMs);
  for (const connection of run.open) {
    if (wasAway) hearAnew(connection, now);
    sweepConnection(run, connection);
  }
}

/** After a clock was set back, it is due now. */
const isDue = (past: number, everyMs: number): boolean => past < 0 || past >= everyMs;

/** A sweep that comes so much later than usual shows that the process stood still. */
const lateSweeps = 2;

/**
 * Readers that are behind must not hold more than the bound of all together, even when each is
 * within its own bound. Otherwise many slow readers of one client would use up the memory for
 * everyone (WS-4). Cost: 0.1 µs a reader.
 */
function boundBacklogs({ open, context: { bounds } }: StreamsState): void {
  let held = 0;
  const behind: { readonly reader: Reader; readonly bytes: number }[] = [];
  for (const { reader } of open) {
    const bytes = reader.wire.backlog();
    if (bytes === 0) continue;
    held += bytes;
    behind.push({ reader, bytes });
  }
  if (held <= bounds.backlogBytesAllMax) return;
  behind.sort((a, b) => b.bytes - a.bytes);
  for (const { reader, bytes } of behind) {
    if (held <= bounds.backlogBytesAllMax / 2) return;
    held -= bytes;
    cutReader(reader);
  }
}

/** Every reader must begin anew, elsewhere or later: no present channel continues. */
function closeAll(run: StreamsState, goodbye: Goodbye): void {
  const { fanout } = run.context;
  for (const connection of run.open) closeConnection(run, connection, goodbye);
  for (const channel of fanout.channels.values()) closeChannel(fanout, channel);
  fanout.made = [];
}

function figuresOf({ context, open, losses }: StreamsState): StreamFigures {
  const { fanout } = context;
  const { channels, retention, messages, sends } = fanout;
  let subscriptions = 0;
  for (const channel of channels.values()) subscriptions += channel.subscriptions.size;
  return {
    readers: open.size,
    channels: channels.size,
    subscriptions,
    ringBytes: retention.bytes,
    waiting: fanout.waiting,
    messages,
    sends,
    ...losses,
  };
}
