// The channels that have readers, and the making of their messages. A message gets its number when
// it is made, and is released when its content is durable. deliverSoon.ts sends messages to
// sockets.

import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import { createQueue, type Queue } from '../std/queue.ts';
import { createAllowance } from './allowance.ts';
import {
  type Channel,
  type ChannelSource,
  createChannel,
  type Message,
  type Run,
} from './channel.ts';
import { addToRun, deliverSoon, dropRun } from './deliverSoon.ts';
import { endSubscription, type Subscription } from './reader.ts';
import { createRetention, expire, forgetChannel, type Retention, retain } from './retention.ts';
import type { StreamBounds } from './streamBounds.ts';

export type FanoutOptions = {
  readonly clock: Clock;
  readonly bounds: StreamBounds;
  /** Drawn at every start: numbers of another epoch have no meaning here (WS-2). */
  readonly epoch: string;
  /** Calls back when everything applied by now is durable; at once when it already is. */
  readonly whenDurable: (release: () => void) => void;
  /** Runs a step in a later turn of the event loop. */
  readonly defer: (step: () => void) => void;
  /** Called when messages are made faster than sockets can take them. */
  readonly onOverload: () => void;
};

/** Messages in the order of sending. */
export type Deliveries = {
  readonly runs: Queue<Run>;
  /** The next readers of the first run. */
  next: Iterator<Subscription> | undefined;
};

export type Fanout = FanoutOptions & {
  readonly channels: Map<string, Channel>;
  /** Made since the last `seal`. */
  made: Message[];
  readonly retention: Retention;
  /** Released, but not yet sent to all readers: messages of accounts, and all others. */
  readonly urgent: Deliveries;
  readonly deliveries: Deliveries;
  /** Channels that rest, with a run for later. */
  readonly resting: Set<Channel>;
  /** The number of messages that at least one reader still has to get. */
  waiting: number;
  /** Subscriptions that get messages from their rings. */
  readonly replays: Queue<Subscription>;
  /** Whether a later turn will continue deliveries and replays. */
  deferred: boolean;
  /** The highest number of a channel that no longer exists. */
  seqFloor: number;
  /** Messages that were made since the start, and how often one was sent to a reader. */
  messages: number;
  sends: number;
};

export function createFanout(options: FanoutOptions): Fanout {
  return {
    ...options,
    channels: new Map(),
    made: [],
    retention: createRetention(options.bounds),
    urgent: { runs: createQueue(), next: undefined },
    deliveries: { runs: createQueue(), next: undefined },
    resting: new Set(),
    waiting: 0,
    replays: createQueue(),
    deferred: false,
    seqFloor: 0,
    messages: 0,
    sends: 0,
  };
}

/** How to open a channel when its first reader asks for it. */
export type Opening = {
  readonly key: string;
  readonly name: string;
  readonly resumable: boolean;
  /** Of one account: its messages do not wait behind those with many readers. */
  readonly urgent?: boolean;
  /** Distinguishes channels that have the same name; part of their epochs. */
  readonly holder?: string;
  /** The function `channel` may be called after this has returned. */
  readonly open: (channel: () => Channel) => ChannelSource;
};

/** The channel of that key; it is opened when it had no readers lately. undefined at the bound. */
export function openChannel(fanout: Fanout, opening: Opening): Channel | undefined {
  const { key, name, resumable, urgent = false, holder } = opening;
  const found = fanout.channels.get(key);
  if (found !== undefined) return found;
  if (fanout.channels.size >= fanout.bounds.channelsMax) return undefined;
  // Higher than every number that an earlier channel of that name can have given.
  const seq = fanout.seqFloor + 1;
  let channel: Channel | undefined;
  const source = opening.open(() => must(channel, 'a source speaks after it was opened'));
  const perSecond = fanout.bounds.snapshotsPerSecond;
  const allowance = createAllowance({ max: perSecond, perSecond }, fanout.clock.now());
  const epoch = holder === undefined ? fanout.epoch : `${fanout.epoch}-${holder}`;
  channel = createChannel({ key, name, epoch, resumable, urgent, source, seq, allowance });
  fanout.channels.set(key, channel);
  return channel;
}

/** The members that give a message's place (WS-2). */
export function placeOf(
  { name, epoch }: Channel,
  numbers: { readonly seq: number; readonly prevSeq: number },
): string {
  const { seq, prevSeq } = numbers;
  return `"channel":"${name}","seq":${seq},"prev_seq":${prevSeq},"epoch":"${epoch}"`;
}

/**
 * Makes the channel's next message. It is sent after the next `seal`, when everything is durable.
 */
export function publish(
  fanout: Fanout,
  channel: Channel,
  write: (place: string) => string,
  event = '',
): void {
  const prevSeq = channel.seq;
  const seq = prevSeq + 1;
  const text = write(placeOf(channel, { seq, prevSeq }));
  channel.seq = seq;
  make(fanout, channel, { seq, text, event, passing: false });
}

/** Makes a message without a number of its own; it is sent in its turn, like the numbered ones. */
export function publishInPassing(fanout: Fanout, channel: Channel, text: string): void {
  make(fanout, channel, { seq: channel.seq, text, event: '', passing: true });
}

type Making = Pick<Message, 'seq' | 'event' | 'passing'> & { readonly text: string };

function make(fanout: Fanout, channel: Channel, { text, ...making }: Making): void {
  fanout.messages += 1;
  const made = fanout.messages;
  const bytes = Buffer.from(text);
  fanout.made.push({ channel, ...making, made, bytes, wrapped: undefined });
}

/**
 * Releases the messages made since the last call, as soon as everything applied by now is durable.
 */
export function seal(fanout: Fanout): void {
  if (fanout.made.length === 0) return;
  const { made } = fanout;
  fanout.made = [];
  fanout.whenDurable(() => release(fanout, made));
}

function release(fanout: Fanout, made: readonly Message[]): void {
  const { retention, bounds, channels } = fanout;
  const now = fanout.clock.now();
  for (const message of made) {
    const { channel } = message;
    if (channels.get(channel.key) !== channel) continue;
    channel.released = message.seq;
    if (channel.resumable && !message.passing) retain(retention, message, now);
    if (channel.subscriptions.size === 0) continue;
    addToRun(fanout, message, now);
  }
  if (fanout.waiting > bounds.deliveriesMax) fanout.onOverload();
  else deliverSoon(fanout);
}

/** Forgets old messages, and channels that had no readers for as long as a ring lasts. */
export function sweepChannels(fanout: Fanout): void {
  const { retention, bounds, channels } = fanout;
  const now = fanout.clock.now();
  expire(retention, now);
  for (const channel of channels.values()) {
    if (channel.subscriptions.size > 0) channel.idleSince = 0;
    else if (channel.idleSince === 0) channel.idleSince = now;
    else if (!channel.resumable || now - channel.idleSince > bounds.ringMs) {
      closeChannel(fanout, channel);
    }
  }
}

export function closeChannel(fanout: Fanout, channel: Channel): void {
  for (const subscription of channel.subscriptions) endSubscription(subscription);
  forgetChannel(fanout.retention, channel);
  dropRun(fanout, channel);
  fanout.channels.delete(channel.key);
  fanout.seqFloor = Math.max(fanout.seqFloor, channel.seq);
  channel.source.close();
}
