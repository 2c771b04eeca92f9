// Bounds on what may wait for a replica. At a bound it refuses; it never grows beyond it.

import { batchBytesMax } from '../log/log.ts';

export type ReplicaBounds = {
  /** At this number of waiting commands new orders are refused. */
  readonly orderLaneMax: number;
  /**
   * At this number of waiting commands cancels, prices and the operator's commands are refused too.
   */
  readonly reserveLaneMax: number;
  /** The maximum bytes of the gathering batch; a command that does not fit is refused. */
  readonly batchBytes: number;
  /** After so many milliseconds without a batch, an empty one moves the time. */
  readonly tickMs: number;
};

export const defaultReplicaBounds: ReplicaBounds = {
  orderLaneMax: 8000,
  reserveLaneMax: 16_000,
  batchBytes: batchBytesMax,
  tickMs: 1000,
};
