// Replay: a state follows the log from its own position. Replay checks the same chain of hashes as
// the log does, so that no other log continues a snapshot of this one.

import { type LogBatch, LogDamaged, type LogPlace, type LogReader } from '../log/log.ts';
import { applyBatch } from './applyBatch.ts';
import type { ReplicaState } from './replicaState.ts';
import type { SkipIndex } from './skipIndex.ts';

export type Replay = {
  readonly log: LogReader;
  readonly skips: SkipIndex;
  /** The last position, included; the end of the log when absent. */
  readonly toPosition?: number;
  /** Receives every batch before it is applied. */
  readonly onBatch?: (batch: LogBatch) => void;
};

/**
 * Applies every batch after `from`, which is the place of the state, and gives the new place.
 * Throws `LogDamaged` when the log does not continue `from`, and `PoisonCommand`.
 */
export function replayLog(state: ReplicaState, from: LogPlace, replay: Replay): LogPlace {
  const { log, skips, toPosition, onBatch } = replay;
  let place = from;
  for (const batch of log.read(from.position + 1, toPosition)) {
    checkContinues(place, batch.previousHash, log.name);
    onBatch?.(batch);
    applyBatch(state, batch, skips);
    place = { position: batch.position, hash: batch.hash.toString('hex') };
  }
  return place;
}

/** Throws `LogDamaged` unless the batch after `place` names that place's hash. */
export function checkContinues(place: LogPlace, previousHash: Buffer, logName: string): void {
  if (previousHash.toString('hex') === place.hash) return;
  throw new LogDamaged(
    `${logName}: batch ${place.position + 1} does not continue batch ${place.position} as the ` +
      'state knows it: snapshots and log are not of the same deployment',
  );
}
