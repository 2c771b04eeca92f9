// How much streams may hold and send (WS-2, WS-4, WS-5). At a bound a reader is told, reset or
// closed; nothing grows past it, and nobody waits for anybody.

export type StreamBounds = {
  /** A channel's ring: what a reader may ask for again (WS-2). */
  readonly ringMessagesMax: number;
  readonly ringMs: number;
  /** All rings together, bytes; the oldest messages give way first. */
  readonly ringBytesMax: number;
  /** Bytes that a reader may be behind before it is closed (WS-4). */
  readonly backlogBytesMax: number;
  /** The same of all readers together: beyond it those that are farthest behind are closed. */
  readonly backlogBytesAllMax: number;
  /** How often it is looked at that. */
  readonly backlogsMs: number;
  /** Bytes of a replay that may wait in a reader's socket. */
  readonly replayBytesMax: number;
  /** New snapshots of a channel a second; who comes beyond that gets the last and what followed. */
  readonly snapshotsPerSecond: number;
  /**
   * What is handed to sockets in one turn of the event loop for each message or replay that waits,
   * and at the most; orders are served between turns.
   */
  readonly sendsPerTurn: number;
  readonly sendsPerTurnMax: number;
  /** Of one replay before another gets its turn. */
  readonly replaySends: number;
  /** Messages that wait for their readers' turn; beyond it all readers are closed. */
  readonly deliveriesMax: number;
  readonly channelsMax: number;
  /** Of one reader. */
  readonly subscriptionsMax: number;
  /** Of a reader of the convention's streams (conventions, 13.3). */
  readonly streamsMax: number;
  /** What a reader may say: so many messages at once, and so many a second in the long run. */
  readonly messagesBurst: number;
  readonly messagesPerSecond: number;
  /** Between two updates of a book, at least. */
  readonly depthMs: number;
  /** Between two of a candle in progress, at least. */
  readonly candlesMs: number;
  /** Between two tickers. */
  readonly tickerMs: number;
  readonly pingMs: number;
  /** Without a pong for so long a reader is closed (WS-4). */
  readonly silenceMs: number;
  /** How often readers' pings and tokens and idle channels are looked at. */
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
  pingMs: 3 * minuteMs,
  silenceMs: 10 * minuteMs,
  sweepMs: 5000,
};
