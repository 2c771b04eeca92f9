// The chain of snapshots. A snapshot is proved when replay from the one before it gives the same
// state; only then may older ones be removed. The archivist continues from what it reads back of
// every snapshot it writes. So the next snapshot is a replay of that file, and each comparison with
// trading tests the file.

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

/** A snapshot differs from the replay of the one before it. */
export class SnapshotRefuted extends Error {
  override name = 'SnapshotRefuted';
}

export type SnapshotChainOptions = {
  readonly place: SnapshotPlace;
  readonly engines: Engines;
  /** Receives sentences about damaged files. */
  readonly report: (message: string) => void;
  /**
   * The position of a reader of the log that may have to begin again: the newest snapshot at or
   * below it stays. -1: the position is unknown, and the oldest snapshot stays. undefined: there is
   * no such reader.
   */
  readonly readerPosition?: () => number | undefined;
  /** From which batch on the keeper's reports may have to read the log again. */
  readonly reportPosition?: () => number | undefined;
};

export type SnapshotChain = {
  /** The state from which to follow: the second newest good snapshot, undefined without any. */
  readonly begin: () => Begun | undefined;
  /** The newest good snapshot. */
  readonly newest: () => Pick<SnapshotHead, 'position' | 'commands'>;
  /** The state that follows the log has applied a batch. Throws `SnapshotRefuted`. */
  readonly passed: (state: Readonly<ReplicaState>) => void;
  /**
   * Writes the state and gives what it reads back, which is the state to continue with. Throws what
   * the disk throws, and `SnapshotDamaged` when it cannot be read back; then the file is set aside.
   */
  readonly take: (state: ReplicaState, batchHash: string) => ReplicaState;
};

type ChainState = {
  readonly options: SnapshotChainOptions;
  newest: Pick<SnapshotHead, 'position' | 'commands'>;
  /** The newest snapshot at the start, until the state that follows the log has passed it. */
  unproved: SnapshotHead | undefined;
  /** The newest proved snapshot from which that state comes; 0: the log's beginning. */
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

// The newest is read whole: from the head alone a damaged file would count as good.
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
    // When there is only one good snapshot, only the log's beginning is before it to prove it from.
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

/**
 * The snapshot is proved from the base, so older ones than the base may go, except the reader's.
 */
function prove(run: ChainState, position: number): void {
  const { place, readerPosition, reportPosition } = run.options;
  const positions = listSnapshots(place);
  const reader = readerPosition?.();
  const kept =
    reader === -1
      ? positions[0]
      : positions.findLast((candidate) => candidate <= (reader ?? run.base));
  const forReports = keptForReports(positions, reportPosition?.());
  for (const older of positions) {
    const isKept = older === kept || forReports.includes(older);
    if (older < run.base && !isKept) removeSnapshot(place, older);
  }
  run.base = position;
}

/**
 * The newest one up to the place of the reports, and the next one. Their place is minutes behind:
 * without the next one the first would stay the only one for ever.
 */
function keptForReports(
  positions: readonly number[],
  place: number | undefined,
): readonly (number | undefined)[] {
  if (place === undefined) return [];
  return [
    positions.findLast((position) => position <= place),
    positions.find((position) => position > place),
  ];
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
