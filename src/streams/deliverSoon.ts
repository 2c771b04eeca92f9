// Released messages on their way into sockets: those of accounts first, a bounded number a turn, so
// that orders are served between, in the order of each channel; and rings on their way to readers
// that came back.

import { assert } from '../std/assert.ts';
import { queueAt, queuePush, queueShift } from '../std/queue.ts';
import { bytesFor, type Message, ringCovers } from './channel.ts';
import type { Deliveries, Fanout } from './fanout.ts';
import { cutReader, type Subscription, sendBytes } from './reader.ts';
import type { StreamBounds } from './streamBounds.ts';

/** Delivers now what a turn may, and the rest in later ones. */
export function deliverSoon(fanout: Fanout): void {
  const { urgent, deliveries, replays, bounds } = fanout;
  deliver(fanout, urgent, sendsInTurn(bounds, urgent.messages.length));
  if (fanout.deferred) return;
  deliver(fanout, deliveries, sendsInTurn(bounds, deliveries.messages.length));
  replay(fanout, sendsInTurn(bounds, replays.length));
  if (waitingMessages(fanout) === 0 && replays.length === 0) return;
  fanout.deferred = true;
  fanout.defer(() => {
    fanout.deferred = false;
    deliverSoon(fanout);
  });
}

/** The more waits, the longer a turn: a busy exchange must not fall behind for good. */
function sendsInTurn({ sendsPerTurn, sendsPerTurnMax }: StreamBounds, waiting: number): number {
  return Math.min(sendsPerTurn * waiting, sendsPerTurnMax);
}

/** Messages that somebody is still to get. */
export function waitingMessages({ urgent, deliveries }: Fanout): number {
  return urgent.messages.length + deliveries.messages.length;
}

function deliver(fanout: Fanout, deliveries: Deliveries, sendsMax: number): void {
  let sends = 0;
  for (;;) {
    const message = queueAt(deliveries.messages, 0);
    if (message === undefined) return;
    deliveries.next ??= message.channel.subscriptions.values();
    for (;;) {
      if (sends === sendsMax) return;
      const { done, value } = deliveries.next.next();
      if (done === true) break;
      deliverTo(fanout, value, message);
      sends += 1;
    }
    deliveries.next = undefined;
    queueShift(deliveries.messages);
  }
}

function deliverTo(fanout: Fanout, subscription: Subscription, message: Message): void {
  // What it gets with its snapshot or from the ring passes it by.
  if (subscription.replaying || message.seq < subscription.next) return;
  assert(message.seq === subscription.next, 'a reader misses no message');
  subscription.next += 1;
  const { reader, events } = subscription;
  if (events === undefined || events.has(message.event)) {
    fanout.sends += 1;
    sendBytes(reader, bytesFor(reader, message), message.channel.urgent ? undefined : patient);
  }
}

const patient = { mayWait: true } as const;

/** The subscription goes on with message `next`, from the ring as far as it must. */
export function goOn(fanout: Fanout, subscription: Subscription, next: number): void {
  subscription.next = next;
  if (next > subscription.channel.released) return;
  subscription.replaying = true;
  queuePush(fanout.replays, subscription);
  deliverSoon(fanout);
}

function replay(fanout: Fanout, sendsMax: number): void {
  let sends = 0;
  while (sends < sendsMax) {
    const subscription = queueShift(fanout.replays);
    if (subscription === undefined) return;
    sends += 1 + replayPart(fanout, subscription);
  }
}

/** As much as a reader takes before it is another's turn; gives how many messages. */
function replayPart(fanout: Fanout, subscription: Subscription): number {
  const { reader, channel } = subscription;
  const { replaySends, replayBytesMax } = fanout.bounds;
  for (let sends = 0; sends < replaySends; sends += 1) {
    if (subscription.ended) return sends;
    if (!ringCovers(channel, subscription.next - 1)) {
      // It reads more slowly than the channel speaks.
      cutReader(reader);
      return sends;
    }
    const oldest = queueAt(channel.ring, 0);
    const message = queueAt(channel.ring, subscription.next - (oldest?.seq ?? 0));
    if (message === undefined) {
      subscription.replaying = false;
      return sends;
    }
    subscription.next += 1;
    fanout.sends += 1;
    const bytes = bytesFor(reader, message);
    if (reader.wire.backlog() < replayBytesMax) {
      sendBytes(reader, bytes);
      continue;
    }
    const taken = (): void => {
      queuePush(fanout.replays, subscription);
      deliverSoon(fanout);
    };
    sendBytes(reader, bytes, { taken });
    return sends;
  }
  queuePush(fanout.replays, subscription);
  return replaySends;
}
