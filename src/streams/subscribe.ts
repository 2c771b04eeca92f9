// How a reader joins a channel: with a snapshot, or where it stopped (WS-1, WS-2).

import { takeAllowance } from './allowance.ts';
import { type Channel, ringCovers, type Snapshot, wrap } from './channel.ts';
import { goOn } from './deliverSoon.ts';
import { type Fanout, placeOf } from './fanout.ts';
import { endSubscription, type Reader, type Subscription, sendBytes } from './reader.ts';

/** The reader gets the channel's snapshot, and then every message after it. */
export function subscribe(
  fanout: Fanout,
  reader: Reader,
  channel: Channel,
  events?: ReadonlySet<string>,
): Subscription {
  const subscription = enter(reader, channel, events);
  const { seq, bytes } = snapshotOf(fanout, channel);
  subscription.since = fanout.messages;
  fanout.whenDurable(() => {
    if (subscription.ended) return;
    if (bytes !== undefined) {
      sendBytes(reader, reader.wraps ? wrap(channel.name, bytes) : bytes);
    }
    goOn(fanout, subscription, seq + 1);
  });
  return subscription;
}

/**
 * The reader gets every message after number `seq`, which it had. False when some of them are
 * dropped, or when it cannot have had that number.
 */
export function resume(fanout: Fanout, reader: Reader, channel: Channel, seq: number): boolean {
  if (!channel.resumable || seq > channel.released || !ringCovers(channel, seq)) return false;
  channel.source.repeat?.();
  goOn(fanout, enter(reader, channel), seq + 1);
  return true;
}

/**
 * A subscription that gets no messages yet; it replaces the one that the reader had in the channel.
 */
function enter(reader: Reader, channel: Channel, events?: ReadonlySet<string>): Subscription {
  const before = reader.subscriptions.get(channel.key);
  if (before !== undefined) endSubscription(before);
  const subscription: Subscription = {
    reader,
    channel,
    events,
    next: Number.POSITIVE_INFINITY,
    since: 0,
    replaying: false,
    ended: false,
  };
  reader.subscriptions.set(channel.key, subscription);
  channel.subscriptions.add(subscription);
  channel.idleSince = 0;
  return subscription;
}

/**
 * The state as applied now. When too many readers ask, they get the last snapshot: with the
 * messages after it, from the ring or still to come, it gives the same state. Cost: that of the
 * source's snapshot.
 */
function snapshotOf(fanout: Fanout, channel: Channel): Snapshot {
  const { snapshot, seq, resumable, allowance } = channel;
  const again =
    snapshot !== undefined &&
    (resumable ? ringCovers(channel, snapshot.seq) : snapshot.seq === seq);
  if (!takeAllowance(allowance, fanout.clock.now()) && again) {
    channel.source.repeat?.();
    return snapshot;
  }
  const text = channel.source.snapshot(placeOf(channel, { seq, prevSeq: seq }));
  channel.snapshot = { seq, bytes: text === undefined ? undefined : Buffer.from(text) };
  return channel.snapshot;
}
