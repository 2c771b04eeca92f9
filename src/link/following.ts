// What a follower does with a feed: it applies durable batches in their order, each once, and reads
// from the database what the feed does not bring. It decides and does nothing.
//
// A holder that was deposed and does not know it yet may still answer. What it has sent is durable,
// but what it says about the end of the log and about requests is old. So a lower epoch than the
// highest one seen is refused.

import type { LogPlace } from '../log/log.ts';
import { createQueue, type Queue, queueAt, queuePush, queueShift } from '../std/queue.ts';
import type { FedBatch, Lead } from './linkMessage.ts';

/** A batch as the feed or the database brings it. */
export type FollowedBatch = Omit<FedBatch, 'kind' | 'epoch' | 'figures'>;

export type FollowAct =
  /** `figures`: of the holder's replica after it; undefined: read from the database. */
  | {
      readonly kind: 'apply';
      readonly batch: FollowedBatch;
      readonly figures: string | undefined;
    }
  /** Read the batches behind `after` up to this position. */
  | { readonly kind: 'read'; readonly after: LogPlace; readonly to: number }
  /** End the link. */
  | { readonly kind: 'leave'; readonly why: string }
  /** This replica or the log is not what it was: the process must stop. */
  | { readonly kind: 'stop'; readonly why: string };

export type Following = {
  applied: LogPlace;
  /** The highest epoch seen. */
  epoch: number;
  /** The end of the log as far as it is known to be durable. */
  durable: number;
  /** The last batch that the present feed has brought; undefined: there is no feed. */
  fed: number | undefined;
  /** Fed batches that wait for those before them, without gaps. */
  readonly waiting: Queue<FedBatch>;
  waitingBytes: number;
  reading: boolean;
};

/** Batches that wait for a read; beyond it they are read from the database, too. */
export const waitingBytesMax = 32 * 1024 * 1024;

export function createFollowing(applied: LogPlace): Following {
  return {
    ...{ applied, epoch: 0, durable: applied.position, fed: undefined },
    ...{ waiting: createQueue(), waitingBytes: 0, reading: false },
  };
}

/** A holder says in which epoch it holds the lease, and where its feed begins. */
export function onLead(following: Following, { epoch, durable }: Omit<Lead, 'kind'>): FollowAct[] {
  const { applied } = following;
  if (epoch < following.epoch) {
    return [{ kind: 'leave', why: `it held the lease in epoch ${epoch}, which is over` }];
  }
  following.epoch = epoch;
  // The database may have shown this process a batch of which the holder, which has just stood
  // still, has no answer yet. If the log has lost that batch, the next one does not follow it.
  if (durable.position < applied.position) {
    const known = `it knows batch ${durable.position} as durable`;
    return [{ kind: 'leave', why: `${known}, and batch ${applied.position} is applied here` }];
  }
  if (durable.position === applied.position && durable.hash !== applied.hash) {
    return [{ kind: 'stop', why: `batch ${applied.position} is another one in the log than here` }];
  }
  forgetWaiting(following);
  following.fed = durable.position;
  following.durable = Math.max(following.durable, durable.position);
  return readOn(following);
}

/** The feed brings a batch. */
export function onFed(following: Following, batch: FedBatch): FollowAct[] {
  const { fed, waiting } = following;
  if (fed === undefined || batch.epoch !== following.epoch || batch.position !== fed + 1) {
    return [{ kind: 'leave', why: `batch ${batch.position} came out of turn` }];
  }
  following.fed = batch.position;
  following.durable = Math.max(following.durable, batch.position);
  queuePush(waiting, batch);
  following.waitingBytes += batch.commands.length;
  // The read that runs goes on; the next one brings them.
  if (following.waitingBytes > waitingBytesMax) forgetWaiting(following);
  return applyWaiting(following);
}

/** The database shows that the log is durable up to here, as each renewal of the lease says it. */
export function onDurable(following: Following, position: number): FollowAct[] {
  following.durable = Math.max(following.durable, position);
  return readOn(following);
}

/** The link was lost. What waits is durable, and is applied when its turn comes. */
export function onFeedLost(following: Following): void {
  following.fed = undefined;
}

/** The database has brought the next batch of the read that runs. */
export function onRead(following: Following, batch: FollowedBatch): FollowAct[] {
  return apply(following, batch, undefined);
}

/** The read has ended, also when it has failed; the acts of a failed one are to be delayed. */
export function onReadEnd(following: Following): FollowAct[] {
  following.reading = false;
  return applyWaiting(following);
}

/** Compares the replica after a batch with the holder's. */
export function compareFigures(act: FollowAct & { kind: 'apply' }, own: string): FollowAct[] {
  if (act.figures === undefined || act.figures === own) return [];
  const why = `this replica differs from the holder's after batch ${act.batch.position}`;
  return [{ kind: 'stop', why: `${why}: ${own} instead of ${act.figures}` }];
}

function applyWaiting(following: Following): FollowAct[] {
  const { waiting, applied } = following;
  if (following.reading) return [];
  const acts: FollowAct[] = [];
  let next = applied.position + 1;
  for (let batch = queueAt(waiting, 0); batch !== undefined; batch = queueAt(waiting, 0)) {
    if (batch.position > next) break;
    queueShift(waiting);
    following.waitingBytes -= batch.commands.length;
    if (batch.position < next) continue;
    const [act] = apply(following, batch, batch.figures);
    acts.push(act!);
    if (act!.kind === 'stop') return acts;
    next += 1;
  }
  return [...acts, ...readOn(following)];
}

function apply(
  following: Following,
  batch: FollowedBatch,
  figures: string | undefined,
): FollowAct[] {
  const { applied } = following;
  const { position, hash, previousHash } = batch;
  if (position !== applied.position + 1 || previousHash.toString('hex') !== applied.hash) {
    return [{ kind: 'stop', why: `batch ${position} does not follow batch ${applied.position}` }];
  }
  following.applied = { position, hash: hash.toString('hex') };
  return [{ kind: 'apply', batch, figures }];
}

/** Reads what is durable and does not wait here. */
function readOn(following: Following): FollowAct[] {
  const { applied, waiting, durable, reading } = following;
  const to = (queueAt(waiting, 0)?.position ?? durable + 1) - 1;
  if (reading || to <= applied.position) return [];
  following.reading = true;
  return [{ kind: 'read', after: applied, to }];
}

function forgetWaiting(following: Following): void {
  while (queueShift(following.waiting) !== undefined) {}
  following.waitingBytes = 0;
}
