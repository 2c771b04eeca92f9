// The messages between the thread of a log in PostgreSQL and the thread that trades. Batches go
// through the shared slots instead (log/file/batchSlots.ts).

import type { Skip } from '../file/skip.ts';
import type { LogBatch, LogHead } from '../log.ts';
import type { SeenLease } from './holdLog.ts';
import type { ExpectedOwner } from './tables.ts';

export type PostgresLogThreadData = {
  readonly shared: SharedArrayBuffer;
  /** Until when the lease holds: see leaseTerm.ts. */
  readonly term: SharedArrayBuffer;
  readonly urls: string;
  readonly replicatedStorage: boolean;
  readonly expected: ExpectedOwner;
  /** This start of this process; no other start has the same. */
  readonly holder: string;
  readonly address: string;
  /** For the list of processes: the release, and the hash of its engine. */
  readonly release: string;
  readonly engineHash: string;
  /** Of the local segments, which the process has locked. */
  readonly directory: string;
  readonly segmentBytes: number;
  /** The newest local snapshot; it has durable batches only. */
  readonly snapshotPosition: number;
};

export type ToPostgresLog =
  /**
   * The state is at the end of the local segments, so this process may take the lease; `logEngine`
   * ran the last batch there, and is empty if there is none. With `unfit`, which says why, it must
   * not take it.
   */
  | { readonly kind: 'ready'; readonly logEngine: string; readonly unfit: string | undefined }
  | 'close'
  /** The lease may change hands now: look at it. */
  | 'hurry'
  /** This process has a link to the holder, until the next `hurry`. */
  | 'linked'
  /** Durable batches that the process has from the holder. */
  | { readonly kind: 'fed'; readonly batches: readonly LogBatch[] };

export type FromPostgresLog =
  /** The local segments hold every batch up to here, and it is durable. */
  | { readonly kind: 'followed'; readonly head: LogHead }
  /** What the local segments do not keep of a batch; it comes before its `followed`. */
  | { readonly kind: 'origins'; readonly position: number; readonly origins: Uint8Array }
  | { readonly kind: 'seen'; readonly lease: SeenLease }
  /** This process has the lease; the local segments hold the whole log. */
  | {
      readonly kind: 'open';
      readonly head: LogHead;
      readonly epoch: number;
      /** The skip records that all processes share: they change under the lease alone. */
      readonly skips: readonly Skip[];
    }
  /** This process gives the lease away: what it has acknowledged is all that it will. */
  | { readonly kind: 'leaving' }
  | { readonly kind: 'report'; readonly message: string }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };

/** A thread receives buffers as plain byte arrays. */
export function headReceived({ position, hash, time }: LogHead): LogHead {
  return { position, hash: Buffer.from(hash), time };
}
