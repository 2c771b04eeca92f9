// One connection as the fan-out sees it: a consumer of bytes that may fall behind. The sessions
// know its client and its requests; the gateway has the socket itself.

import type { Channel } from './channel.ts';
import { closeCodes } from './closeCodes.ts';
import type { DisconnectSwitch, Disconnects } from './disconnectSwitch.ts';

/** Messages that many sockets get, in this order. */
export type SharedTexts = {
  readonly texts: readonly Buffer[];
  /** Their frames; made by the first socket that needs them. */
  frames: Buffer | undefined;
};

/** A socket, as its owner lends it. */
export type Wire = {
  /** `taken` is called when the socket holds none of it any more. */
  readonly send: (bytes: Buffer, taken?: () => void) => void;
  /** They need not leave in this turn of the event loop. */
  readonly sendShared: (shared: SharedTexts) => void;
  /** Bytes that were sent and that the peer has not taken yet. */
  readonly backlog: () => number;
  readonly ping: () => void;
  /** Closes it with a code of RFC 6455. */
  readonly close: (code: number, reason: string) => void;
  /** Ends it at once, with everything that waits in it. */
  readonly cut: () => void;
};

/** The count of readers that were too far behind, and of their lost bytes. */
export type Losses = { readersCut: number; bytesDropped: number };

export type Reader = {
  readonly wire: Wire;
  /** Of all readers together. */
  readonly losses: Losses;
  readonly backlogBytesMax: number;
  /** By the channel's key. */
  readonly subscriptions: Map<string, Subscription>;
  /** Whether messages are members of an object that names the stream (conventions, 13.1). */
  wraps: boolean;
  /** Closed, by the exchange or by its peer: it receives no more. */
  gone: boolean;
  /** Made when its client arms the connection for the first time (COD-1). */
  disconnect: DisconnectSwitch | undefined;
};

/** A reader's place in a channel. */
export type Subscription = {
  readonly reader: Reader;
  readonly channel: Channel;
  /** The events that it wants from the channel; undefined: all (conventions, 12.2). */
  readonly events: ReadonlySet<string> | undefined;
  /** The number of the next message for it; infinite while its snapshot is on the way. */
  next: number;
  /** The count of messages at its snapshot: messages in passing from before are not for it. */
  since: number;
  /** Whether it is receiving the ring; live messages then skip it. */
  replaying: boolean;
  ended: boolean;
};

export function createReader(
  wire: Wire,
  { losses, backlogBytesMax }: Pick<Reader, 'losses' | 'backlogBytesMax'>,
): Reader {
  return {
    wire,
    losses,
    backlogBytesMax,
    subscriptions: new Map(),
    wraps: false,
    gone: false,
    disconnect: undefined,
  };
}

/** Sends, and closes a reader that is too far behind: it is never waited for (WS-4). */
export function sendBytes(reader: Reader, bytes: Buffer, taken?: () => void): void {
  if (reader.gone) return;
  reader.wire.send(bytes, taken);
  boundBacklog(reader);
}

/** The same for messages that many readers get. */
export function sendShared(reader: Reader, shared: SharedTexts): void {
  if (reader.gone) return;
  reader.wire.sendShared(shared);
  boundBacklog(reader);
}

function boundBacklog(reader: Reader): void {
  if (reader.wire.backlog() > reader.backlogBytesMax) cutReader(reader);
}

export function sendText(reader: Reader, text: string): void {
  sendBytes(reader, Buffer.from(text));
}

/** Drops a reader at once, with everything that it has not received. */
export function cutReader(reader: Reader): void {
  reader.losses.readersCut += 1;
  reader.losses.bytesDropped += reader.wire.backlog();
  endReader(reader);
  reader.wire.cut();
}

/** Sends the reader the reason and closes it. */
export function closeReader(reader: Reader, code: number, reason: string): void {
  if (reader.gone) return;
  endReader(reader);
  reader.wire.close(code, reason);
}

/**
 * Removes the reader from every channel, and reports the end of an armed connection (COD-4); the
 * owner of the socket closes it.
 */
export function endReader(reader: Reader): void {
  reader.gone = true;
  reader.disconnect?.end();
  for (const subscription of reader.subscriptions.values()) endSubscription(subscription);
}

/** The switch of its connection. */
export function switchOf(reader: Reader, disconnects: Pick<Disconnects, 'open'>): DisconnectSwitch {
  const close = (): void => closeReader(reader, closeCodes.tryAgainLater, connectionLost);
  reader.disconnect ??= disconnects.open(close);
  return reader.disconnect;
}

const connectionLost = 'Orders ended: this process was away.';

export function endSubscription(subscription: Subscription): void {
  const { reader, channel } = subscription;
  subscription.ended = true;
  channel.subscriptions.delete(subscription);
  if (reader.subscriptions.get(channel.key) === subscription) {
    reader.subscriptions.delete(channel.key);
  }
}
