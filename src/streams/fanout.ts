// The channels that somebody reads, and how their messages come about: numbered when they are made,
// let go when what they tell is durable. How they then reach sockets stands in deliverSoon.ts.

import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import { createQueue, type Queue, queuePush } from '../std/queue.ts';
import { createAllowance } from './allowance.ts';
import { type Channel, type ChannelSource, createChannel, type Message } from './channel.ts';
import { deliverSoon, waitingMessages } from './deliverSoon.ts';
import { endSubscription, type Subscription } from './reader.ts';
import { createRetention, expire, forgetChannel, type Retention, retain } from './retention.ts';
import type { StreamBounds } from './streamBounds.ts';

export type FanoutOptions = {
  readonly clock: Clock;
  readonly bounds: StreamBounds;
  /** Drawn at every start: numbers of another one mean nothing here (WS-2). */
  readonly epoch: string;
  /** Calls back when everything applied by now is durable, at once when it already is. */
  readonly whenDurable: (release: () => void) => void;
  /** Runs a step in a later turn of the event loop. */
  readonly defer: (step: () => void) => void;
  /** Messages are made faster than they can be handed to sockets. */
  readonly onOverload: () => void;
};

/** Messages in the order in which they go out. */
export type Deliveries = {
  readonly messages: Queue<Message>;
  /** Who is still to get the first of them. */
  next: Iterator<Subscription> | undefined;
};

export type Fanout = FanoutOptions & {
  readonly channels: Map<string, Channel>;
  /** Made since the last `seal`. */
  made: Message[];
  readonly retention: Retention;
  /** Released, and not yet handed to all who read it: of accounts, and of all else. */
  readonly urgent: Deliveries;
  readonly deliveries: Deliveries;
  /** Subscriptions that get messages from their rings. */
  readonly replays: Queue<Subscription>;
  /** Whether a later turn goes on with deliveries and replays. */
  deferred: boolean;
  /** The highest number that a channel had which is no more. */
  seqFloor: number;
  /** Messages that were made since the start, and how often one was handed to a reader. */
  messages: number;
  sends: number;
};

export function createFanout(options: FanoutOptions): Fanout {
  return {
    ...options,
    channels: new Map(),
    made: [],
    retention: createRetention(options.bounds),
    urgent: { messages: createQueue(), next: undefined },
    deliveries: { messages: createQueue(), next: undefined },
    replays: createQueue(),
    deferred: false,
    seqFloor: 0,
    messages: 0,
    sends: 0,
  };
}

/** How a channel comes about when its first reader asks for it. */
export type Opening = {
  readonly key: string;
  readonly name: string;
  readonly resumable: boolean;
  /** Of one account: its messages do not wait behind those that many read. */
  readonly urgent?: boolean;
  /** Tells channels apart that have one name; part of their epochs. */
  readonly holder?: string;
  /** `channel` may be called once this has returned. */
  readonly open: (channel: () => Channel) => ChannelSource;
};

/** The channel of that key, opened when nobody has read it lately; undefined at the bound. */
export function openChannel(fanout: Fanout, opening: Opening): Channel | undefined {
  const { key, name, resumable, urgent = false, holder } = opening;
  const found = fanout.channels.get(key);
  if (found !== undefined) return found;
  if (fanout.channels.size >= fanout.bounds.channelsMax) return undefined;
  // Beyond every number that an earlier channel of that name can have given.
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

/** The members that say where a message stands (WS-2). */
export function placeOf(
  { name, epoch }: Channel,
  numbers: { readonly seq: number; readonly prevSeq: number },
): string {
  const { seq, prevSeq } = numbers;
  return `"channel":"${name}","seq":${seq},"prev_seq":${prevSeq},"epoch":"${epoch}"`;
}

/** Makes the channel's next message; it leaves after the next `seal`, when all is durable. */
export function publish(
  fanout: Fanout,
  channel: Channel,
  write: (place: string) => string,
  event = '',
): void {
  const prevSeq = channel.seq;
  const seq = prevSeq + 1;
  const bytes = Buffer.from(write(placeOf(channel, { seq, prevSeq })));
  channel.seq = seq;
  fanout.messages += 1;
  fanout.made.push({ channel, seq, bytes, event, wrapped: undefined });
}

/** What was made since the last time leaves when everything applied by now is durable. */
export function seal(fanout: Fanout): void {
  if (fanout.made.length === 0) return;
  const { made } = fanout;
  fanout.made = [];
  fanout.whenDurable(() => release(fanout, made));
}

function release(fanout: Fanout, made: readonly Message[]): void {
  const { retention, urgent, deliveries, bounds, channels } = fanout;
  const now = fanout.clock.now();
  for (const message of made) {
    const { channel } = message;
    if (channels.get(channel.key) !== channel) continue;
    channel.released = message.seq;
    if (channel.resumable) retain(retention, message, now);
    if (channel.subscriptions.size === 0) continue;
    queuePush((channel.urgent ? urgent : deliveries).messages, message);
  }
  if (waitingMessages(fanout) > bounds.deliveriesMax) fanout.onOverload();
  else deliverSoon(fanout);
}

/** Forgets old messages, and channels that nobody has read for as long as a ring lasts. */
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
  fanout.channels.delete(channel.key);
  fanout.seqFloor = Math.max(fanout.seqFloor, channel.seq);
  channel.source.close();
}
