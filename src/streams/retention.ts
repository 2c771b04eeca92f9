// Which released messages can be asked for again (WS-2): those of the last ten minutes, at most so
// many of a channel, at most so many bytes of all channels.

import { createQueue, type Queue, queueAt, queuePush, queueShift } from '../std/queue.ts';
import type { Channel, Message } from './channel.ts';
import type { StreamBounds } from './streamBounds.ts';

type RetentionBounds = Pick<StreamBounds, 'ringMessagesMax' | 'ringMs' | 'ringBytesMax'>;

type Retained = { readonly channel: Channel; readonly seq: number; readonly at: number };

export type Retention = {
  readonly bounds: RetentionBounds;
  /** Every message of every ring by the time of its release, and what left its ring before. */
  readonly all: Queue<Retained>;
  /** Of the rings. */
  bytes: number;
};

export function createRetention(bounds: RetentionBounds): Retention {
  return { bounds, all: createQueue(), bytes: 0 };
}

/** Puts a message that leaves now into its channel's ring. */
export function retain(retention: Retention, message: Message, now: number): void {
  const { channel, seq } = message;
  queuePush(channel.ring, message);
  queuePush(retention.all, { channel, seq, at: now });
  retention.bytes += message.bytes.length;
  if (channel.ring.length > retention.bounds.ringMessagesMax) forgetOldest(retention, channel);
  expire(retention, now);
}

/** Forgets what is too old or too much. */
export function expire(retention: Retention, now: number): void {
  const { all, bounds } = retention;
  for (;;) {
    const oldest = queueAt(all, 0);
    if (oldest === undefined) return;
    // The oldest of all is the oldest of its channel too, unless the channel has let go of it.
    const there = queueAt(oldest.channel.ring, 0)?.seq === oldest.seq;
    const due = now - oldest.at > bounds.ringMs || retention.bytes > bounds.ringBytesMax;
    if (there && !due) return;
    queueShift(all);
    if (there) forgetOldest(retention, oldest.channel);
  }
}

/** Forgets everything of a channel. */
export function forgetChannel(retention: Retention, channel: Channel): void {
  while (channel.ring.length > 0) forgetOldest(retention, channel);
}

function forgetOldest(retention: Retention, { ring }: Channel): void {
  const message = queueShift(ring);
  if (message !== undefined) retention.bytes -= message.bytes.length;
}
