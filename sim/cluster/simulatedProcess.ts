// One process of a simulated deployment: it waits for the lease, follows the holder over a link,
// passes the requests of its clients on, and sequences those of all when it holds the lease. The
// decisions are the real ones; clients and replica are models. A replica is a hash over the
// requests that were executed. Links and database are models here, and real ones in a test.

import { createHash } from 'node:crypto';
import {
  answerFollow,
  createFeed,
  type Feed,
  recordBatch,
  takeDurable,
} from '../../src/link/feed.ts';
import {
  compareFigures,
  createFollowing,
  type FollowAct,
  type FollowedBatch,
  type Following,
  onFed,
  onFeedLost,
  onLead,
  onRead,
  onReadEnd,
} from '../../src/link/following.ts';
import {
  actsDue,
  answerMs,
  createForwarding,
  type ForwardAct,
  type Forwarding,
  forward,
  onApplied,
  onLinked,
  onRefused,
  onSettled,
  onUnlinked,
} from '../../src/link/forwarding.ts';
import { LinkBreach } from '../../src/link/frameReader.ts';
import {
  createIntake,
  type Intake,
  onBatched,
  onNotQueued,
  onSenderGone,
  onSenderLinked,
  type Settlement,
  takeRequests,
} from '../../src/link/intake.ts';
import { type FedBatch, type LinkMessage, linkVersion } from '../../src/link/linkMessage.ts';
import { decodeOrigins, encodeOrigins, type Origin } from '../../src/link/origins.ts';
import { type LogHead, type LogPlace, logBeginning } from '../../src/log/log.ts';
import type { Lane } from '../../src/log/postgres/createLane.ts';
import { type HeldLog, holdLog } from '../../src/log/postgres/holdLog.ts';
import { flightAfter } from '../../src/log/postgres/tenure.ts';
import type { Clock } from '../../src/std/clock.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { Scheduler } from '../../src/std/scheduler.ts';
import { type SimulatedReads, simulateReads } from './simulatedReads.ts';
import { keepRowsSwept, type SharedRows } from './simulatedRows.ts';
import type { LinkSide, SteppedLink } from './steppedLinks.ts';

/** What can be wrong with following and forwarding; the simulation must find each. */
export type LinkMistake =
  /** The holder feeds a batch before it is durable. */
  | 'feedBeforeDurable'
  /** A follower reads what is visible in the database and not what is durable. */
  | 'readVisible'
  /** Batches are written without their origins. */
  | 'dropOrigins'
  /** After a link was lost, requests are sent again at once. */
  | 'resendAtOnce'
  /** They are sent again before the own replica has applied what is settled. */
  | 'resolveUnapplied'
  /** The holder takes requests of a link that another one has replaced. */
  | 'keepFormerLink'
  /** The holder settles without what waits in its queue. */
  | 'settleTooEarly'
  /** A holder answers reads without a look at its lease. */
  | 'readWithoutLease'
  /** Every process removes rows whose commands it does not know. */
  | 'sweepAnywhere';

export type Fate = 'done' | 'refused' | 'unknown';

/** What the process needs of its world. */
export type ProcessWorld = {
  readonly clock: Clock;
  readonly replicatedStorage: boolean;
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  /** Where other processes reach this one. */
  readonly address: string;
  /** Opens a link to that process, over which something may come at once or never. */
  readonly dial: (holder: string, side: LinkSide) => SteppedLink;
  /** Without requests a batch comes so often. */
  readonly idleMs: number;
  readonly mistakes: ReadonlySet<LinkMistake>;
  readonly makeLane: () => Lane;
  /** Batches behind a place, without gaps, up to the last one asked for. */
  readonly read: (after: LogPlace, to: number) => Promise<readonly FollowedBatch[]>;
  readonly lastVisible: () => number;
  /** The process that the lease names now, or named not long ago. */
  readonly findHolder: () => string | undefined;
  /** Rows that must be there when their requests are executed. */
  readonly rows: SharedRows;
  /** Whether the lease names the process, as the database has it. */
  readonly isHolder: (name: string) => boolean;
  readonly onFate: (request: string, fate: Fate) => void;
  readonly onApplied: (process: string, position: number, hash: string) => void;
  readonly onStop: (why: string) => void;
  readonly onBreach: (why: string) => void;
  readonly onEnd: (error: Error | undefined) => void;
};

export type SimulatedProcess = {
  readonly name: string;
  readonly request: (text: string) => void;
  /** A client reads: gives the position of what it is shown. */
  readonly read: SimulatedReads['read'];
  /** A follower dials: gives the holder's side; undefined: this process does not hold the lease. */
  readonly accept: (link: SteppedLink) => LinkSide;
  readonly close: () => void;
  /** Cuts its links, as when it has died, or was silent for too long. */
  readonly disconnect: () => void;
};

type Queued = { readonly origin: Origin; readonly record: Buffer; readonly endsAt: number };

type Holding = {
  readonly log: HeldLog;
  readonly feed: Feed;
  readonly intake: Intake;
  readonly queue: Queued[];
  readonly followers: Map<number, { readonly process: string; readonly link: SteppedLink }>;
  /** The last batch given to the log, and the replica after it. */
  last: LogHead;
  executed: string;
  appendedAt: number;
  /** Whether the own replica has applied the log up to where the lease was taken. */
  ready: boolean;
};

const commandsMax = 12;
/** Stands for the link of the process to itself. */
const ownLink = 0;

export function startProcess(
  world: ProcessWorld,
  { name, scheduler, prng }: { name: string; scheduler: Scheduler; prng: Prng },
): SimulatedProcess {
  const { mistakes, now } = world;
  const following: Following = createFollowing(logBeginning);
  const forwarding: Forwarding = createForwarding(name, 0);
  const texts = new Map<number, string>();
  let ids = 0;
  /** A hash over all that the own replica has executed. */
  let executed = '';
  /** The requests of all batches that it has seen; the holder sees a batch when it makes it. */
  const known = new Set<string>();
  let dialled: SteppedLink | undefined;
  let dialledName = '';
  let holding: Holding | undefined;

  const doForward = (acts: readonly ForwardAct[]): void => {
    for (const act of acts) {
      if (act.kind === 'send') {
        const message: LinkMessage = { kind: 'requests', requests: [act.request] };
        if (dialled !== undefined) dialled.send('dialler', message);
        else if (holding !== undefined) queueRequests(holding, ownLink, name, act.request);
        continue;
      }
      const fate = ({ answer: 'done', refuse: 'refused', unknown: 'unknown' } as const)[act.kind];
      world.onFate(texts.get(act.id)!, fate);
      texts.delete(act.id);
    }
  };
  const doFollow = (acts: readonly FollowAct[]): void => {
    for (const act of acts) {
      if (act.kind === 'apply') applyBatch(act);
      if (act.kind === 'read') read(act.to);
      if (act.kind === 'leave') dialled?.cut();
      if (act.kind === 'stop') {
        world.onStop(act.why);
        world.onEnd(undefined);
      }
    }
  };
  const applyBatch = (act: FollowAct & { kind: 'apply' }): void => {
    const { position, hash, count, commands, origins } = act.batch;
    executed = executedAfter(executed, commands);
    for (const request of requestsOf(commands)) known.add(request);
    world.onApplied(name, position, hash.toString('hex'));
    doFollow(compareFigures(act, executed));
    const batch = { position, origins: decodeOrigins(origins, count) };
    doForward(onApplied(forwarding, batch, now()));
    reads.onApplied(position);
    takeOffice();
  };
  const read = (to: number): void => {
    const last = mistakes.has('readVisible') ? Math.max(to, world.lastVisible()) : to;
    scheduler.after(1 + prng.below(20), () => {
      void world.read(following.applied, last).then((batches) => {
        for (const batch of batches) {
          const origins = mistakes.has('dropOrigins') ? Buffer.alloc(0) : batch.origins;
          doFollow(onRead(following, { ...batch, origins }));
        }
        scheduler.after(batches.length === 0 ? 50 : 0, () => doFollow(onReadEnd(following)));
      });
    });
  };

  const onMessage = (message: LinkMessage): void => {
    switch (message.kind) {
      case 'lead': {
        const acts = onLead(following, message);
        const isBelieved = !acts.some(({ kind }) => kind === 'leave');
        doFollow(acts);
        if (!isBelieved) return;
        doForward(onLinked(forwarding, now()));
        const link = dialled;
        reads.onLinked((number) => link?.send('dialler', { kind: 'ask', number }));
        if (mistakes.has('resendAtOnce')) doForward(onSettled(forwarding, 0, now()));
        return;
      }
      case 'batch':
        return doFollow(onFed(following, message));
      case 'settled': {
        const early = mistakes.has('resolveUnapplied');
        const position = early ? Math.min(message.position, forwarding.applied) : message.position;
        return doForward(onSettled(forwarding, position, now()));
      }
      case 'refused':
        return doForward(onRefused(forwarding, message.number, message.why));
      case 'durable':
        return reads.onAnswer(message.number, message.position);
      default:
    }
  };
  const leaveLink = (link: SteppedLink): void => {
    link.cut();
    if (dialled !== link) return;
    dialled = undefined;
    onFeedLost(following);
    onUnlinked(forwarding);
    reads.onUnlinked();
  };
  const dial = (): void => {
    scheduler.after(20 + prng.below(100), dial);
    if (holding !== undefined) return;
    const holder = world.findHolder();
    if (holder === undefined || holder === name) return;
    if (dialled !== undefined) {
      if (holder !== dialledName) leaveLink(dialled);
      return;
    }
    dialledName = holder;
    const link = world.dial(holder, {
      scheduler,
      onMessage: (message) => {
        if (dialled === link) onMessage(message);
      },
      onEnd: () => leaveLink(link),
    });
    dialled = link;
    link.send('dialler', {
      ...{ kind: 'hello', version: linkVersion, process: name, release: '', engineHash: '' },
    });
    link.send('dialler', { kind: 'follow', place: following.applied });
  };

  /** The requests of a link are queued, and refused when their time is over. */
  const queueRequests = (
    held: Holding,
    link: number,
    process: string,
    ...requests: readonly Parameters<typeof takeRequests>[2][number][]
  ): void => {
    const present = mistakes.has('keepFormerLink')
      ? (held.intake.senders.get(process)?.link ?? link)
      : link;
    for (const request of takeRequests(held.intake, { process, link: present }, requests)) {
      const { number, ageMs, record } = request;
      const endsAt = now() + answerMs - ageMs;
      held.queue.push({ origin: { process, number }, record, endsAt });
    }
  };
  const tellSettled = (held: Holding, settlements: readonly Settlement[]): void => {
    for (const { link, position } of settlements) {
      if (link === ownLink) doForward(onSettled(forwarding, position, now()));
      held.followers.get(link)?.link.send('holder', { kind: 'settled', position });
    }
  };
  const append = (held: Holding): void => {
    if (holding !== held) return;
    scheduler.after(prng.below(3) === 0 ? 0 : prng.below(25), () => append(held));
    if (!held.log.ready() || !held.ready) return;
    const taken = held.queue.splice(0, prng.below(commandsMax));
    const live = taken.filter(({ endsAt }) => endsAt > now());
    for (const { origin } of taken.filter(({ endsAt }) => endsAt <= now())) {
      refuse(held, origin);
    }
    if (live.length === 0 && now() - held.appendedAt < world.idleMs) return;
    held.appendedAt = now();
    const entry = {
      ...{ time: Math.max(held.last.time, Math.floor(now())), engineHash: 'ab' },
      count: live.length,
      commands: Buffer.from(live.map(({ record }) => record.toString()).join('\n')),
      origins: encodeOrigins(live.map(({ origin }) => origin)),
    };
    const flight = flightAfter(held.last, entry);
    held.executed = executedAfter(held.executed, entry.commands);
    for (const request of requestsOf(entry.commands)) known.add(request);
    const batch: FedBatch = {
      ...{ ...flight, kind: 'batch', epoch: held.log.epoch, figures: held.executed },
      ...{ commands: entry.commands, origins: entry.origins },
    };
    held.last = flight;
    recordBatch(held.feed, batch);
    held.log.append(entry);
    if (mistakes.has('feedBeforeDurable')) feedAll(held, [batch]);
    const origins = live.map(({ origin }) => origin);
    tellSettled(held, onBatched(held.intake, { position: flight.position, origins }));
  };
  const refuse = (held: Holding, origin: Origin): void => {
    const why = 'overloaded';
    for (const { process, link } of held.followers.values()) {
      if (process === origin.process) {
        link.send('holder', { kind: 'refused', number: origin.number, why });
      }
    }
    if (origin.process === name) doForward(onRefused(forwarding, origin.number, why));
    tellSettled(held, onNotQueued(held.intake, origin));
  };
  const feedAll = (held: Holding, batches: readonly FedBatch[]): void => {
    for (const { link } of held.followers.values()) {
      for (const batch of batches) link.send('holder', batch);
    }
  };

  const accepted = new Set<SteppedLink>();
  const accept = (link: SteppedLink): LinkSide => {
    let process = '';
    accepted.add(link);
    return {
      scheduler,
      onMessage: (message) => {
        const held = holding;
        if (held === undefined || !held.ready) return link.cut();
        if (message.kind === 'hello') process = message.process;
        if (message.kind === 'requests') {
          try {
            queueRequests(held, link.number, process, ...message.requests);
          } catch (error) {
            if (!(error instanceof LinkBreach)) throw error;
            world.onBreach(error.message);
            link.cut();
          }
        }
        if (message.kind === 'ask') {
          const { number } = message;
          reads.whileHeld(() => {
            const { position } = held.feed.durable;
            link.send('holder', { kind: 'durable', number, position });
          });
        }
        if (message.kind !== 'follow') return;
        const answer = answerFollow(held.feed, message);
        if (typeof answer === 'string') return link.cut();
        link.send('holder', answer);
        held.followers.set(link.number, { process, link });
        const early = mistakes.has('settleTooEarly');
        if (early) held.intake.senders.get(process)?.waiting.clear();
        tellSettled(held, onSenderLinked(held.intake, process, link.number));
      },
      onEnd: () => {
        accepted.delete(link);
        holding?.followers.delete(link.number);
        if (holding !== undefined) onSenderGone(holding.intake, process, link.number);
      },
    };
  };

  /** The lease is held. First the own replica must be where the log ends. */
  const hold = (log: HeldLog): void => {
    const head = log.head();
    const place = { position: head.position, hash: head.hash.toString('hex') };
    if (dialled !== undefined) leaveLink(dialled);
    holding = {
      ...{ log, feed: createFeed(log.epoch, place), intake: createIntake(head.position) },
      ...{ queue: [], followers: new Map(), last: head, executed: '', ready: false },
      appendedAt: 0,
    };
    const held = holding;
    log.onDurable((durable) => {
      const batches = takeDurable(held.feed, durable);
      if (!mistakes.has('feedBeforeDurable')) feedAll(held, batches);
      for (const batch of batches) doFollow(onFed(following, batch));
    });
    log.onFailure((error) => {
      holding = undefined;
      world.onEnd(error);
    });
    doFollow(onLead(following, { epoch: log.epoch, durable: place }));
    takeOffice();
    append(held);
  };
  const takeOffice = (): void => {
    if (holding === undefined || holding.ready) return;
    if (following.applied.position < holding.feed.durable.position) return;
    holding.ready = true;
    holding.executed = executed;
    reads.lead();
    doForward(onLinked(forwarding, now()));
    tellSettled(holding, onSenderLinked(holding.intake, name, ownLink));
  };

  const expire = (): void => {
    scheduler.after(50, expire);
    doForward(actsDue(forwarding, now()));
    reads.tick();
  };
  const reads = simulateReads({
    ...{ scheduler, now, clock: world.clock, applied: () => following.applied.position },
    ignoresLease: mistakes.has('readWithoutLease'),
  });
  keepRowsSwept({
    ...{ rows: world.rows, scheduler, knows: (request) => known.has(request) },
    mayRemove: () =>
      mistakes.has('sweepAnywhere') || (holding?.ready === true && world.isHolder(name)),
  });
  holdLog({
    ...{
      holder: name,
      address: world.address,
      known: () => following.applied,
      scheduler,
      report: () => {},
    },
    ...{ replicatedStorage: world.replicatedStorage, clock: world.clock, stopwatch: now },
    makeLane: world.makeLane,
    watch: { seen: () => {}, mayTakeOver: () => true, renewed: reads.renewed },
  }).then(hold, world.onEnd);
  dial();
  expire();
  return {
    name,
    accept,
    read: reads.read,
    request: (text) => {
      world.rows.put(text);
      ids += 1;
      texts.set(ids, text);
      doForward(forward(forwarding, { id: ids, record: Buffer.from(text) }, now()));
    },
    disconnect: () => {
      dialled?.cut();
      for (const link of accepted) link.cut();
    },
    close: () => {
      const held = holding;
      if (held === undefined) return;
      held.ready = false;
      reads.end();
      void held.log.close().then(() => world.onEnd(undefined));
    },
  };
}

/** The requests of a batch. */
export const requestsOf = (commands: Uint8Array): readonly string[] =>
  Buffer.from(commands)
    .toString()
    .split('\n')
    .filter((request) => request !== '');

function executedAfter(before: string, commands: Uint8Array): string {
  return createHash('sha256').update(before).update(commands).digest('hex');
}
