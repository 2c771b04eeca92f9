// The port of the log, for its one writer and for its readers: bytes in one total order, which are
// durable before they become visible. The codec knows what the bytes mean. The implementation knows
// where they are (file/, postgres/).

/** Where the log ends. The empty log is at position 0, with a hash of 32 zero bytes, at time 0. */
export type LogHead = {
  readonly position: number;
  /** SHA-256 over the batch and its predecessor's hash: a chain. */
  readonly hash: Buffer;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
};

/** A position together with the hash of the batch there, in hex. */
export type LogPlace = { readonly position: number; readonly hash: string };

export const logBeginning: LogPlace = { position: 0, hash: '0'.repeat(64) };

/** A batch as it is read back. */
export type LogBatch = LogHead & {
  readonly previousHash: Buffer;
  /** Hex: the hash of the engine's sources that ran the batch. */
  readonly engineHash: string;
  /** The number of commands in `commands`. */
  readonly count: number;
  readonly commands: Buffer;
  /** As in its entry; only a log in PostgreSQL has it. */
  readonly origins?: Buffer | undefined;
};

/** A batch before it is in the log. `engineHash` is lower-case hex of at most 32 bytes. */
export type LogEntry = {
  readonly time: number;
  readonly engineHash: string;
  readonly count: number;
  readonly commands: Uint8Array;
  /**
   * Which requests of other processes the commands are: bytes beside the batch, outside of its
   * hash. A log on files does not keep them.
   */
  readonly origins?: Buffer | undefined;
};

export type Log = {
  /** The last batch that is known to be durable. */
  readonly head: () => LogHead;
  /**
   * Queues one batch and gives its position at once; positions count from 1 without gaps. It copies
   * the command bytes before it returns. Faults unless `ready()`, when the batch holds more than
   * `batchBytesMax`, or when its time is before its predecessor's.
   */
  readonly append: (entry: LogEntry) => number;
  /** Whether another batch may be appended: fewer than `batchesInFlightMax` wait for a sync. */
  readonly ready: () => boolean;
  /**
   * Sets the one listener for durability. Its call means that everything up to `head` is durable.
   * One call may cover several batches. It never comes from inside `append`.
   */
  readonly onDurable: (listener: (head: LogHead) => void) => void;
  /**
   * Sets the one listener for the failure of a write or a sync, which is called once. After it the
   * log acknowledges nothing more, even what did reach the disk: the process must stop.
   */
  readonly onFailure: (listener: (error: Error) => void) => void;
  /**
   * Runs the task when the state that this log has made may be shown: at once, unless another
   * process may have written since. Absent where no other process can. It runs nothing after a
   * failure.
   */
  readonly whenCurrent?: (task: () => void) => void;
  /** Waits for the batches in flight, then ends the writer and releases the directory. */
  readonly close: () => Promise<void>;
};

/** The log for its readers, in any thread or process, also while it is being written. */
export type LogReader = {
  /** Its location, for messages to the operator. */
  readonly name: string;
  /**
   * The head after the last whole batch, whose sync may not be done yet; the empty head when there
   * is no log. Throws `LogDamaged`. Cost: reads the log's last part.
   */
  readonly head: () => LogHead;
  /**
   * The batches from `from` to `to`, both included, or to the last whole one. Near the end of a log
   * that is being written this may include a batch whose sync is not done. A reader that must not
   * see it gives the durable position as `to`. Throws `LogDamaged` when a batch is damaged, does
   * not follow its predecessor, or is missing although later ones exist. What stands before the
   * predecessor of `from` is not checked.
   */
  readonly read: (from: number, to?: number) => Generator<LogBatch, void, undefined>;
  /**
   * Follows the log after a place: reads each batch once, when it is durable. Opens nothing before
   * `next`.
   */
  readonly follow: (after: LogPlace) => LogFollower;
};

export type LogFollower = {
  /**
   * The batch after the last one given; undefined when that one is at `durablePosition`. Throws
   * `LogDamaged` when a durable batch cannot be read or does not continue its predecessor.
   */
  readonly next: (durablePosition: number) => LogBatch | undefined;
  readonly close: () => void;
};

/** The maximum of command bytes in one batch. */
export const batchBytesMax = 8 * 1024 * 1024;

/** The maximum of batches that wait for their sync at once. */
export const batchesInFlightMax = 4;

/** Thrown when the content of the disk cannot be the log that was acknowledged. */
export class LogDamaged extends Error {
  override name = 'LogDamaged';
}
