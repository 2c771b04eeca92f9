// The port of the log: bytes in one total order, durable before anyone hears of them, for the one
// that writes it and for its readers. What the bytes mean is the codec's business; where they lie
// is the implementation's (file/).

/** Where the log ends. The empty log is at position 0, with a hash of 32 zero bytes, at time 0. */
export type LogHead = {
  readonly position: number;
  /** SHA-256 over the batch, its predecessor's hash included: a chain. */
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

/** The log for those who read it, in any thread or process, also while it is being written. */
export type LogReader = {
  /** Where it lies, for messages to the operator. */
  readonly name: string;
  /**
   * The head after the last whole batch, which may still wait for its sync; the empty head when
   * there is no log. Throws `LogDamaged`. Cost: reads the log's last part.
   */
  readonly head: () => LogHead;
  /**
   * The batches from `from` to `to`, both included, or to the last whole one. Near the end of a log
   * that is being written this may include a batch whose sync is not done: a reader that must not
   * see it gives the durable position as `to`. Throws `LogDamaged` when a batch is damaged, does
   * not follow its predecessor, or is missing though later ones are there.
   */
  readonly read: (from: number, to?: number) => Generator<LogBatch, void, undefined>;
  /** What comes after a place, read once and as it becomes durable. Opens nothing before `next`. */
  readonly follow: (after: LogPlace) => LogFollower;
};

export type LogFollower = {
  /**
   * The batch after the last one given; undefined when that is at `durablePosition`. Throws
   * `LogDamaged` when a durable batch cannot be read or does not continue its predecessor.
   */
  readonly next: (durablePosition: number) => LogBatch | undefined;
  readonly close: () => void;
};

/** Command bytes of one batch, at most. */
export const batchBytesMax = 8 * 1024 * 1024;

/** Batches that may wait for their sync at once. */
export const batchesInFlightMax = 4;

/** Thrown when what lies on the disk cannot be the log that was acknowledged. */
export class LogDamaged extends Error {
  override name = 'LogDamaged';
}
