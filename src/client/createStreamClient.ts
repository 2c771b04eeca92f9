// A client of channels that reconnects by itself. After a new connection it resumes every channel
// where it stopped (WS-2), and begins a channel anew when it cannot be resumed. It keeps no copy of
// the data; subscribers keep their own.

import type { ChannelMessages } from '../api/streams/channelMessages.ts';
import { createDisconnectSwitch, type DisconnectSwitch } from './disconnectSwitch.ts';
import { createPacedSpeaker, type PacedSpeaker, type Said } from './pacedSpeaker.ts';
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
 * How often a ping is sent to notice a dead connection. When nothing has come since the ping
 * before, it is closed.
 */
const pingMs = 10_000;

type Channel = {
  readonly name: ChannelName;
  readonly onMessage: (message: never) => void;
  readonly onLive: (isLive: boolean) => void;
  /** What `onLive` has said last. */
  isLive: boolean;
  /** Of the last message; -1 before the first. */
  seq: number;
  epoch: string;
  /**
   * Whether the channel was requested and its new beginning has not arrived yet. Messages until
   * then belong to the old one.
   */
  asked: boolean;
  /** Whether it was resumed and no answer says yet what became of that. */
  resuming: boolean;
  /** Whether the exchange had no room for it: it is asked for again. */
  refused: boolean;
};

type Client = {
  readonly options: StreamClientOptions;
  readonly channels: Map<string, Channel>;
  readonly disconnects: DisconnectSwitch;
  /** What is said on this connection. */
  readonly speaker: PacedSpeaker;
  socket: StreamSocket | undefined;
  /** Whether the connection is open and, if a token is needed, logged in. */
  ready: boolean;
  heardSincePing: boolean;
  retryMs: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  pinging: ReturnType<typeof setInterval> | undefined;
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
    speaker: createPacedSpeaker((text) => client.socket?.send(text)),
    socket: undefined,
    ready: false,
    heardSincePing: true,
    retryMs: options.retryMs ?? defaultRetryMs,
    timer: undefined,
    pinging: undefined,
    closed: false,
    connections: 0,
    resumes: 0,
    resets: 0,
    gaps: 0,
  };
  connect(client);
  return {
    subscribe: (name, onMessage, onLive = () => {}) => {
      const before = client.channels.get(name);
      const fresh = { isLive: false, seq: -1, epoch: '', asked: false };
      const channel = { name, onMessage, onLive, ...fresh, resuming: false, refused: false };
      client.channels.set(name, channel);
      if (before !== undefined) setLive(before, false);
      if (client.ready) ask(client, channel);
    },
    unsubscribe: (name) => {
      const channel = client.channels.get(name);
      if (channel === undefined) return;
      client.channels.delete(name);
      if (client.ready) say(client, { type: 'unsubscribe', channel: name });
      setLive(channel, false);
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

function say({ speaker }: Client, message: Said): void {
  speaker.say(message);
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
      if (client.socket !== socket) return;
      say(client, { type: 'auth', token: text });
      client.disconnects.again();
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
  let resumed = false;
  for (const channel of client.channels.values()) {
    const { name, seq, epoch } = channel;
    if (seq < 0) ask(client, channel);
    else {
      client.resumes += 1;
      resumed = true;
      channel.asked = false;
      channel.resuming = true;
      say(client, { type: 'resume', channel: name, epoch, seq });
    }
  }
  // A channel without news says nothing: the answer to a ping behind shows that it was resumed.
  if (resumed) say(client, { type: 'ping' });
}

/** Begins the channel anew; messages that are still on the way from before are skipped. */
function ask(client: Client, channel: Channel): void {
  channel.seq = -1;
  channel.asked = true;
  channel.resuming = false;
  channel.refused = false;
  say(client, { type: 'subscribe', channel: channel.name });
  setLive(channel, false);
}

function setLive(channel: Channel, isLive: boolean): void {
  if (channel.isLive === isLive) return;
  channel.isLive = isLive;
  channel.onLive(isLive);
}

function ping(client: Client): void {
  // While the token is fetched nothing is asked.
  if (!client.ready) return;
  if (!client.heardSincePing) {
    comeBack(client);
    return;
  }
  client.heardSincePing = false;
  for (const channel of client.channels.values()) if (channel.refused) ask(client, channel);
  client.disconnects.again();
  say(client, { type: 'ping' });
}

/** Closes the connection and ignores everything that still arrives on it. */
function leave(client: Client): void {
  clearInterval(client.pinging);
  client.speaker.end();
  client.disconnects.end();
  client.socket = undefined;
  client.ready = false;
  for (const channel of [...client.channels.values()]) setLive(channel, false);
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
      refuse(client, message);
      return;
    case 'cancel_on_disconnect':
      client.disconnects.confirm(message);
      client.options.onArmed?.(message);
      return;
    case 'pong':
      resumed(client);
      return;
    case 'ticker':
      takeInPassing(client, message, `ticker:${message.symbol}`);
      return;
    case 'tickers':
    case 'prices':
    case 'levels':
      takeInPassing(client, message, message.channel);
      return;
    case 'depth':
    case 'trade':
    case 'candle':
    case 'account':
      if ('seq' in message) takeNumbered(client, message);
      else takeInPassing(client, message, message.channel);
      return;
    default:
      return;
  }
}

/** Whatever arrives on the channel after this is a new beginning. */
function begun({ channels }: Client, name: string): void {
  const channel = channels.get(name);
  if (channel === undefined) return;
  channel.seq = -1;
  channel.asked = false;
  channel.resuming = false;
  setLive(channel, false);
}

/** The exchange has read every request to resume, and has refused or reset none of these. */
function resumed({ channels }: Client): void {
  for (const channel of [...channels.values()]) {
    if (!channel.resuming) continue;
    channel.resuming = false;
    setLive(channel, true);
  }
}

function refuse(client: Client, failure: StreamFailure): void {
  const { channels, disconnects, options } = client;
  const isHeard = failure.request !== undefined && disconnects.refuse(failure);
  if (!isHeard) options.onError?.(failure);
  const channel = channels.get(failure.channel ?? '');
  if (channel === undefined) return;
  // No message of the channel comes. Another try is worth it only where the exchange had no room.
  channel.resuming = false;
  channel.refused = failure.code === 'TOO_MANY_REQUESTS';
  setLive(channel, false);
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
  give(client, channel, message);
}

/** Passes on a message that has no number, unless its channel is beginning anew. */
function takeInPassing(client: Client, message: Incoming, name: string): void {
  const channel = client.channels.get(name);
  if (channel === undefined || channel.asked) return;
  give(client, channel, message);
}

/** The subscriber takes the message first, and then what it means for its copy. */
function give({ channels }: Client, channel: Channel, message: Incoming): void {
  channel.onMessage(message as never);
  // The subscriber may have left the channel, or begun it anew.
  if (channels.get(channel.name) === channel && !channel.asked) setLive(channel, true);
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
