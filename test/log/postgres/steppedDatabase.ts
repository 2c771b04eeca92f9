// PostgreSQL and its standby in memory, one step at a time: row locks, commits that wait for the
// standby, snapshots, connections that are cut, waits that are cancelled, and a promotion. It takes
// the statements of the log by their names and values. Mistakes can be planted in it.

import type { Lease } from '../../../src/log/postgres/candidacy.ts';
import type { Lane, Outcome, Row } from '../../../src/log/postgres/createLane.ts';
import type { MemberRow } from '../../../src/log/postgres/members.ts';
import type { Statement } from '../../../src/log/postgres/statement.ts';
import type { Prng } from '../../../src/std/prng.ts';
import type { Scheduler } from '../../../src/std/scheduler.ts';

/** What can be wrong with the protocol; the simulation must find each. */
export type Mistake =
  /** A write does not look at the lease. */
  | 'noFence'
  /** A write looks at the lease and does not lock it. */
  | 'fenceWithoutLock'
  /** A commit is reported before the standby has it. */
  | 'earlyCommit'
  /** A warning beside the answer counts as success. */
  | 'noticeIsSuccess'
  /** A renewal reads the log after its own commit. */
  | 'readAfterBarrier'
  /** A takeover looks at the epoch and not at the renewal. */
  | 'takeOverBlindly';

export type StoredBatch = {
  readonly position: number;
  readonly epoch: number;
  readonly holder: string;
  readonly hash: Buffer;
  readonly previous_hash: Buffer;
  readonly time: number;
  readonly commands: Buffer;
  readonly engine_hash: string;
  readonly count: number;
  readonly origins: Buffer | null;
};

/** What a commit changes. */
type Change =
  | { readonly kind: 'lease'; readonly lease: Lease }
  | { readonly kind: 'insert'; readonly batch: StoredBatch }
  | { readonly kind: 'remove'; readonly positions: readonly number[] }
  | { readonly kind: 'beat'; readonly row: StoredMember }
  | { readonly kind: 'leave'; readonly process: string }
  | { readonly kind: 'none' };

/** The row of a process, when this beat was written, and since when beats come without a gap. */
export type StoredMember = MemberRow & { readonly at: number; readonly steadySince: number };

type State = {
  lease: Lease;
  readonly batches: Map<number, StoredBatch>;
  readonly members: Map<string, StoredMember>;
};

type Running = {
  readonly statement: Statement;
  /** The rows when the statement began. */
  readonly snapshot: State;
  /** It has read its snapshot, and now needs its locks. */
  ready: boolean;
  /** It has its locks. */
  holds: boolean;
  /** Its commit waits until the standby has this place of the write-ahead log. */
  lsn: number | undefined;
  change: Change;
  answer: Clean;
  readonly finish: (outcome: Outcome | 'lost') => void;
  done: boolean;
};

type Clean = Extract<Outcome, { kind: 'clean' }>;

export type SteppedDatabase = {
  /** A lane of the process whose `scheduler` it is. */
  readonly makeLane: (scheduler: Scheduler) => Lane;
  /** What others see now. */
  readonly visible: () => State;
  /** Lets the standby stand still, or go on. */
  readonly freezeStandby: (frozen: boolean) => void;
  /** Cancels the wait of a statement for the standby, if one waits. */
  readonly cancelWait: () => boolean;
  /** Ends the server's process of a statement that waits for the standby, if one waits. */
  readonly terminate: () => boolean;
  /** One of the lanes that were made last carries nothing for this time. */
  readonly stallLane: (ms: number) => void;
  /** The primary is gone, and the standby takes its place after this time. */
  readonly failOver: (afterMs: number) => void;
};

export type SteppedDatabaseOptions = {
  readonly scheduler: Scheduler;
  readonly now: () => number;
  readonly prng: Prng;
  readonly mistakes: ReadonlySet<Mistake>;
  /** Called when a takeover becomes visible, with the lease before it; not after a handover. */
  readonly onTakeOver: (before: Lease) => void;
  /** Called when the holder is answered that a renewal has succeeded, with its time of sending. */
  readonly onRenewed: (holder: string, sentAt: number) => void;
};

const lost: Outcome = { kind: 'doubt', why: 'the connection was lost' };

const copyOf = ({ lease, batches, members }: State): State => ({
  lease,
  batches: new Map(batches),
  members: new Map(members),
});

function change(state: State, done: Change): void {
  if (done.kind === 'lease') state.lease = done.lease;
  if (done.kind === 'insert') state.batches.set(done.batch.position, done.batch);
  if (done.kind === 'beat') state.members.set(done.row.process, done.row);
  if (done.kind === 'leave') state.members.delete(done.process);
  if (done.kind === 'remove') for (const each of done.positions) state.batches.delete(each);
}

const nothing = (): State => ({
  lease: { epoch: 0, holder: '', renewal: 0, released: true },
  batches: new Map(),
  members: new Map(),
});

export function createSteppedDatabase(options: SteppedDatabaseOptions): SteppedDatabase {
  const { scheduler, now, prng, mistakes, onTakeOver, onRenewed } = options;
  let generation = 0;
  let up = true;
  let visible = nothing();
  let wal: Change[] = [];
  let flushed = 0;
  let frozen = false;
  let running: Running[] = [];
  /** Until when each lane carries nothing. */
  const lanes: number[] = [];

  /** Messages are fast, and some are slow. */
  const delay = (): number => {
    if (prng.below(40) === 0) return 50 + prng.below(600);
    return prng.unit() * 4;
  };

  const flush = (): void => {
    if (frozen || !up) return;
    flushed = wal.length;
    for (const each of [...running]) {
      if (each.lsn !== undefined && each.lsn <= flushed) commit(each, each.answer);
    }
  };

  /** The statement's changes become visible, and its locks are released. */
  const commit = (each: Running, outcome: Outcome | 'lost'): void => {
    if (each.done) return;
    each.done = true;
    running = running.filter((other) => other !== each);
    const before = visible.lease;
    change(visible, each.change);
    const isTaken = each.statement.name === 'take over';
    if (isTaken && visible.lease.epoch !== before.epoch) onTakeOver(before);
    const isRenewed = each.statement.name === 'renew' && each.change.kind === 'lease';
    if (isRenewed && mistakes.has('readAfterBarrier') && outcome === each.answer) {
      // A statement of its own, some time later.
      scheduler.after(prng.below(400), () => {
        const rows = placesOf(visible, each.statement.values[2] as number);
        each.finish({ ...each.answer, rows });
      });
    } else each.finish(outcome);
    for (const blocked of shuffled(running, prng)) lock(blocked);
  };

  const lock = (each: Running): void => {
    if (each.done || each.holds || !each.ready || isBlocked(each, running, mistakes)) return;
    const [done, answer] = evaluate(each, visible, mistakes, now());
    each.holds = true;
    each.change = done;
    each.answer = answer;
    if (done.kind === 'none') {
      commit(each, answer);
      return;
    }
    later(each, () => {
      wal.push(done);
      each.lsn = wal.length;
      if (mistakes.has('earlyCommit')) commit(each, answer);
      scheduler.after(delay(), flush);
    });
  };

  /** The server's process takes its time, and sometimes does not get the processor. */
  const later = (each: Running, step: () => void): void => {
    const ms = prng.below(50) === 0 ? prng.below(300) : prng.unit();
    scheduler.after(ms, () => {
      if (!each.done && running.includes(each)) step();
    });
  };

  const begin = (statement: Statement, finish: Running['finish']): void => {
    const each: Running = {
      statement,
      snapshot: copyOf(visible),
      ready: false,
      holds: false,
      lsn: undefined,
      change: { kind: 'none' },
      answer: { kind: 'clean', rowCount: 0, rows: [] },
      finish,
      done: false,
    };
    running.push(each);
    later(each, () => {
      each.ready = true;
      lock(each);
    });
  };

  const waiting = (): Running | undefined => {
    const all = running.filter(({ lsn }) => lsn !== undefined);
    return all[prng.below(Math.max(1, all.length))];
  };

  const makeLane = (own: Scheduler): Lane => {
    const number = lanes.push(0) - 1;
    /** A message on its way to the server. */
    const way = (): number => delay() + Math.max(0, lanes[number]! - now());
    let busy = false;
    let leave: (() => void) | undefined;
    const run = (statement: Statement): Promise<Outcome> =>
      new Promise((resolve) => {
        busy = true;
        const since = generation;
        const sentAt = now();
        let ended = false;
        // The process itself takes the answer, so that one that stands still takes it later.
        const finish = (outcome: Outcome, afterMs: number): void => {
          if (ended) return;
          ended = true;
          own.after(afterMs, () => {
            busy = false;
            leave = undefined;
            resolve(outcome);
          });
        };
        leave = () => finish(lost, 0);
        const fault = prng.below(60);
        // The statement is lost before the server has it, or it arrives after the connection is
        // cut.
        if (fault <= 1) finish(lost, delay());
        if (fault === 0) return;
        scheduler.after(way(), () => {
          if (!up || generation !== since) return finish(lost, delay());
          begin(statement, (outcome) => {
            // The answer is lost.
            if (outcome === 'lost' || prng.below(60) === 0) finish(lost, delay());
            else {
              const isClean = outcome.kind === 'clean' && outcome.rowCount > 0;
              if (statement.name === 'renew' && isClean) {
                onRenewed(statement.values[1] as string, sentAt);
              }
              finish(outcome, delay());
            }
          });
        });
        // The server is gone: the connection ends without an answer.
        const look = (): void => {
          if (ended) return;
          if (generation === since) scheduler.after(20, look);
          else finish(lost, delay());
        };
        look();
      });
    return { isIdle: () => !busy, run, end: () => leave?.() };
  };

  return {
    makeLane,
    visible: () => visible,
    freezeStandby: (next) => {
      frozen = next;
      flush();
    },
    cancelWait: () => {
      const each = waiting();
      if (each === undefined) return false;
      const believed = mistakes.has('noticeIsSuccess');
      commit(each, believed ? each.answer : { kind: 'doubt', why: 'the wait was cancelled' });
      return true;
    },
    terminate: () => {
      const each = waiting();
      if (each === undefined) return false;
      commit(each, 'lost');
      return true;
    },
    stallLane: (ms) => {
      const young = Math.min(lanes.length, 10);
      lanes[lanes.length - 1 - prng.below(young)] = now() + ms;
    },
    failOver: (afterMs) => {
      const state = nothing();
      wal = wal.slice(0, flushed);
      for (const done of wal) change(state, done);
      generation += 1;
      up = false;
      running = [];
      visible = state;
      scheduler.after(afterMs, () => {
        up = true;
        frozen = false;
      });
    },
  };
}

function shuffled<T>(items: readonly T[], prng: Prng): T[] {
  return items
    .map((item) => [prng.unit(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** The lock on the row of the lease that a statement needs. */
function lockOf({ statement }: Running, mistakes: ReadonlySet<Mistake>): string {
  const { name } = statement;
  if (name === 'write' || name === 'cut') {
    return mistakes.has('noFence') || mistakes.has('fenceWithoutLock') ? 'none' : 'keyShare';
  }
  if (name === 'take over' || name === 'hand over') return 'update';
  return ofMembers.has(name) || name === 'look' ? 'none' : 'noKeyUpdate';
}

const ofMembers = new Set(['beat', 'members', 'remove member']);

const conflicts: Readonly<Record<string, readonly string[]>> = {
  none: [],
  keyShare: ['update'],
  noKeyUpdate: ['noKeyUpdate', 'update'],
  update: ['keyShare', 'noKeyUpdate', 'update'],
};

const positionOf = ({ statement }: Running): unknown =>
  statement.name === 'write' ? statement.values[3] : undefined;

/** Whether a statement whose commit waits holds a lock that this one needs. */
function isBlocked(
  each: Running,
  running: readonly Running[],
  mistakes: ReadonlySet<Mistake>,
): boolean {
  const wanted = conflicts[lockOf(each, mistakes)]!;
  const position = positionOf(each);
  return running.some((other) => {
    if (other === each || !other.holds) return false;
    if (position !== undefined && positionOf(other) === position) return true;
    return wanted.includes(lockOf(other, mistakes));
  });
}

function hasDurable({ batches }: State, values: readonly unknown[]): boolean {
  const [position, hash] = values.slice(10) as [number, Buffer];
  return position === 0 || batches.get(position)?.hash.equals(hash) === true;
}

const clean = (rowCount: number, rows: readonly Row[] = []): Clean => ({
  kind: 'clean',
  rowCount,
  rows,
});

/** The rows of a renewal. */
function placesOf({ batches }: State, known: number): Row[] {
  const places = [...batches.values()].toSorted((a, b) => b.position - a.position);
  const last = places.slice(0, 16);
  const older = places.slice(16).filter(({ position }) => position === known);
  const rows = [...last, ...older].map((batch) => ({ ...batch, guarded: true }));
  return rows.length === 0 ? [{ guarded: true, position: null }] : rows;
}

const none: [Change, Clean] = [{ kind: 'none' }, clean(0)];

/** Each process writes its own row only. */
function evaluateMembers(
  { name, values }: Statement,
  { members }: State,
  now: number,
): [Change, Clean] {
  if (name === 'members') {
    const rows = [...members.values()].map(({ engineHash, at: _, steadySince: __, ...row }) => ({
      ...row,
      engine_hash: engineHash,
    }));
    return [{ kind: 'none' }, clean(rows.length, rows)];
  }
  const process = values[0] as string;
  if (name === 'remove member') return [{ kind: 'leave', process }, clean(1)];
  const [, address, release, engineHash, role, position, beat] = values;
  const before = members.get(process);
  if ((before?.beat ?? 0) >= (beat as number)) return none;
  const steadySince = before !== undefined && now - before.at < 1000 ? before.steadySince : now;
  const row = { process, address, release, engineHash, role, position, beat, at: now, steadySince };
  return [{ kind: 'beat', row: row as StoredMember }, clean(1)];
}

/** What the statement does when it has its lock. */
function evaluate(
  { statement, snapshot }: Running,
  visible: State,
  mistakes: ReadonlySet<Mistake>,
  now: number,
): [Change, Clean] {
  const { name, values } = statement;
  const { lease } = visible;
  if (name === 'look') return [{ kind: 'none' }, clean(1, [{ ...lease, now }])];
  if (name === 'take over') {
    const [holder, , epoch, former, renewal] = values as [string, string, number, string, number];
    const blind = mistakes.has('takeOverBlindly');
    if (lease.epoch !== epoch || lease.holder !== former) return none;
    if (!blind && lease.renewal !== renewal) return none;
    const taken = { epoch: epoch + 1, holder, renewal: 0, released: false };
    return [{ kind: 'lease', lease: taken }, clean(1)];
  }
  if (ofMembers.has(name)) return evaluateMembers(statement, visible, now);
  const [epoch, holder] = values as [number, string];
  const seen = mistakes.has('fenceWithoutLock') ? snapshot.lease : lease;
  const isHeld = seen.epoch === epoch && seen.holder === holder;
  if (name === 'renew') {
    if (!isHeld || lease.released) return none;
    const rows = placesOf(snapshot, values[2] as number);
    const renewed = { ...lease, renewal: values[3] as number };
    return [{ kind: 'lease', lease: renewed }, clean(1, rows)];
  }
  if (name === 'hand over') {
    if (!isHeld || lease.released) return none;
    const given = { epoch: epoch + 1, holder: values[2] as string, renewal: 0, released: false };
    return [{ kind: 'lease', lease: given }, clean(1)];
  }
  if (name === 'release') {
    if (!isHeld) return none;
    return [{ kind: 'lease', lease: { ...lease, released: true } }, clean(1)];
  }
  if (!isHeld && !mistakes.has('noFence')) return none;
  if (name === 'cut') {
    const behind = [...visible.batches.values()].filter(
      (batch) => batch.position > (values[3] as number) && batch.epoch < epoch,
    );
    const positions = behind.map(({ position }) => position);
    if (positions.length === 0) return none;
    return [{ kind: 'remove', positions }, clean(positions.length)];
  }
  const [, , , position, previous, hash, time, engine, count, commands, , , origins] =
    values as readonly [
      ...[number, string, boolean],
      ...[number, Buffer, Buffer, number, string, number, Buffer],
      ...[number, Buffer, Buffer | null],
    ];
  if (visible.batches.has(position)) return none;
  if (!mistakes.has('noFence') && !hasDurable(snapshot, values)) return none;
  const content = { time, engine_hash: engine, count, commands, origins };
  const batch = { position, epoch, holder, hash, previous_hash: previous, ...content };
  return [{ kind: 'insert', batch }, clean(1)];
}
