// Proving snapshots: the newest one must be what replay makes of the one before it, and only then
// may older ones go. At start the archivist's own replay is the proof; for a snapshot taken later a
// third state is replayed in the background, in small steps.

import { priceHash, stateHash } from '../engine/stateHash.ts';
import { applyBatch } from '../replica/applyBatch.ts';
import { type Begun, beginning } from '../replica/recoverState.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import type { SkipIndex } from '../replica/skipIndex.ts';
import {
  listSnapshots,
  readSnapshot,
  removeSnapshot,
  removeUnfinishedSnapshots,
  SnapshotDamaged,
  type SnapshotHead,
  type SnapshotPlace,
  setSnapshotAside,
} from '../replica/snapshotFile.ts';
import type { Clock } from '../std/clock.ts';
import type { Disk } from '../std/disk.ts';
import { followLog, type LogFollower } from './followLog.ts';

/** A snapshot is not what replay makes of the one before it. */
export class SnapshotRefuted extends Error {
  override name = 'SnapshotRefuted';
}

export type SnapshotProofsOptions = {
  readonly place: SnapshotPlace;
  readonly disk: Disk;
  readonly logDirectory: string;
  readonly chainId: number;
  readonly skips: SkipIndex;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

export type SnapshotProofs = {
  /** The state to follow from: the second newest good snapshot, undefined without one. */
  readonly begin: () => Begun | undefined;
  /** Position and commands of the newest good snapshot, 0 without one. */
  readonly newest: () => number;
  readonly newestCommands: () => number;
  /** The followed state has passed a batch; throws `SnapshotRefuted`. */
  readonly passed: (state: Readonly<ReplicaState>) => void;
  /** A snapshot has been written and is to be proved. */
  readonly taken: (head: SnapshotHead) => void;
  /** Proves for a while; false when there is nothing to prove. Throws `SnapshotRefuted`. */
  readonly work: (until: number) => boolean;
  readonly close: () => void;
};

type Proof = {
  readonly target: SnapshotHead;
  /** The position of the snapshot it is proved from. */
  readonly base: number;
  readonly state: ReplicaState;
  readonly follower: LogFollower;
};

type Run = {
  readonly options: SnapshotProofsOptions;
  newest: SnapshotHead | undefined;
  /** The newest at start, until the followed state has passed it, and what it began from. */
  atStart: { readonly target: SnapshotHead; readonly base: number } | undefined;
  /** Taken and not proved yet, oldest first. */
  readonly waiting: SnapshotHead[];
  proof: Proof | undefined;
};

/** Reads nothing before `begin`. */
export function createSnapshotProofs(options: SnapshotProofsOptions): SnapshotProofs {
  const run: Run = {
    options,
    newest: undefined,
    atStart: undefined,
    waiting: [],
    proof: undefined,
  };
  return {
    begin: () => begin(run),
    newest: () => run.newest?.position ?? 0,
    newestCommands: () => run.newest?.commands ?? 0,
    passed: (state) => passed(run, state),
    taken: (head) => {
      run.newest = head;
      run.waiting.push(head);
    },
    work: (until) => work(run, until),
    close: () => run.proof?.follower.close(),
  };
}

// The newest is read whole: a head alone would let a damaged file stand as proved.
function begin(run: Run): Begun | undefined {
  const { place } = run.options;
  removeUnfinishedSnapshots(place);
  let begun: Begun | undefined;
  for (const position of listSnapshots(place).reverse()) {
    const found = tryRead(run, position);
    if (found === undefined) continue;
    begun = { state: found.state, place: { position, hash: found.head.batchHash } };
    if (run.newest !== undefined) {
      run.atStart = { target: run.newest, base: position };
      return begun;
    }
    run.newest = found.head;
  }
  // A single good one has nothing before it to be proved from but the log's beginning.
  return begun;
}

function tryRead(run: Run, position: number): ReturnType<typeof readSnapshot> | undefined {
  try {
    return readSnapshot(run.options.place, position);
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    run.options.report(error.message);
    return undefined;
  }
}

function passed(run: Run, state: Readonly<ReplicaState>): void {
  if (run.atStart === undefined || state.position < run.atStart.target.position) return;
  const { target, base } = run.atStart;
  run.atStart = undefined;
  conclude(run, { target, base, state });
}

function work(run: Run, until: number): boolean {
  const { options } = run;
  if (run.atStart !== undefined) return false;
  if (run.proof === undefined) {
    const target = run.waiting.shift();
    if (target === undefined) return false;
    run.proof = startProof(run, target);
    return true;
  }
  const { follower, target, state } = run.proof;
  while (options.clock.now() < until) {
    const batch = follower.next(target.position);
    if (batch !== undefined) {
      applyBatch(state, batch, options.skips);
      continue;
    }
    const { base } = run.proof;
    follower.close();
    run.proof = undefined;
    conclude(run, { target, base, state });
    // What the file gives back is compared with its own head, which replay has just confirmed.
    if (tryRead(run, target.position) === undefined) refute(run, target, 'cannot be read back');
    break;
  }
  return true;
}

function startProof(run: Run, target: SnapshotHead): Proof {
  const { options } = run;
  const before = listSnapshots(options.place).filter((position) => position < target.position);
  let begun = beginning(options.chainId);
  for (const position of before.reverse()) {
    const found = tryRead(run, position);
    if (found === undefined) continue;
    begun = { state: found.state, place: { position, hash: found.head.batchHash } };
    break;
  }
  const { disk, logDirectory: directory } = options;
  const follower = followLog({ disk, directory, after: begun.place });
  return { target, base: begun.place.position, state: begun.state, follower };
}

/** Compares, and when all is well removes what is older than the two: the proved and its base. */
function conclude(run: Run, { target, base, state }: Omit<Proof, 'follower'>): void {
  const { exchange, eventHash } = state;
  const same =
    state.position === target.position &&
    stateHash(exchange) === target.stateHash &&
    priceHash(exchange) === target.priceHash &&
    eventHash.high === target.eventHash.high &&
    eventHash.low === target.eventHash.low;
  if (!same) refute(run, target, 'is not what replay makes of the one before it');
  const { place } = run.options;
  for (const position of listSnapshots(place)) {
    if (position < base) removeSnapshot(place, position);
  }
}

function refute(run: Run, target: SnapshotHead, what: string): never {
  const aside = setSnapshotAside(run.options.place, target.position);
  throw new SnapshotRefuted(
    `the snapshot of batch ${target.position} ${what}. It now lies in ${aside}; the next start ` +
      'begins from the one before it',
  );
}
