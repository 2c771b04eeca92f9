// Sends released messages to sockets. Messages of accounts go first. Each turn sends a bounded
// number, so that orders are served between turns. The order within a channel is kept. It also
// sends rings to readers that reconnected.

import { assert } from '../std/assert.ts';
import { queueAt, queuePush, queueShift } from '../std/queue.ts';
import { bytesFor, type Message, ringCovers } from './channel.ts';
import type { Deliveries, Fanout } from './fanout.ts';
import { cutReader, type Subscription, sendBytes } from './reader.ts';
import type { StreamBounds } from './streamBounds.ts';

/** Sends now what one turn may send, and the rest in later turns. */
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

/**
 * The more messages wait, the longer a turn is, so that a busy exchange does not fall behind for
 * good.
 */
function sendsInTurn({ sendsPerTurn, sendsPerTurnMax }: StreamBounds, waiting: number): number {
  return Math.min(sendsPerTurn * waiting, sendsPerTurnMax);
}

/** The number of messages that at least one reader still has to get. */
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
  if (subscription.replaying || !isNext(subscription, message)) return;
  if (!message.passing) subscription.next += 1;
  const { reader, events } = subscription;
  if (events === undefined || events.has(message.event)) {
    fanout.sends += 1;
    const urgent = message.channel.urgent && !message.passing;
    sendBytes(reader, bytesFor(reader, message), urgent ? undefined : patient);
  }
}

/** Whether the reader gets this message now, and not with its snapshot or from the ring. */
function isNext({ next, since }: Subscription, { seq, passing, made }: Message): boolean {
  if (passing) return next === seq + 1 && made > since;
  if (seq < next) return false;
  assert(seq === next, 'a reader misses no message');
  return true;
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

/** Sends one reader's share before the next reader's turn; gives the number of messages. */
function replayPart(fanout: Fanout, subscription: Subscription): number {
  const { reader, channel } = subscription;
  const { replaySends, replayBytesMax } = fanout.bounds;
  for (let sends = 0; sends < replaySends; sends += 1) {
    if (subscription.ended) return sends;
    if (!ringCovers(channel, subscription.next - 1)) {
      // It reads more slowly than the channel sends.
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
