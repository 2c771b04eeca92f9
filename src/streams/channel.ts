// A channel: messages in one order, whoever reads them, and the last of them for readers that come
// back (WS-2). What its messages say stands with the sources; how they leave, in fanout.ts.

import { createQueue, type Queue, queueAt } from '../std/queue.ts';
import type { Allowance } from './allowance.ts';
import type { Reader, Subscription } from './reader.ts';

/** One message, serialised once for all its readers. */
export type Message = {
  readonly channel: Channel;
  readonly seq: number;
  readonly bytes: Buffer;
  /** What it is about, for readers that chose; empty where there is no choice. */
  readonly event: string;
  /** The same inside an object that names the stream; made when the first reader wants it. */
  wrapped: Buffer | undefined;
};

/** What makes a channel's messages. */
export type ChannelSource = {
  /**
   * The message that brings a reader up to the state as applied now; undefined where there is
   * nothing to begin from. `place` are the members that every message of the channel carries.
   */
  readonly snapshot: (place: string) => string | undefined;
  /** Nobody wants the channel any more. */
  readonly close: () => void;
};

export type Snapshot = {
  /** The last message that it contains. */
  readonly seq: number;
  readonly bytes: Buffer | undefined;
};

export type Channel = {
  /** Unique in the process. */
  readonly key: string;
  /** As clients call it. */
  readonly name: string;
  /** What its numbers belong to (WS-2). */
  readonly epoch: string;
  /** Whether it keeps a ring. */
  readonly resumable: boolean;
  /** Whether its messages go out before those of other channels. */
  readonly urgent: boolean;
  readonly source: ChannelSource;
  /** Given to the last message, released or not. */
  seq: number;
  /** The number of the last that was released. */
  released: number;
  /** What has been released and can be asked for again; numbers without a gap. */
  readonly ring: Queue<Message>;
  readonly subscriptions: Set<Subscription>;
  /** When it was first seen without a reader; 0 while it has one. */
  idleSince: number;
  snapshot: Snapshot | undefined;
  /** Of new snapshots. */
  readonly allowance: Allowance;
};

export type ChannelOptions = Pick<
  Channel,
  'key' | 'name' | 'epoch' | 'resumable' | 'urgent' | 'source' | 'allowance'
> & {
  /** The number before its first message's. */
  readonly seq: number;
};

export function createChannel(options: ChannelOptions): Channel {
  return {
    ...options,
    released: options.seq,
    ring: createQueue(),
    subscriptions: new Set(),
    idleSince: 0,
    snapshot: undefined,
  };
}

/** Whether the ring has every released message after number `seq`. */
export function ringCovers({ ring, released }: Channel, seq: number): boolean {
  if (seq >= released) return true;
  const oldest = queueAt(ring, 0);
  return oldest !== undefined && oldest.seq <= seq + 1;
}

/** The message as this reader takes it. */
export function bytesFor({ wraps }: Reader, message: Message): Buffer {
  if (!wraps) return message.bytes;
  message.wrapped ??= wrap(message.channel.name, message.bytes);
  return message.wrapped;
}

/** `{"stream":"<name>","data":<message>}`. */
export function wrap(name: string, bytes: Buffer): Buffer {
  const head = Buffer.from(`{"stream":${JSON.stringify(name)},"data":`);
  return Buffer.concat([head, bytes, closingBrace]);
}

const closingBrace = Buffer.from('}');
