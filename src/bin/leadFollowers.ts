// The holder of the lease among the processes that follow it: it sends them durable batches, and
// takes their commands. The decisions are in link/feed.ts and link/intake.ts.

import type { Command } from '../engine/command.ts';
import { encodeBeside } from '../link/beside.ts';
import type { Link, LinkOptions } from '../link/createLink.ts';
import { answerFollow, createFeed, type Feed, recordBatch, takeDurable } from '../link/feed.ts';
import { decodeForwarded } from '../link/forwardedCommand.ts';
import { LinkBreach } from '../link/frameReader.ts';
import {
  createIntake,
  type Intake,
  onBatched,
  onNotQueued,
  onSenderGone,
  onSenderLinked,
  type Settlement,
  takeRequests,
} from '../link/intake.ts';
import type {
  FedBatch,
  Follow,
  ForwardedRequest,
  LinkMessage,
  RequestRefusal,
} from '../link/linkMessage.ts';
import type { Origin } from '../link/origins.ts';
import {
  createServedProcesses,
  onMemberGone,
  onMemberLinked,
  type ServedProcesses,
} from '../link/servedProcesses.ts';
import type { Log, LogHead } from '../log/log.ts';
import { batchAfter } from '../log/postgres/readPostgresBatches.ts';
import { readCommandBytes } from '../replica/commandBytes.ts';
import type { ReplicaOptions } from '../replica/createReplica.ts';
import type { OrderCharge, Replica, Waiter } from '../replica/replica.ts';
import { defaultReplicaBounds } from '../replica/replicaBounds.ts';
import { assert, isFault, must } from '../std/assert.ts';
import { stopwatchMs } from '../std/clock.ts';
import { checkForwarded } from './checkForwarded.ts';
import type { FactShare } from './createFactShare.ts';
import { accountOf, walletOf } from './createForwarder.ts';
import { createLostConnections, type LostConnections } from './createLostConnections.ts';
import type { OrderShare } from './createOrderShare.ts';
import type { UseShare } from './createUseShare.ts';
import type { Seat } from './enterCluster.ts';
import { figuresText } from './followHolder.ts';
import { isStillCaller } from './isStillCaller.ts';

/** What happens on a link that another process has opened. */
export type LinkListener = Pick<LinkOptions, 'onOpen' | 'onMessage' | 'onEnd'>;

export type Leading = {
  /** What a replica that writes takes beside its usual options. */
  readonly writing: Pick<ReplicaOptions, 'log' | 'besideOf' | 'onBatch'>;
  /** From here on commands of other processes are submitted to this replica. */
  readonly serve: (replica: Pick<Replica, 'exchange' | 'submit' | 'whyRefused'>) => void;
  readonly listen: () => LinkListener;
  /** The processes that follow learn that the lease changes hands now. */
  readonly leave: () => void;
  /** To be called several times a second. */
  readonly tick: () => void;
  /** Connections that no process serves any more. */
  readonly lost: Pick<LostConnections, 'among'>;
};

type Follower = { readonly link: Link; readonly number: number };

type Run = {
  readonly engineHash: string;
  readonly feed: Feed;
  readonly intake: Intake;
  /** Processes that follow, by the number of their link. */
  readonly followers: Map<number, Follower>;
  links: number;
  /** The last batch given to the log. */
  last: LogHead;
  /** That batch, until it is applied. */
  given: Omit<FedBatch, 'figures'> | undefined;
  /** Commands of other processes that wait for their batch. */
  waiting: number;
  /** The origins of the batch that is being given to the log. */
  origins: readonly (Origin | undefined)[];
  replica: Parameters<Leading['serve']>[0] | undefined;
  readonly facts: FactShare;
  readonly orders: Pick<OrderShare, 'take'>;
  readonly uses: UseShare;
  /** The processes whose connections stand. */
  readonly served: ServedProcesses;
  /** Runs the task while the lease is certainly this process's. */
  readonly whenCurrent: (task: () => void) => void;
};

/** The lease is held in this epoch, and the log ends at its head. */
export function leadFollowers(
  { log, epoch, holder: process, former }: Omit<Seat, 'servers'>,
  { engineHash, facts, orders, uses }: Pick<Run, 'engineHash' | 'facts' | 'orders' | 'uses'>,
): Leading {
  const head = log.head();
  const place = { position: head.position, hash: head.hash.toString('hex') };
  const served = createServedProcesses({ process, former }, stopwatchMs());
  const lost = createLostConnections(served);
  const run: Run = {
    served,
    ...{ engineHash, feed: createFeed(epoch, place), intake: createIntake(head.position) },
    ...{ followers: new Map(), links: 0, last: head, given: undefined, waiting: 0, origins: [] },
    ...{
      replica: undefined,
      facts,
      orders,
      uses,
      whenCurrent: log.whenCurrent ?? ((task) => task()),
    },
  };
  return {
    writing: {
      log: fedLog(run, log),
      besideOf: (commands) => besideOf(run, commands),
      onBatch: (figures) => {
        const batch = must(run.given, 'a batch is given to the log before it is applied');
        recordBatch(run.feed, { ...batch, figures: figuresText(figures) });
        const { position } = batch;
        tellSettled(run, onBatched(run.intake, { position, origins: run.origins }));
      },
    },
    serve: (replica) => {
      run.replica = replica;
    },
    listen: () => listen(run),
    leave: () => {
      for (const { link } of run.followers.values()) link.send({ kind: 'leaving' });
    },
    tick: () => {
      if (run.replica !== undefined) lost.tick(run.replica);
    },
    lost,
  };
}

/** Everything that is given to the log goes to the followers, too, when it is durable. */
function fedLog(run: Run, log: Log): Log {
  return {
    ...log,
    append: (entry) => {
      const position = log.append(entry);
      const commands = Buffer.from(entry.commands);
      const { origins = noOrigins } = entry;
      const flight = batchAfter(run.last, { ...entry, commands });
      const { epoch } = run.feed;
      run.last = flight;
      run.given = { ...flight, kind: 'batch', epoch, commands, origins };
      return position;
    },
    onDurable: (listener) =>
      log.onDurable((head) => {
        feedAll(run, head);
        listener(head);
      }),
  };
}

const noOrigins = Buffer.alloc(0);

function feedAll({ feed, followers }: Run, head: LogHead): void {
  const batches = takeDurable(feed, head);
  const last = batches.at(-1);
  assert(last === undefined || last.hash.equals(head.hash), 'the feed is the log');
  for (const { link } of followers.values()) {
    for (const batch of batches) link.send(batch);
    // The answers of this process come next; those of the others need not wait for them.
    link.flush();
  }
}

function besideOf(run: Run, commands: readonly { readonly waiter: Waiter }[]): Buffer | undefined {
  run.origins = run.waiting === 0 ? [] : commands.map(({ waiter }) => waiter.beside?.origin);
  run.waiting = 0;
  const bytes = encodeBeside(commands.map(({ waiter }) => waiter.beside));
  return bytes.length === 0 ? undefined : bytes;
}

function listen(run: Run): LinkListener {
  run.links += 1;
  const number = run.links;
  let peer = '';
  return {
    onOpen: (link) => {
      peer = link.peer.process;
      if (link.peer.engineHash === run.engineHash) return;
      link.close('the holder of the lease runs another engine; this process cannot follow it');
    },
    onMessage: (link, message) => take(run, { link, number }, message),
    onEnd: () => {
      run.followers.delete(number);
      run.facts.onLinkGone(number);
      run.uses.onLinkGone(number);
      onMemberGone(run.served, number);
      onSenderGone(run.intake, peer, number);
    },
  };
}

function take(run: Run, follower: Follower, message: LinkMessage): void {
  if (message.kind === 'follow') return begin(run, follower, message);
  if (message.kind === 'ask') {
    const { number } = message;
    // Only a process that has the lease now knows what is durable.
    return run.whenCurrent(() => {
      const { position } = run.feed.durable;
      follower.link.send({ kind: 'durable', number, position });
    });
  }
  if (message.kind === 'facts') return run.facts.onFacts(follower.number, message);
  if (message.kind === 'uses') return run.uses.onUses(message);
  if (message.kind !== 'requests') {
    throw new LinkBreach(`a process that follows sent a message "${message.kind}"`);
  }
  const { link, number } = follower;
  const from = { process: link.peer.process, link: number };
  submitAll(run, follower, takeRequests(run.intake, from, message.requests));
}

function submitAll(run: Run, follower: Follower, requests: readonly ForwardedRequest[]): void {
  let submitted = 0;
  try {
    for (const request of requests) {
      submit(run, follower, request);
      submitted += 1;
    }
  } finally {
    // After a breach the rest will be in no batch. Else its process would never be settled again.
    const { process } = follower.link.peer;
    for (const { number } of requests.slice(submitted)) {
      tellSettled(run, onNotQueued(run.intake, { process, number }));
    }
  }
}

function begin(run: Run, follower: Follower, message: Follow): void {
  const { link, number } = follower;
  const answer = answerFollow(run.feed, message);
  if (typeof answer === 'string') return link.close(answer);
  const why = onMemberLinked(run.served, { link: number, process: link.peer.process });
  if (why !== undefined) return link.close(why);
  link.send(answer);
  run.followers.set(number, follower);
  run.facts.onLink(number, link.send);
  run.uses.onLink(number, link.peer.process, link.send);
  tellSettled(run, onSenderLinked(run.intake, link.peer.process, number));
}

function tellSettled({ followers }: Run, settlements: readonly Settlement[]): void {
  for (const { link, position } of settlements) {
    followers.get(link)?.link.send({ kind: 'settled', position });
  }
}

function submit(run: Run, { link }: Follower, { number, ageMs, record }: ForwardedRequest): void {
  const origin = { process: link.peer.process, number };
  const why = queue(run, origin, { ageMs, record });
  if (why === undefined) return;
  link.send({ kind: 'refused', number, why });
  tellSettled(run, onNotQueued(run.intake, origin));
}

/**
 * The share of a lane that commands of other processes may fill, each process and all together. The
 * rest is for the clients of this one.
 */
const shareOfOne = 0.25;
const shareOfAll = 0.5;

function queue(
  run: Run,
  origin: Origin,
  { ageMs, record }: Pick<ForwardedRequest, 'ageMs' | 'record'>,
): RequestRefusal | undefined {
  const { replica, intake, orders } = run;
  if (replica === undefined) return 'waiting';
  const { lane, wallet, key, caller, command: bytes } = decodeForwarded(record);
  const command = commandOf(bytes);
  checkForwarded(command, origin.process);
  const { orderLaneMax, reserveLaneMax } = defaultReplicaBounds;
  const room = lane === 'order' ? orderLaneMax : reserveLaneMax;
  const ofSender = intake.senders.get(origin.process)?.waiting.size ?? 0;
  if (ofSender > shareOfOne * room || run.waiting >= shareOfAll * room) return 'overloaded';
  if (walletOf(command, replica.exchange) !== wallet) return 'tokenInvalid';
  if (caller !== undefined && !isStillCaller(replica.exchange, accountOf(command), caller)) {
    return 'callerChanged';
  }
  const charge = key === undefined ? undefined : takeOrder(orders, command, key);
  if (typeof charge === 'string') return charge;
  const beside = { origin, ageMs, ...(charge && { charge }) };
  const waiter = { capture: () => {}, release: () => {}, beside };
  if (!replica.submit(command, lane, waiter)) return replica.whyRefused(lane);
  run.waiting += 1;
  return undefined;
}

/** Counts an order in the limits of the deployment, or says why it is refused. */
function takeOrder(
  { take: takeOne }: Pick<OrderShare, 'take'>,
  command: Command,
  key: number,
): OrderCharge | RequestRefusal {
  const account = accountOf(command);
  if (account === undefined) throw new LinkBreach('an order names no account');
  return takeOne({ account, key });
}

function commandOf(bytes: Uint8Array): Command {
  try {
    return readCommandBytes(bytes);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new LinkBreach(`a command cannot be read: ${error.message}`, { cause: error });
  }
}
