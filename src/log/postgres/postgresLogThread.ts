// The thread of a log in PostgreSQL. It fills the local segments with what others write, waits for
// the lease, and then writes the batches of this process. Connections, hashes and files cost the
// thread that trades nothing.

import { parentPort, workerData } from 'node:worker_threads';
import { assert, must } from '../../std/assert.ts';
import { stopwatchMs, systemClock } from '../../std/clock.ts';
import { fileDisk } from '../../std/disk.ts';
import { systemScheduler } from '../../std/scheduler.ts';
import { setTimeSlice, shortSlice } from '../../std/timeSlice.ts';
import {
  type BatchSlots,
  completeEntry,
  createBatchSlots,
  entryAt,
  wakeCounter,
  wakeLater,
} from '../file/batchSlots.ts';
import { archiveEnd } from '../file/segment.ts';
import { type Log, type LogBatch, LogDamaged, type LogHead } from '../log.ts';
import { pollEveryMs } from './candidacy.ts';
import { catchUp, checkContains, type KeptSession, keepSession, placeOf } from './catchUp.ts';
import { createLane } from './createLane.ts';
import { createServers, type Servers } from './createServers.ts';
import type { FromPostgresLog, PostgresLogThreadData, ToPostgresLog } from './fromPostgresLog.ts';
import { createHaste, type Haste } from './haste.ts';
import { type HeldLog, LeaseLost, type SeenLease } from './holdLog.ts';
import { joinMembers, type Membership } from './joinMembers.ts';
import { createLeaseTerm, type LeaseTerm } from './leaseTerm.ts';
import type { MemberRole } from './members.ts';
import { type LocalSegments, openLocalSegments, SegmentsFailed } from './openLocalSegments.ts';
import { openPostgresLog } from './openPostgresLog.ts';
import type { Session } from './openSession.ts';
import { DatabaseRefused } from './serverFacts.ts';
import { readSharedSkips } from './sharedRows.ts';
import { checkLogHere, checkTables } from './tables.ts';

const port = must(parentPort, 'the log in PostgreSQL runs as a thread');
setTimeSlice(shortSlice);
const data = workerData as PostgresLogThreadData;
const send = (message: FromPostgresLog): void => port.postMessage(message);
const report = (message: string): void => send({ kind: 'report', message });

type Run = {
  readonly servers: Servers;
  /** For reading batches back. */
  readonly reading: KeptSession;
  readonly segments: LocalSegments;
  /** The lease as it was seen last. */
  seen: SeenLease | undefined;
  ready: boolean;
  /** Why this process must not take the lease; undefined: it may. */
  unfit: string | undefined;
  /** The engine of the log's last batch, as far as the state has followed. */
  logEngine: string;
  /** Why this process left a free lease to others when it looked last. */
  barred: string | undefined;
  /** The log, once this process has the lease. */
  log: HeldLog | undefined;
  membership: Membership | undefined;
  /** The database is being read for the segments. */
  catchingUp: boolean;
  closing: boolean;
  /** Until when reads may be answered. */
  readonly term: LeaseTerm;
  /** Between two looks at the lease, and at what is durable. */
  readonly haste: Haste;
};

/** A failure that no repetition mends. */
const isFinal = (error: unknown): boolean =>
  [LogDamaged, DatabaseRefused, LeaseLost, SegmentsFailed].some((kind) => error instanceof kind);

/** Repeats the step until it succeeds; only a final failure ends it. */
async function insist<T>(step: () => Promise<T>): Promise<T> {
  let told = '';
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (isFinal(error)) throw error;
      const { message } = error as Error;
      if (message !== told) report(`the log in PostgreSQL waits: ${message}`);
      told = message;
      await pause();
    }
  }
}

const pause = (): Promise<void> =>
  new Promise((resolve) => systemScheduler.after(pollEveryMs, resolve));

/** The tables are this deployment's, and what was known as durable before is there. */
async function begin(run: Run): Promise<void> {
  const { reading, segments } = run;
  await reading.use(async (session) => {
    await checkTables(session.client, data.expected);
    await checkLogHere(session.client);
    await checkContains(session, segments.head());
    const { rows } = await session.client.query('select durable from evermark.lease');
    await catchUp(session, segments, Math.max(rows[0].durable, data.snapshotPosition));
  });
}

/** Follows what the holder knows as durable, until this process has the lease. */
async function follow(run: Run, isOver: () => boolean): Promise<void> {
  while (!isOver() && !run.closing) {
    const { seen, segments, reading } = run;
    if (seen !== undefined && seen.durable > segments.head().position) {
      await insist(() => reading.use((session) => readUpTo(run, session, seen.durable)));
      send({ kind: 'followed', head: segments.head() });
    } else await run.haste.rest();
  }
}

async function readUpTo(run: Run, session: Session, position: number): Promise<void> {
  run.catchingUp = true;
  try {
    await catchUp(session, run.segments, position, ({ position: at, origins }) => {
      if (origins !== undefined) send({ kind: 'origins', position: at, origins });
    });
  } finally {
    run.catchingUp = false;
  }
}

/** What is not next in the segments is read from the database later. */
function takeFed(run: Run, batches: readonly LogBatch[]): void {
  const { segments, catchingUp, closing, log } = run;
  if (catchingUp || closing || log !== undefined) return;
  const before = segments.head();
  for (const batch of batches) {
    const { position, hash } = segments.head();
    if (batch.position !== position + 1 || !hash.equals(batch.previousHash)) continue;
    const commands = Buffer.from(batch.commands);
    if (segments.append({ ...batch, commands }).hash.equals(batch.hash)) continue;
    return fail(new LogDamaged(`batch ${batch.position} became another one on its way here`));
  }
  if (segments.head() !== before) send({ kind: 'followed', head: segments.head() });
}

function takeLease(run: Run): Promise<HeldLog> {
  const { servers, segments, term, haste } = run;
  const { expected, holder, address, replicatedStorage } = data;
  const open = () =>
    openPostgresLog({
      ...{ servers, expected, holder, address, replicatedStorage, report },
      known: () => placeOf(segments.head()),
      clock: systemClock,
      scheduler: systemScheduler,
      watch: {
        seen: (lease) => {
          const { seen: before } = run;
          run.seen = lease;
          if (before === undefined || isChanged(before, lease, haste)) {
            send({ kind: 'seen', lease });
          }
        },
        mayTakeOver: () => run.ready && isTurn(run),
        renewed: (sentAtMs) => term.renewed(stopwatchMs() - sentAtMs),
        rest: haste.rest,
      },
    });
  return insist(open);
}

/** Whether the lease, which is free, is for a process with this engine. */
function isTurn(run: Run): boolean {
  const barred = run.unfit ?? run.membership?.barredBy(run.logEngine);
  if (barred !== undefined && barred !== run.barred) report(`the lease is free: ${barred}`);
  run.barred = barred;
  return barred === undefined;
}

/**
 * A look rarely finds a change, and to wake the other thread costs more than the look. A process
 * with a link to the holder needs no other sign that it lives.
 */
const isChanged = (before: SeenLease, now: SeenLease, { isLinked }: Haste): boolean =>
  before.epoch !== now.epoch ||
  before.released !== now.released ||
  (before.renewal !== now.renewal && !isLinked());

/** Gives the batches of the shared slots to the log, and what is durable to the segments. */
function writeFromSlots(run: Run, log: Log, slots: BatchSlots): void {
  const { segments } = run;
  let given = 0;
  let completed = 0;
  const give = (): void => {
    while (log.ready()) {
      const entry = entryAt(slots, given);
      if (entry === undefined) return;
      log.append(entry);
      given += 1;
    }
  };
  log.onDurable((head) => {
    const count = head.position - segments.head().position;
    for (let index = 0; index < count; index += 1) {
      segments.append(must(entryAt(slots, completed + index), 'a batch stays until it is durable'));
    }
    assert(segments.head().hash.equals(head.hash), 'the segments follow the log');
    completed += count;
    completeEntry(slots, head.hash, count);
    give();
  });
  log.onFailure(fail);
  const listen = (): void => {
    const counter = wakeCounter(slots);
    give();
    wakeLater(slots, counter, listen);
  };
  listen();
}

/** Who is given the lease must be able to serve at once. */
function roleOf({ log, ready, unfit }: Run): MemberRole {
  if (log !== undefined) return 'holder';
  return ready && unfit === undefined ? 'follower' : 'waiting';
}

/** How often the archive is looked at: nothing waits for news of it. */
const archiveEveryMs = 10_000;

/** Gives what `read` gave last, if that was not too long ago. */
function seldom<T>(read: () => T, everyMs: number): () => T {
  let last: { readonly value: T; readonly at: number } | undefined;
  return () => {
    if (last === undefined || stopwatchMs() - last.at >= everyMs) {
      last = { value: read(), at: stopwatchMs() };
    }
    return last.value;
  };
}

/** The other processes and the operator see this one, and may have the lease handed over. */
function joinAsMember(run: Run): Membership {
  const { holder, address, release, engineHash, directory } = data;
  const archived = seldom(() => archiveEnd(fileDisk, directory), archiveEveryMs);
  return joinMembers({
    lane: createLane(run.servers, systemScheduler),
    scheduler: systemScheduler,
    stopwatch: stopwatchMs,
    describe: () => ({
      ...{ process: holder, address, release, engineHash },
      role: roleOf(run),
      position: run.segments.head().position,
      archived: archived(),
    }),
    onHandover: (heir) => {
      const left = new LeaseLost(`the operator had the lease handed over to ${heir.address}`);
      send({ kind: 'leaving' });
      // The heir may serve before this process knows that it has the lease.
      run.term.end();
      run.log?.handOver(heir).then(() => fail(left), fail);
    },
    report,
  });
}

function fail(error: Error): void {
  send({ kind: 'failed', name: error.name, message: error.message });
  // What a connection still waits for keeps nothing alive.
  setImmediate(() => process.exit());
}

async function close(run: Run): Promise<void> {
  run.closing = true;
  await run.log?.close();
  await run.membership?.leave();
  run.segments.close();
  process.exit();
}

async function main(): Promise<void> {
  const { urls, holder, replicatedStorage, directory, segmentBytes } = data;
  const servers = createServers({
    ...{ urls, replicatedStorage },
    applicationName: `evermark ${holder}`,
    scheduler: systemScheduler,
  });
  const run: Run = {
    servers,
    reading: keepSession(servers),
    segments: openLocalSegments({ directory, segmentBytes, report }),
    seen: undefined,
    ready: false,
    unfit: undefined,
    logEngine: '',
    barred: undefined,
    log: undefined,
    membership: undefined,
    catchingUp: false,
    closing: false,
    term: createLeaseTerm(data.term),
    haste: createHaste(systemScheduler, stopwatchMs),
  };
  port.on('message', (message: ToPostgresLog) => {
    if (message === 'close') return void close(run).catch(fail);
    if (message === 'hurry' || message === 'linked') return run.haste[message]();
    if (message.kind === 'fed') return takeFed(run, message.batches);
    run.ready = true;
    run.logEngine = message.logEngine;
    run.unfit = message.unfit;
  });
  await insist(() => begin(run));
  send({ kind: 'followed', head: run.segments.head() });
  run.membership = joinAsMember(run);
  let over = false;
  const following = follow(run, () => over);
  // A process that cannot follow must not take the lease.
  following.catch(fail);
  const log = await takeLease(run);
  run.log = log;
  over = true;
  run.haste.hurry();
  await following;
  const head: LogHead = log.head();
  const skips = await insist(() =>
    run.reading.use(async (session) => {
      await checkLogHere(session.client);
      await readUpTo(run, session, head.position);
      return readSharedSkips(session);
    }),
  );
  run.reading.end();
  assert(run.segments.head().hash.equals(head.hash), 'the segments end where the log does');
  writeFromSlots(run, log, createBatchSlots(data.shared));
  send({ kind: 'open', head, epoch: must(run.seen, 'the lease was seen').epoch, skips });
}

// This file is the thread's program: it is started, never imported for its values.
main().catch(fail);
