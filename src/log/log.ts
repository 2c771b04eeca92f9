// The port of the log: bytes in one total order, durable before anyone hears of them. What the
// bytes mean is the codec's business; where they lie is the implementation's (file/).

/** Where the log ends. The empty log is at position 0, with a hash of 32 zero bytes, at time 0. */
export type LogHead = {
  readonly position: number;
  /** SHA-256 over the batch, its predecessor's hash included: a chain. */
  readonly hash: Buffer;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
};

/** A batch as it is read back. */
export type LogBatch = LogHead & {
  readonly previousHash: Buffer;
  /** Hex: the hash of the engine's sources that ran the batch. */
  readonly engineHash: string;
  /** The number of commands in `commands`. */
  readonly count: number;
  readonly commands: Buffer;
};

/** A batch on its way into the log. `engineHash` is lower-case hex of at most 32 bytes. */
export type LogEntry = {
  readonly time: number;
  readonly engineHash: string;
  readonly count: number;
  readonly commands: Uint8Array;
};

export type Log = {
  /** The last batch that is known to be durable. */
  readonly head: () => LogHead;
  /**
   * Queues one batch and gives its position at once; positions are dense from 1. The command
   * bytes are copied before it returns. Faults unless `ready()`, or when the batch holds more
   * than `batchBytesMax`, or when its time lies before its predecessor's.
   */
  readonly append: (entry: LogEntry) => number;
  /** Whether another batch may be appended: fewer than `batchesInFlightMax` wait for a sync. */
  readonly ready: () => boolean;
  /**
   * Sets the one listener that hears when everything up to `head` is durable. One call may cover
   * several batches. It is never called from inside `append`.
   */
  readonly onDurable: (listener: (head: LogHead) => void) => void;
  /**
   * Sets the one listener that hears, once, that a write or a sync failed. After it nothing is
   * acknowledged any more, whatever reached the disk: the process must stop.
   */
  readonly onFailure: (listener: (error: Error) => void) => void;
  /** Waits for the batches in flight, then ends the writer and gives up the directory. */
  readonly close: () => Promise<void>;
};

/** Command bytes of one batch, at most. */
export const batchBytesMax = 8 * 1024 * 1024;

/** Batches that may wait for their sync at once. */
export const batchesInFlightMax = 4;

/** Thrown when what lies on the disk cannot be the log that was acknowledged. */
export class LogDamaged extends Error {
  override name = 'LogDamaged';
}
