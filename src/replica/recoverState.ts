// Recovery of a replica: the newest good snapshot, then the rest of the log.

import {
  LogDamaged,
  type LogHead,
  type LogPlace,
  type LogReader,
  logBeginning,
} from '../log/log.ts';
import type { Disk } from '../std/disk.ts';
import type { Engines } from './engines.ts';
import { replayLog } from './replayLog.ts';
import { createReplicaState, type ReplicaState } from './replicaState.ts';
import type { SkipIndex } from './skipIndex.ts';
import {
  listSnapshots,
  readSnapshot,
  readSnapshotForStart,
  SnapshotDamaged,
  type SnapshotPlace,
} from './snapshotFile.ts';

export type Recovery = {
  readonly disk: Disk;
  readonly log: LogReader;
  readonly snapshotDirectory: string;
  readonly chainId: number;
  readonly skips: SkipIndex;
  /** Where the recovered log ends. */
  readonly head: LogHead;
  readonly engines: Engines;
  /** What `readSnapshots` gave before the head was known; absent: it is read now. */
  readonly read?: ReadSnapshots;
  /** Receives sentences about damaged snapshots. */
  readonly report: (message: string) => void;
};

export type Recovered = {
  readonly state: ReplicaState;
  /** The position of the snapshot from which it began, 0 without one. */
  readonly snapshot: number;
};

/**
 * The state at the log's head. Throws `LogDamaged` when snapshots and log do not belong together or
 * batches are missing between them, `PoisonCommand`, and `EngineRefused`.
 */
export function recoverState(recovery: Recovery): Recovered {
  const { log, head, skips, engines } = recovery;
  const { state, place } = newestSnapshot(recovery) ?? beginning(recovery.chainId, engines);
  const end = replayLog(state, place, { log, skips, toPosition: head.position });
  if (end.position !== head.position || end.hash !== head.hash.toString('hex')) {
    throw new LogDamaged(
      `${log.name}: the replay ended at batch ${end.position} instead of ${head.position}, ` +
        'or at another hash',
    );
  }
  return { state, snapshot: place.position };
}

export type Begun = { readonly state: ReplicaState; readonly place: LogPlace };

/** The state before the log's first batch. */
export function beginning(chainId: number, engines: Engines): Begun {
  return { state: createReplicaState(chainId, engines), place: logBeginning };
}

type SnapshotSource = Pick<Recovery, 'disk' | 'snapshotDirectory' | 'engines' | 'report'>;

export type ReadSnapshots = {
  /** The position of the newest snapshot, readable or not. */
  readonly last: number | undefined;
  /** The newest readable one. */
  readonly begun: Begun | undefined;
};

/**
 * Reads the newest snapshot while the log is still being recovered. `newestSnapshot` says whether
 * it belongs to that log.
 */
export function readSnapshots(source: SnapshotSource): ReadSnapshots {
  const place: SnapshotPlace = { disk: source.disk, directory: source.snapshotDirectory };
  const positions = listSnapshots(place);
  const reading = { ...source, readOne: readSnapshotForStart };
  return { last: positions.at(-1), begun: newestOf(place, positions, reading) };
}

/** The newest readable snapshot; undefined when there is none. Throws `LogDamaged`. */
export function newestSnapshot(
  recovery: SnapshotSource & Pick<Recovery, 'chainId' | 'head' | 'read'>,
): Begun | undefined {
  const { head, chainId } = recovery;
  const { last, begun } = recovery.read ?? readSnapshots(recovery);
  // A snapshot contains only durable batches, so a log that ends before it has lost some.
  if (last !== undefined && last > head.position) {
    throw new LogDamaged(
      `the log ends at batch ${head.position}, but there is a snapshot of batch ${last}: ` +
        'acknowledged batches are missing from the log',
    );
  }
  if (begun !== undefined && begun.state.exchange.chainId !== chainId) {
    throw new LogDamaged(
      `the snapshots are of chain ${begun.state.exchange.chainId}, not ${chainId}`,
    );
  }
  return begun;
}

type Reading = Pick<Recovery, 'engines' | 'report'> & {
  /** `readSnapshot` unless given. */
  readonly readOne?: typeof readSnapshot;
};

/** The newest readable one of these snapshots; undefined when there is none. */
export function newestOf(
  place: SnapshotPlace,
  positions: readonly number[],
  reading: Reading,
): Begun | undefined {
  for (const position of positions.toReversed()) {
    const begun = tryReadSnapshot(place, position, reading);
    if (begun !== undefined) return begun;
  }
  return undefined;
}

function tryReadSnapshot(
  place: SnapshotPlace,
  position: number,
  { engines, report, readOne = readSnapshot }: Reading,
): Begun | undefined {
  try {
    const { head, state } = readOne(place, position, engines);
    return { state, place: { position, hash: head.batchHash } };
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    report(error.message);
    return undefined;
  }
}
