// A separate replica that reads the log for history, when the archivist's replica is already past
// the place of the tables. It begins at a snapshot at or before that place, or at the log's
// beginning.

import type { LogReader } from '../log/log.ts';
import { applyBatch } from '../replica/applyBatch.ts';
import type { Engines } from '../replica/engines.ts';
import { beginning, newestOf } from '../replica/recoverState.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import type { SkipIndex } from '../replica/skipIndex.ts';
import { listSnapshots } from '../replica/snapshotFile.ts';
import type { Disk } from '../std/disk.ts';

export type HistoryReplicaOptions = {
  readonly disk: Disk;
  readonly log: LogReader;
  readonly snapshotDirectory: string;
  readonly chainId: number;
  readonly skips: SkipIndex;
  readonly engines: Engines;
  readonly report: (message: string) => void;
};

export type HistoryReplica = {
  readonly state: ReplicaState;
  /** Hex: the hash of the batch at the state's position. */
  readonly hash: () => string;
  /** Applies the next batch. Throws `LogDamaged`, also when that batch no longer exists. */
  readonly next: () => void;
  readonly close: () => void;
};

/** Cost: the memory of a state, and the time to read a snapshot. */
export function openHistoryReplica(
  options: HistoryReplicaOptions,
  positionMax: number,
): HistoryReplica {
  const { disk, log, snapshotDirectory, chainId, skips, engines } = options;
  const place = { disk, directory: snapshotDirectory };
  const positions = listSnapshots(place).filter((position) => position <= positionMax);
  const { state, place: after } =
    newestOf(place, positions, options) ?? beginning(chainId, engines);
  const follower = log.follow(after);
  let { hash } = after;
  return {
    state,
    hash: () => hash,
    next: () => {
      const batch = follower.next(state.position + 1)!;
      applyBatch(state, batch, skips);
      hash = batch.hash.toString('hex');
    },
    close: () => follower.close(),
  };
}
