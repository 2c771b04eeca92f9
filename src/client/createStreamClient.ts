// A client of channels that reconnects by itself. After a new connection it resumes every channel
// where it stopped (WS-2), and begins a channel anew when it cannot be resumed. It keeps no copy of
// the data; subscribers keep their own.

import type { ChannelMessages, ClientMessages } from '../api/streams/channelMessages.ts';
import { createDisconnectSwitch, type DisconnectSwitch } from './disconnectSwitch.ts';
import type { ChannelName, DisconnectAnswer, StreamClient, StreamFailure } from './streamClient.ts';

/** One connection, given by its owner. No handler is called after `onClose`. */
export type StreamSocket = {
  readonly send: (text: string) => void;
  readonly close: () => void;
};

export type SocketEvents = {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
};

export type StreamClientOptions = {
  /** Of the socket, for example ws://127.0.0.1:8080/ws. */
  readonly url: string;
  /** A bearer token of a login, fetched for every connection; needed for `account`. */
  readonly token?: () => Promise<string>;
  /** Receives what the exchange refuses, unless a call rejects with it. */
  readonly onError?: (failure: StreamFailure) => void;
  /**
   * Receives every confirmed choice of `cancelOnDisconnect`, also those that are sent again on a
   * new connection. Between the two the new connection is not armed.
   */
  readonly onArmed?: (answer: DisconnectAnswer) => void;
  /** Opens a connection; the platform's WebSocket unless given. */
  readonly openSocket?: (url: string, events: SocketEvents) => StreamSocket;
  /** How long to wait before the first attempt to reconnect; doubled at each further attempt. */
  readonly retryMs?: number;
};

const retryMsMax = 10_000;
const defaultRetryMs = 250;
/**
 * How many messages are sent at once, and how long each further message waits: less than the
 * exchange allows (WS-5).
 */
const messagesAtOnce = 80;
const messageMs = 125;
/**
 * How often a ping is sent to notice a dead connection. After two pings without a message it is
 * closed.
 */
const pingMs = 30_000;

type Channel = {
  readonly name: ChannelName;
  onMessage: (message: never) => void;
  /** Of the last message; -1 before the first. */
  seq: number;
  epoch: string;
  /**
   * Whether the channel was requested and its new beginning has not arrived yet. Messages until
   * then belong to the old one.
   */
  asked: boolean;
};

type Client = {
  readonly options: StreamClientOptions;
  readonly channels: Map<string, Channel>;
  readonly disconnects: DisconnectSwitch;
  socket: StreamSocket | undefined;
  /** Whether the connection is open and, if a token is needed, logged in. */
  ready: boolean;
  heardSincePing: boolean;
  retryMs: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  pinging: ReturnType<typeof setInterval> | undefined;
  /**
   * Messages that wait on this connection, how many may be sent now, and the timer for the next
   * one.
   */
  unsaid: Said[];
  sayable: number;
  pacing: ReturnType<typeof setTimeout> | undefined;
  closed: boolean;
  connections: number;
  resumes: number;
  resets: number;
  gaps: number;
};

type Incoming = ChannelMessages[keyof ChannelMessages];

/** Connects at once and stays connected until it is closed. */
export function createStreamClient(options: StreamClientOptions): StreamClient {
  const client: Client = {
    options,
    channels: new Map(),
    disconnects: createDisconnectSwitch((message) => say(client, message)),
    socket: undefined,
    ready: false,
    heardSincePing: true,
    retryMs: options.retryMs ?? defaultRetryMs,
    timer: undefined,
    pinging: undefined,
    unsaid: [],
    sayable: messagesAtOnce,
    pacing: undefined,
    closed: false,
    connections: 0,
    resumes: 0,
    resets: 0,
    gaps: 0,
  };
  connect(client);
  return {
    subscribe: (name, onMessage) => {
      const channel = { name, onMessage, seq: -1, epoch: '', asked: false };
      client.channels.set(name, channel);
      if (client.ready) ask(client, channel);
    },
    unsubscribe: (name) => {
      client.channels.delete(name);
      if (client.ready) say(client, { type: 'unsubscribe', channel: name });
    },
    cancelOnDisconnect: client.disconnects.choose,
    figures: () => {
      const { connections, resumes, resets, gaps } = client;
      return { connections, resumes, resets, gaps };
    },
    renewToken: () => renewToken(client),
    reconnect: () => comeBack(client),
    close: () => {
      client.closed = true;
      clearTimeout(client.timer);
      client.disconnects.close();
      const { socket } = client;
      leave(client);
      socket?.close();
    },
  };
}

type Said = { readonly type: ClientMessages[keyof ClientMessages]['type'] } & Readonly<
  Record<string, unknown>
>;

function say(client: Client, message: Said): void {
  client.unsaid.push(message);
  speak(client);
}

/**
 * Sends what may be sent now. Without this limit, a client that reconnects with many channels would
 * be closed (WS-5).
 */
function speak(client: Client): void {
  while (client.sayable > 0) {
    const message = client.unsaid.shift();
    if (message === undefined) break;
    client.sayable -= 1;
    client.socket?.send(JSON.stringify(message));
  }
  if (client.sayable === messagesAtOnce) return;
  client.pacing ??= setTimeout(() => {
    client.pacing = undefined;
    client.sayable += 1;
    speak(client);
  }, messageMs);
}

function connect(client: Client): void {
  const { url, openSocket = openPlatformSocket } = client.options;
  const isNow = (): boolean => client.socket === socket && !client.closed;
  const socket = openSocket(url, {
    onOpen: () => {
      if (isNow()) begin(client, isNow);
    },
    onText: (text) => {
      if (isNow()) take(client, JSON.parse(text) as Incoming);
    },
    onClose: () => {
      if (isNow()) comeBack(client);
    },
  });
  client.socket = socket;
}

/** The connection is open: the login is sent first, then every channel. */
function begin(client: Client, isNow: () => boolean): void {
  client.connections += 1;
  client.heardSincePing = true;
  client.pinging = setInterval(() => ping(client), pingMs);
  const { token } = client.options;
  if (token === undefined) {
    takeUp(client);
    return;
  }
  token().then(
    (text) => {
      if (!isNow()) return;
      say(client, { type: 'auth', token: text });
      takeUp(client);
    },
    () => {
      if (isNow()) comeBack(client);
    },
  );
}

/** A connection that is not ready yet takes the newest token by itself. */
function renewToken(client: Client): void {
  const { socket, options, ready } = client;
  if (!ready || options.token === undefined) return;
  options.token().then(
    (text) => {
      if (client.socket === socket) say(client, { type: 'auth', token: text });
    },
    () => {
      if (client.socket === socket) comeBack(client);
    },
  );
}

/** The exchange reads one message after the other, so no message need wait for an answer. */
function takeUp(client: Client): void {
  client.ready = true;
  client.disconnects.begin();
  for (const channel of client.channels.values()) {
    const { name, seq, epoch } = channel;
    if (seq < 0) ask(client, channel);
    else {
      client.resumes += 1;
      channel.asked = false;
      say(client, { type: 'resume', channel: name, epoch, seq });
    }
  }
}

/** Begins the channel anew; messages that are still on the way from before are skipped. */
function ask(client: Client, channel: Channel): void {
  channel.seq = -1;
  channel.asked = true;
  say(client, { type: 'subscribe', channel: channel.name });
}

function ping(client: Client): void {
  if (!client.heardSincePing) {
    comeBack(client);
    return;
  }
  client.heardSincePing = false;
  say(client, { type: 'ping' });
}

/** Closes the connection and ignores everything that still arrives on it. */
function leave(client: Client): void {
  clearInterval(client.pinging);
  clearTimeout(client.pacing);
  client.disconnects.end();
  client.socket = undefined;
  client.ready = false;
  client.unsaid = [];
  client.sayable = messagesAtOnce;
  client.pacing = undefined;
}

function comeBack(client: Client): void {
  const { socket } = client;
  if (client.closed || socket === undefined) return;
  leave(client);
  socket.close();
  client.timer = setTimeout(() => connect(client), client.retryMs);
  client.retryMs = Math.min(retryMsMax, client.retryMs * 2);
}

function take(client: Client, message: Incoming): void {
  client.heardSincePing = true;
  client.retryMs = client.options.retryMs ?? defaultRetryMs;
  switch (message.type) {
    case 'subscribed':
      begun(client, message.channel);
      return;
    case 'reset':
      client.resets += 1;
      begun(client, message.channel);
      return;
    case 'error':
      refused(client, message);
      return;
    case 'cancel_on_disconnect':
      client.disconnects.confirm(message);
      client.options.onArmed?.(message);
      return;
    case 'ticker':
      client.channels.get(`ticker:${message.symbol}`)?.onMessage(message as never);
      return;
    case 'tickers':
    case 'prices':
    case 'levels':
      takeInPassing(client, message);
      return;
    case 'depth':
    case 'trade':
    case 'candle':
    case 'account':
      if ('seq' in message) takeNumbered(client, message);
      else takeInPassing(client, message);
      return;
    default:
      return;
  }
}

function refused({ disconnects, options }: Client, failure: StreamFailure): void {
  const isHeard = failure.request !== undefined && disconnects.refuse(failure);
  if (!isHeard) options.onError?.(failure);
}

/** Whatever arrives on the channel after this is a new beginning. */
function begun({ channels }: Client, name: string): void {
  const channel = channels.get(name);
  if (channel === undefined) return;
  channel.seq = -1;
  channel.asked = false;
}

type Numbered = Extract<Incoming, { readonly seq: number }>;

/** Passes a message on if it is the next one; otherwise begins the channel anew (WS-2). */
function takeNumbered(client: Client, message: Numbered): void {
  const channel = client.channels.get(message.channel);
  if (channel === undefined || channel.asked) return;
  const { seq, prev_seq, epoch } = message;
  const follows = prev_seq === channel.seq && epoch === channel.epoch;
  if (channel.seq >= 0 && !follows && seq !== prev_seq) {
    client.gaps += 1;
    ask(client, channel);
    return;
  }
  channel.seq = seq;
  channel.epoch = epoch;
  channel.onMessage(message as never);
}

/** Passes on a message that has no number, unless its channel is beginning anew. */
function takeInPassing(client: Client, message: { readonly channel: string }): void {
  const channel = client.channels.get(message.channel);
  if (channel === undefined || channel.asked) return;
  channel.onMessage(message as never);
}

function openPlatformSocket(url: string, events: SocketEvents): StreamSocket {
  const socket = new WebSocket(url);
  socket.addEventListener('open', events.onOpen);
  socket.addEventListener('message', ({ data }) => events.onText(String(data)));
  socket.addEventListener('close', events.onClose);
  // A close event follows.
  socket.addEventListener('error', () => {});
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
