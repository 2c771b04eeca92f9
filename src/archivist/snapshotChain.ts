// The chain of snapshots: each is what replay makes of the one before it, and only then may older
// ones go. The archivist goes on from what it reads back of every snapshot it writes, so the next
// one is a replay of that file, and its comparison with trading is a test of it all the way.

import type { Engines } from '../replica/engines.ts';
import type { Begun } from '../replica/recoverState.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import {
  listSnapshots,
  readSnapshot,
  removeSnapshot,
  removeUnfinishedSnapshots,
  SnapshotDamaged,
  type SnapshotHead,
  type SnapshotPlace,
  setSnapshotAside,
  writeSnapshot,
} from '../replica/snapshotFile.ts';

/** A snapshot is not what replay makes of the one before it. */
export class SnapshotRefuted extends Error {
  override name = 'SnapshotRefuted';
}

export type SnapshotChainOptions = {
  readonly place: SnapshotPlace;
  readonly engines: Engines;
  /** Hears, as sentences, of damaged files. */
  readonly report: (message: string) => void;
  /**
   * A reader of the log stands there and may have to begin again: the newest snapshot at or below
   * it stays. -1: it is not known where, and the oldest stays. undefined: there is no such reader.
   */
  readonly readerPosition?: () => number | undefined;
};

export type SnapshotChain = {
  /** The state to follow from: the second newest good snapshot, undefined without any. */
  readonly begin: () => Begun | undefined;
  /** The newest good snapshot. */
  readonly newest: () => Pick<SnapshotHead, 'position' | 'commands'>;
  /** The followed state has passed a batch. Throws `SnapshotRefuted`. */
  readonly passed: (state: Readonly<ReplicaState>) => void;
  /**
   * Writes the state and gives what it reads back, which is the state to go on with. Throws what
   * the disk throws, and `SnapshotDamaged` when it cannot be read back; the file is then set aside.
   */
  readonly take: (state: ReplicaState, batchHash: string) => ReplicaState;
};

type ChainState = {
  readonly options: SnapshotChainOptions;
  newest: Pick<SnapshotHead, 'position' | 'commands'>;
  /** The newest at start, until the followed state has passed it. */
  unproved: SnapshotHead | undefined;
  /** The newest proved snapshot that the followed state comes from; 0: the log's beginning. */
  base: number;
};

/** Reads nothing before `begin`. */
export function createSnapshotChain(options: SnapshotChainOptions): SnapshotChain {
  const run: ChainState = {
    options,
    newest: { position: 0, commands: 0 },
    unproved: undefined,
    base: 0,
  };
  return {
    begin: () => begin(run),
    newest: () => run.newest,
    passed: (state) => passed(run, state),
    take: (state, batchHash) => take(run, state, batchHash),
  };
}

// The newest is read whole: a head alone would let a damaged file stand as good.
function begin(run: ChainState): Begun | undefined {
  const { place } = run.options;
  removeUnfinishedSnapshots(place);
  let begun: Begun | undefined;
  let newest: SnapshotHead | undefined;
  for (const position of listSnapshots(place).reverse()) {
    const found = tryRead(run, position);
    if (found === undefined) continue;
    begun = { state: found.state, place: { position, hash: found.head.batchHash } };
    run.base = position;
    if (newest !== undefined) {
      run.unproved = newest;
      break;
    }
    // A single good one has nothing before it to be proved from but the log's beginning.
    newest = found.head;
    run.newest = newest;
  }
  return begun;
}

function tryRead(run: ChainState, position: number): ReturnType<typeof readSnapshot> | undefined {
  try {
    return readSnapshot(run.options.place, position, run.options.engines);
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    run.options.report(error.message);
    return undefined;
  }
}

function passed(run: ChainState, state: Readonly<ReplicaState>): void {
  const { unproved } = run;
  if (unproved === undefined || state.position < unproved.position) return;
  run.unproved = undefined;
  const { engine, exchange, eventHash } = state;
  const same =
    state.position === unproved.position &&
    engine.stateHash(exchange) === unproved.stateHash &&
    engine.priceHash(exchange) === unproved.priceHash &&
    eventHash.high === unproved.eventHash.high &&
    eventHash.low === unproved.eventHash.low;
  if (!same) {
    const aside = setSnapshotAside(run.options.place, unproved.position);
    throw new SnapshotRefuted(
      `the snapshot of batch ${unproved.position} is not what replay makes of the one before it. ` +
        `It now lies in ${aside}; the next start begins from the one before it`,
    );
  }
  prove(run, unproved.position);
}

/** The snapshot is proved from the base: what is older than the base may go, but for the reader's. */
function prove(run: ChainState, position: number): void {
  const { place, readerPosition } = run.options;
  const positions = listSnapshots(place);
  const reader = readerPosition?.();
  const kept =
    reader === -1
      ? positions[0]
      : positions.findLast((candidate) => candidate <= (reader ?? run.base));
  for (const older of positions) {
    if (older < run.base && older !== kept) removeSnapshot(place, older);
  }
  run.base = position;
}

function take(run: ChainState, state: ReplicaState, batchHash: string): ReplicaState {
  const { place } = run.options;
  const head = writeSnapshot(place, state, batchHash);
  try {
    const back = readSnapshot(place, head.position, state.engines);
    run.newest = head;
    prove(run, head.position);
    return back.state;
  } catch (error) {
    if (error instanceof SnapshotDamaged) setSnapshotAside(place, head.position);
    throw error;
  }
}
