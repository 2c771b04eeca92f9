// A channel: messages in one order, the same for all readers. It keeps the last of them for readers
// that reconnect (WS-2). The sources make the messages, and fanout.ts sends them.

import { createQueue, type Queue, queueAt } from '../std/queue.ts';
import type { Allowance } from './allowance.ts';
import type { Reader, SharedTexts, Subscription } from './reader.ts';

/** One message, serialised once for all its readers. */
export type Message = {
  readonly channel: Channel;
  /** Its number; of a message in passing the number of the message before it. */
  readonly seq: number;
  /**
   * In passing: it has no number of its own. The present readers get it, and no ring keeps it,
   * because the next one replaces it.
   */
  readonly passing: boolean;
  /** Counts the messages of all channels. */
  readonly made: number;
  readonly bytes: Buffer;
  /** The kind of event, for readers that chose kinds; empty where there is no choice. */
  readonly event: string;
  /** The same inside an object that names the stream; made when the first reader needs it. */
  wrapped: Buffer | undefined;
};

/** Messages of one channel that are sent to each reader together. */
export type Run = {
  readonly channel: Channel;
  readonly messages: Message[];
  /** Their texts for all readers of each form; made when the first reader needs them. */
  plain: SharedTexts | undefined;
  wrapped: SharedTexts | undefined;
};

/** The producer of a channel's messages. */
export type ChannelSource = {
  /**
   * The message that gives a reader the state as applied now; undefined when there is no state to
   * begin with. `place` are the members that every message of the channel has.
   */
  readonly snapshot: (place: string) => string | undefined;
  /**
   * A reader goes on from something older than the present: what passes without a number is due for
   * it again.
   */
  readonly repeat?: () => void;
  /** The channel has no readers any more. */
  readonly close: () => void;
};

export type Snapshot = {
  /** The number of the last message that it contains. */
  readonly seq: number;
  readonly bytes: Buffer | undefined;
};

export type Channel = {
  /** Unique in the process. */
  readonly key: string;
  /** The name that clients use. */
  readonly name: string;
  /** The epoch that its numbers belong to (WS-2). */
  readonly epoch: string;
  /** Whether it keeps a ring. */
  readonly resumable: boolean;
  /** Whether its messages are sent before those of other channels. */
  readonly urgent: boolean;
  readonly source: ChannelSource;
  /** The number of the last message, released or not. */
  seq: number;
  /** The number of the last released message. */
  released: number;
  /** Released messages that a reader can still request; their numbers have no gap. */
  readonly ring: Queue<Message>;
  readonly subscriptions: Set<Subscription>;
  /** Released messages that are not on their way yet. */
  run: Run | undefined;
  /** When the next run may be sent: a channel with many readers rests after each one. */
  restsUntil: number;
  /** When the channel was first seen without a reader; 0 while it has one. */
  idleSince: number;
  snapshot: Snapshot | undefined;
  /** The allowance of new snapshots. */
  readonly allowance: Allowance;
};

export type ChannelOptions = Pick<
  Channel,
  'key' | 'name' | 'epoch' | 'resumable' | 'urgent' | 'source' | 'allowance'
> & {
  /** The number before that of its first message. */
  readonly seq: number;
};

export function createChannel(options: ChannelOptions): Channel {
  return {
    ...options,
    released: options.seq,
    ring: createQueue(),
    subscriptions: new Set(),
    run: undefined,
    restsUntil: 0,
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

/** The message in the form for this reader. */
export function bytesFor({ wraps }: Reader, message: Message): Buffer {
  if (!wraps) return message.bytes;
  message.wrapped ??= wrap(message.channel.name, message.bytes);
  return message.wrapped;
}

/** The run in the form for this reader. */
export function sharedFor(reader: Reader, run: Run): SharedTexts {
  if (reader.wraps) {
    run.wrapped ??= textsFor(reader, run.messages);
    return run.wrapped;
  }
  run.plain ??= textsFor(reader, run.messages);
  return run.plain;
}

export function textsFor(reader: Reader, messages: readonly Message[]): SharedTexts {
  return { texts: messages.map((message) => bytesFor(reader, message)), frames: undefined };
}

/** `{"stream":"<name>","data":<message>}`. */
export function wrap(name: string, bytes: Buffer): Buffer {
  const head = Buffer.from(`{"stream":${JSON.stringify(name)},"data":`);
  return Buffer.concat([head, bytes, closingBrace]);
}

const closingBrace = Buffer.from('}');
