// How much streams may hold and send (WS-2, WS-4, WS-5). At a bound a reader receives an error, is
// reset or is closed. Nothing grows beyond its bound, and no reader waits for another.

export type StreamBounds = {
  /** The size of a channel's ring: the messages that a reader may request again (WS-2). */
  readonly ringMessagesMax: number;
  readonly ringMs: number;
  /** All rings together, bytes; the oldest messages are dropped first. */
  readonly ringBytesMax: number;
  /** How many bytes a reader may be behind before it is closed (WS-4). */
  readonly backlogBytesMax: number;
  /** The same for all readers together: beyond it those that are furthest behind are closed. */
  readonly backlogBytesAllMax: number;
  /** How often this bound is checked. */
  readonly backlogsMs: number;
  /** Bytes of a replay that may wait in a reader's socket. */
  readonly replayBytesMax: number;
  /**
   * New snapshots of a channel a second. A further reader gets the last snapshot and the messages
   * since.
   */
  readonly snapshotsPerSecond: number;
  /**
   * How often a reader gets messages in one turn of the event loop, for each run of messages or
   * replay that waits, and at most. Orders are served between turns.
   */
  readonly sendsPerTurn: number;
  readonly sendsPerTurnMax: number;
  /**
   * A public channel with more readers than this rests after each sending, for so many milliseconds
   * for each of them, and at most so many (CON-7).
   */
  readonly fewReaders: number;
  readonly restMsPerReader: number;
  readonly restMsMax: number;
  /** Messages of one replay before the next one's turn. */
  readonly replaySends: number;
  /** Messages that wait to be sent; beyond it all readers are closed. */
  readonly deliveriesMax: number;
  readonly channelsMax: number;
  /** Subscriptions of one reader. */
  readonly subscriptionsMax: number;
  /** Streams of one reader of the convention's streams (conventions, 13.3). */
  readonly streamsMax: number;
  /**
   * How many messages a reader may send: this many at once, and this many a second in the long run.
   */
  readonly messagesBurst: number;
  readonly messagesPerSecond: number;
  /** The least time between two updates of a book. */
  readonly depthMs: number;
  /** The least time between two updates of the present candle. */
  readonly candlesMs: number;
  /** The time between two tickers. */
  readonly tickerMs: number;
  /** The time between two messages of a market's prices. */
  readonly pricesMs: number;
  /** The least time between two tickers of one market in the channel of all markets. */
  readonly tickersMs: number;
  /** The least time between two pictures of a book's best levels. */
  readonly levelsMs: number;
  /** The least time between two messages with what the mark alone moved in an account. */
  readonly figuresMs: number;
  /** How many rows of such messages are made in one turn of the event loop. */
  readonly figureRowsPerTurn: number;
  readonly pingMs: number;
  /** A reader is closed after this time without a pong (WS-4). */
  readonly silenceMs: number;
  /** The same of an armed connection, so that a vanished peer is noticed soon (COD-4). */
  readonly armedPingMs: number;
  readonly armedSilenceMs: number;
  /** How often readers' pings and tokens, and idle channels, are checked. */
  readonly sweepMs: number;
};

const mebibyte = 1024 * 1024;
const minuteMs = 60_000;

export const defaultStreamBounds: StreamBounds = {
  ringMessagesMax: 100_000,
  ringMs: 10 * minuteMs,
  ringBytesMax: 256 * mebibyte,
  backlogBytesMax: 4 * mebibyte,
  backlogBytesAllMax: 256 * mebibyte,
  backlogsMs: 1000,
  replayBytesMax: mebibyte,
  snapshotsPerSecond: 5,
  sendsPerTurn: 50,
  sendsPerTurnMax: 400,
  fewReaders: 64,
  restMsPerReader: 0.05,
  restMsMax: 250,
  replaySends: 50,
  deliveriesMax: 200_000,
  channelsMax: 100_000,
  subscriptionsMax: 200,
  streamsMax: 1024,
  messagesBurst: 100,
  messagesPerSecond: 10,
  depthMs: 100,
  candlesMs: 250,
  tickerMs: 2000,
  pricesMs: 500,
  tickersMs: 1000,
  levelsMs: 250,
  figuresMs: 1000,
  figureRowsPerTurn: 128,
  pingMs: 3 * minuteMs,
  silenceMs: 10 * minuteMs,
  armedPingMs: 10_000,
  armedSilenceMs: 30_000,
  sweepMs: 5000,
};
