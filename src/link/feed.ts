// The feed of the holder of the lease: which batches go to its followers, and when. It decides and
// does nothing. A batch goes out when it is durable and not before, so that whatever becomes of
// the holder, no follower has applied what the log does not contain.

import type { LogHead, LogPlace } from '../log/log.ts';
import { assert } from '../std/assert.ts';
import { createQueue, type Queue, queueAt, queuePush, queueShift } from '../std/queue.ts';
import type { FedBatch, Follow, Lead } from './linkMessage.ts';

export type Feed = {
  readonly epoch: number;
  durable: LogPlace;
  /** Batches on their way into the log, oldest first. */
  readonly onTheWay: Queue<FedBatch>;
};

/** The lease is held in this epoch, and the log ends here. */
export function createFeed(epoch: number, durable: LogPlace): Feed {
  return { epoch, durable, onTheWay: createQueue() };
}

/** The holder has given this batch to the log and applied it. */
export function recordBatch(feed: Feed, batch: FedBatch): void {
  const { onTheWay, durable } = feed;
  const last = queueAt(onTheWay, onTheWay.length - 1)?.position ?? durable.position;
  assert(batch.position === last + 1, 'batches are recorded in the order of the log');
  queuePush(onTheWay, batch);
}

/** The log is durable up to `head`: the batches that go to every follower now. */
export function takeDurable(feed: Feed, head: LogHead): FedBatch[] {
  const taken: FedBatch[] = [];
  while ((queueAt(feed.onTheWay, 0)?.position ?? Number.POSITIVE_INFINITY) <= head.position) {
    taken.push(queueShift(feed.onTheWay)!);
  }
  feed.durable = { position: head.position, hash: head.hash.toString('hex') };
  return taken;
}

/** The answer to a process that wants to follow; a sentence when it must not. */
export function answerFollow({ epoch, durable }: Feed, { place }: Follow): Lead | string {
  if (place.position > durable.position) {
    return `batch ${place.position} is applied there, and ${durable.position} is durable here`;
  }
  if (place.position === durable.position && place.hash !== durable.hash) {
    return `batch ${place.position} is another one there than here`;
  }
  return { kind: 'lead', epoch, durable };
}
