// How much may wait in front of a replica. At a bound it refuses; it never grows past it.

import { batchBytesMax } from '../log/log.ts';

export type ReplicaBounds = {
  /** Waiting commands at which new orders are refused. */
  readonly orderLaneMax: number;
  /** Waiting commands at which cancels, prices and operators are refused too. */
  readonly reserveLaneMax: number;
  /** Bytes of the gathering batch, at most: what does not fit is refused. */
  readonly batchBytes: number;
  /** Milliseconds without a batch after which an empty one moves the time. */
  readonly tickMs: number;
};

export const defaultReplicaBounds: ReplicaBounds = {
  orderLaneMax: 8000,
  reserveLaneMax: 16_000,
  batchBytes: batchBytesMax,
  tickMs: 1000,
};
