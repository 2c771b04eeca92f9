// A process that follows: its replica applies what the holder of the lease has made durable, and
// readers see it, until this process has the lease itself.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunningArchivist } from '../archivist/startArchivist.ts';
import type { Link } from '../link/createLink.ts';
import type { DialLink } from '../link/dialLink.ts';
import {
  compareFigures,
  createFollowing,
  type FollowAct,
  type Following,
  onDurable,
  onFed,
  onFeedLost,
  onLead,
  onRead,
  onReadEnd,
} from '../link/following.ts';
import { LinkBreach } from '../link/frameReader.ts';
import type { FedBatch, LinkMessage } from '../link/linkMessage.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import type { LogBatch, LogFollower, LogPlace } from '../log/log.ts';
import type { FollowingReplica } from '../replica/createFollowingReplica.ts';
import type { Figures } from '../replica/replicaState.ts';
import { must } from '../std/assert.ts';
import { stopwatchMs } from '../std/clock.ts';
import { createCandidacy } from './createCandidacy.ts';
import type { Forwarder } from './createForwarder.ts';
import { besidesOf } from './createOrderShare.ts';
import type { ReadBarrier } from './createReadBarrier.ts';
import type { Candidate, Seat } from './enterCluster.ts';
import { standingOf } from './standingMembers.ts';
import { takeSeat } from './takeSeat.ts';

export type FollowHolder = {
  readonly candidate: Candidate;
  readonly replica: FollowingReplica;
  /** The last batch that the replica has applied. */
  readonly place: LogPlace;
  readonly archivist: Pick<RunningArchivist, 'follow'>;
  /** What passes commands of the replica on. */
  readonly forwarder: Forwarder;
  /** What the requests of accounts wait for. */
  readonly barrier: ReadBarrier;
};

type Run = FollowHolder & {
  readonly following: Following;
  /** The read that runs: from the local segments, up to this position. */
  reading: (FollowAct & { readonly kind: 'read' }) | undefined;
  /** Reads the local segments behind this place. */
  segments: { readonly follower: LogFollower; place: LogPlace } | undefined;
  /** What was applied and is not in the local segments yet, oldest first. */
  readonly figures: Figures[];
  /** The link to the holder, from its `lead` on. */
  link: Link | undefined;
  /** Batches of the feed for the local segments; they leave a few milliseconds later. */
  fed: LogBatch[];
  /** What has ended the following. */
  failure: Error | undefined;
};

/** Thrown when this replica or the log is not what it was. */
export class FollowingEnded extends Error {
  override name = 'FollowingEnded';
}

/**
 * Resolves with the seat as soon as this process has the lease and its replica is at the log's end.
 * Rejects with `StoppedWaiting`, and with what stops the process.
 */
export async function followHolder(options: FollowHolder): Promise<Seat> {
  const { candidate, place } = options;
  const { thread, recovered } = candidate;
  const run: Run = {
    ...{ ...options, following: createFollowing(place), reading: undefined },
    ...{ segments: undefined, figures: [], link: undefined, fed: [], failure: undefined },
  };
  candidate.options.stand(() => standingOf(recovered.state, 'follower'));
  const declare = createCandidacy(candidate);
  const dialler = candidate.link.dial(linkEvents(run));
  try {
    for (;;) {
      if (run.failure !== undefined) throw run.failure;
      dialler.aim(holderSeen(candidate));
      const followed = must(thread.followed(), 'the segments are filled');
      perform(run, onDurable(run.following, followed.position));
      await readSegments(run, followed.position);
      tellArchivist(run, followed.position);
      declare();
      thread.forgetOrigins(recovered.state.position);
      const seat = takeSeat(candidate);
      if (seat !== undefined) return seat;
      if (thread.followed() === followed && !isBusy(run, followed.position)) await candidate.rest();
    }
  } finally {
    dialler.aim(undefined);
    run.segments?.follower.close();
  }
}

/** Where the holder of the lease is reached; undefined: there is none, or it is this process. */
function holderSeen({ thread, holder }: Candidate): string | undefined {
  const seen = thread.seen();
  if (seen === undefined || seen.released || seen.holder === holder) return undefined;
  return thread.opened() === undefined ? seen.address : undefined;
}

/** Of facts: a process that follows has one link. */
const holderLink = 0;

/** What comes over the link to the holder. A failure in here ends the following. */
function linkEvents(run: Run): Pick<DialLink, 'onOpen' | 'onMessage' | 'onEnd'> {
  const { forwarder, barrier, candidate } = run;
  const { facts, uses } = candidate.link;
  const { journal } = candidate.options;
  let told = '';
  const lose = (): void => {
    if (run.link === undefined) return;
    run.link = undefined;
    // A holder that ends may have given the lease back.
    candidate.thread.hurry();
    onFeedLost(run.following);
    facts.onLinkGone(holderLink);
    uses.onLinkGone(holderLink);
    forwarder.onUnlinked();
    barrier.onUnlinked();
  };
  return {
    onOpen: (link) => link.send({ kind: 'follow', place: run.following.applied }),
    onMessage: (link, message) => {
      if (run.failure !== undefined) return;
      try {
        receive(run, link, message);
      } catch (error) {
        if (error instanceof LinkBreach) throw error;
        run.failure = error as Error;
        candidate.wake();
      }
    },
    onEnd: (why) => {
      lose();
      if (why !== told) journal.info(`the link to the holder of the lease: ${why}`);
      told = why;
    },
  };
}

function receive(run: Run, link: Link, message: LinkMessage): void {
  const { following, forwarder, barrier } = run;
  switch (message.kind) {
    case 'lead': {
      const acts = onLead(following, message);
      const left = acts.find((act) => act.kind === 'leave');
      if (left !== undefined) return link.close(left.why);
      run.link = link;
      perform(run, acts);
      run.candidate.thread.linked();
      run.candidate.link.facts.onLink(holderLink, link.send);
      run.candidate.link.uses.onLink(holderLink, link.peer.process, link.send);
      forwarder.onLinked((requests) => link.send({ kind: 'requests', requests }));
      return barrier.onLinked((number) => link.send({ kind: 'ask', number }));
    }
    case 'batch':
      keepFed(run, message);
      return perform(run, onFed(following, message));
    case 'facts':
      return run.candidate.link.facts.onFacts(holderLink, message);
    case 'uses':
      return run.candidate.link.uses.onUses(message);
    case 'settled':
      return forwarder.onSettled(message.position);
    case 'durable':
      return barrier.onAnswer(message.number, message.position);
    case 'leaving':
      return run.candidate.thread.hurry();
    case 'refused':
      return forwarder.onRefused(message.number, message.why);
    default:
      throw new LinkBreach(`the holder of the lease sent a message "${message.kind}"`);
  }
}

/** Local segments are a cache: what is applied and answered goes first. */
const keepEveryMs = 5;

/** The thread of the log adds it to the local segments, and need not read it from the database. */
function keepFed(run: Run, batch: FedBatch): void {
  if (run.fed.length === 0) {
    setTimeout(() => {
      run.candidate.thread.take(run.fed);
      run.fed = [];
    }, keepEveryMs);
  }
  run.fed.push(batch);
}

function perform(run: Run, acts: readonly FollowAct[]): void {
  for (const act of acts) {
    switch (act.kind) {
      case 'apply':
        perform(run, apply(run, act));
        break;
      case 'read':
        run.reading = act;
        run.candidate.wake();
        break;
      case 'leave':
        run.link?.close(act.why);
        break;
      case 'stop':
        throw new FollowingEnded(`${act.why}. Start this process again`);
    }
  }
}

function apply(run: Run, act: FollowAct & { readonly kind: 'apply' }): FollowAct[] {
  const besides = besidesOf(act.batch);
  const waiters = run.forwarder.take(act.batch.position, besides);
  run.candidate.link.orders.count(besides, waiters);
  const figures = run.replica.apply(act.batch, waiters);
  run.barrier.onApplied(figures.position);
  // The archivist compares at some positions; a few that it does not hear of are no loss.
  if (run.figures.length < figuresMax) run.figures.push(figures);
  return compareFigures(act, figuresText(figures));
}

const figuresMax = 10_000;

/** Equal replicas have equal texts. */
export function figuresText({ eventHash, commands, events }: Figures): string {
  return `${eventHash} after ${commands} commands and ${events} events`;
}

/** Readers and link have their turn between two of these. */
const stepMs = 20;

/** Whether there is something to do without a further sign: no one wakes a loop that runs. */
function isBusy({ reading, failure }: Run, end: number): boolean {
  return failure !== undefined || (reading !== undefined && reading.to <= end);
}

/** Carries the read out that runs, when the segments have all of it. */
async function readSegments(run: Run, end: number): Promise<void> {
  const { reading, following } = run;
  if (reading === undefined || reading.to > end) return;
  const segments = segmentsAfter(run, reading.after);
  let began = stopwatchMs();
  while (following.applied.position < reading.to) {
    const batch = segments.follower.next(reading.to);
    if (batch !== undefined) {
      // Commands of this process may be among them.
      const origins = run.candidate.thread.originsOf(batch.position);
      perform(run, onRead(following, { ...batch, origins }));
    }
    if (stopwatchMs() - began < stepMs) continue;
    await nextTurn();
    began = stopwatchMs();
  }
  segments.place = following.applied;
  run.reading = undefined;
  perform(run, onReadEnd(following));
}

/** The reader of the last read goes on, unless the feed has brought something since. */
function segmentsAfter(run: Run, after: LogPlace): NonNullable<Run['segments']> {
  const { segments, candidate } = run;
  if (segments?.place.position === after.position) return segments;
  segments?.follower.close();
  const { directory } = candidate.options;
  const opened = { follower: openLogReader(directory.log).follow(after), place: after };
  run.segments = opened;
  return opened;
}

/** It reads the local segments, so it hears of what they have. */
function tellArchivist({ figures, archivist }: Run, end: number): void {
  let last: Figures | undefined;
  while (figures[0] !== undefined && figures[0].position <= end) last = figures.shift();
  if (last !== undefined) archivist.follow(last);
}
