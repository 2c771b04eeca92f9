// Which released messages a reader can still request (WS-2): those of the last ten minutes, with a
// bound for each channel and a bound on the bytes of all channels.

import { createQueue, type Queue, queueAt, queuePush, queueShift } from '../std/queue.ts';
import type { Channel, Message } from './channel.ts';
import type { StreamBounds } from './streamBounds.ts';

type RetentionBounds = Pick<StreamBounds, 'ringMessagesMax' | 'ringMs' | 'ringBytesMax'>;

type Retained = { readonly channel: Channel; readonly seq: number; readonly at: number };

export type Retention = {
  readonly bounds: RetentionBounds;
  /**
   * Every message of every ring in order of release, with those that have already left their ring.
   */
  readonly all: Queue<Retained>;
  /** The bytes of all rings. */
  bytes: number;
};

export function createRetention(bounds: RetentionBounds): Retention {
  return { bounds, all: createQueue(), bytes: 0 };
}

/** Puts a message that is released now into its channel's ring. */
export function retain(retention: Retention, message: Message, now: number): void {
  const { channel, seq } = message;
  queuePush(channel.ring, message);
  queuePush(retention.all, { channel, seq, at: now });
  retention.bytes += message.bytes.length;
  if (channel.ring.length > retention.bounds.ringMessagesMax) forgetOldest(retention, channel);
  expire(retention, now);
}

/** Forgets messages that are too old or beyond the bound. */
export function expire(retention: Retention, now: number): void {
  const { all, bounds } = retention;
  for (;;) {
    const oldest = queueAt(all, 0);
    if (oldest === undefined) return;
    // The oldest message of all is also the oldest of its channel, unless the channel has dropped
    // it.
    const there = queueAt(oldest.channel.ring, 0)?.seq === oldest.seq;
    const due = now - oldest.at > bounds.ringMs || retention.bytes > bounds.ringBytesMax;
    if (there && !due) return;
    queueShift(all);
    if (there) forgetOldest(retention, oldest.channel);
  }
}

/** Forgets all messages of a channel. */
export function forgetChannel(retention: Retention, channel: Channel): void {
  while (channel.ring.length > 0) forgetOldest(retention, channel);
}

function forgetOldest(retention: Retention, { ring }: Channel): void {
  const message = queueShift(ring);
  if (message !== undefined) retention.bytes -= message.bytes.length;
}
