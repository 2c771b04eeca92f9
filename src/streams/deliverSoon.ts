// Sends released messages to sockets. Messages of accounts go first. Each turn sends a bounded
// number, so that orders are served between turns. The order within a channel is kept. A channel
// with many readers rests between two runs of its messages (CON-7). It also sends rings to readers
// that reconnected.

import { assert } from '../std/assert.ts';
import { queueAt, queuePush, queueShift } from '../std/queue.ts';
import {
  bytesFor,
  type Channel,
  type Message,
  type Run,
  ringCovers,
  sharedFor,
  textsFor,
} from './channel.ts';
import type { Deliveries, Fanout } from './fanout.ts';
import { cutReader, type Subscription, sendBytes, sendShared } from './reader.ts';
import type { StreamBounds } from './streamBounds.ts';

/** Sends now what one turn may send, and the rest in later turns. */
export function deliverSoon(fanout: Fanout): void {
  const { urgent, deliveries, replays, bounds } = fanout;
  deliver(fanout, urgent, sendsInTurn(bounds, urgent.runs.length));
  if (fanout.deferred) return;
  deliver(fanout, deliveries, sendsInTurn(bounds, deliveries.runs.length));
  replay(fanout, sendsInTurn(bounds, replays.length));
  const { length } = urgent.runs;
  if (length + deliveries.runs.length + replays.length === 0) return;
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

/** The message is sent when its channel may send the next run. */
export function addToRun(fanout: Fanout, message: Message, now: number): void {
  const { channel } = message;
  fanout.waiting += 1;
  if (channel.run !== undefined) channel.run.messages.push(message);
  else channel.run = { channel, messages: [message], plain: undefined, wrapped: undefined };
  if (mayRun(fanout, channel, now)) beginRun(fanout, channel, now);
  else fanout.resting.add(channel);
}

/** A channel that is closed has no readers for what waits. */
export function dropRun(fanout: Fanout, channel: Channel): void {
  fanout.waiting -= channel.run?.messages.length ?? 0;
  channel.run = undefined;
  fanout.resting.delete(channel);
}

/** Sends the runs of channels that have rested. */
export function sendRested(fanout: Fanout, now: number): void {
  if (fanout.resting.size === 0) return;
  for (const channel of fanout.resting) {
    if (mayRun(fanout, channel, now)) beginRun(fanout, channel, now);
  }
  deliverSoon(fanout);
}

/** After a clock was set back, it may at once. */
function mayRun({ bounds }: Fanout, { restsUntil }: Channel, now: number): boolean {
  return now >= restsUntil || restsUntil - now > bounds.restMsMax;
}

function beginRun(fanout: Fanout, channel: Channel, now: number): void {
  const { fewReaders, restMsPerReader, restMsMax } = fanout.bounds;
  const { run, urgent } = channel;
  const readers = channel.subscriptions.size;
  if (run === undefined) return;
  channel.run = undefined;
  fanout.resting.delete(channel);
  queuePush((urgent ? fanout.urgent : fanout.deliveries).runs, run);
  if (urgent || readers <= fewReaders) return;
  channel.restsUntil = now + Math.min(readers * restMsPerReader, restMsMax);
}

function deliver(fanout: Fanout, deliveries: Deliveries, sendsMax: number): void {
  let sends = 0;
  for (;;) {
    const run = queueAt(deliveries.runs, 0);
    if (run === undefined) return;
    deliveries.next ??= run.channel.subscriptions.values();
    for (;;) {
      if (sends >= sendsMax) return;
      const { done, value } = deliveries.next.next();
      if (done === true) break;
      deliverTo(fanout, value, run);
      sends += 1;
    }
    deliveries.next = undefined;
    fanout.waiting -= run.messages.length;
    queueShift(deliveries.runs);
  }
}

function deliverTo(fanout: Fanout, subscription: Subscription, run: Run): void {
  const { messages } = run;
  const { reader } = subscription;
  const taken = messages.filter((message) => takes(subscription, message));
  fanout.sends += taken.length;
  if (run.channel.urgent && !messages.some(({ passing }) => passing)) {
    for (const message of taken) sendBytes(reader, bytesFor(reader, message));
  } else if (taken.length === messages.length) sendShared(reader, sharedFor(reader, run));
  else if (taken.length > 0) sendShared(reader, textsFor(reader, taken));
}

/** Whether the reader gets this message now; it counts as passed then. */
function takes(subscription: Subscription, message: Message): boolean {
  if (subscription.replaying || !isNext(subscription, message)) return false;
  if (!message.passing) subscription.next += 1;
  const { events } = subscription;
  return events === undefined || events.has(message.event);
}

/** Whether the reader gets this message now, and not with its snapshot or from the ring. */
function isNext({ next, since }: Subscription, { seq, passing, made }: Message): boolean {
  if (passing) return next === seq + 1 && made > since;
  if (seq < next) return false;
  assert(seq === next, 'a reader misses no message');
  return true;
}

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
    sendBytes(reader, bytes, taken);
    return sends;
  }
  queuePush(fanout.replays, subscription);
  return replaySends;
}
