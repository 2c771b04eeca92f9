// The port of the streams as the gateway sees them: sockets come in here.

import type { Event } from '../engine/event.ts';
import type { ListenKeys } from './fapi/listenKeys.ts';
import type { Reader, Wire } from './reader.ts';

/** One socket's conversation, as whoever holds the socket drives it. */
export type Session = {
  readonly onText: (text: string) => void;
  /** A frame that is no text. */
  readonly onBinary: () => void;
  readonly onPing: () => void;
  readonly onPong: () => void;
  /** The socket has closed, whoever closed it. */
  readonly onClose: () => void;
};

/** What the address of a socket asks for (conventions, 12.2, 13.1). */
export type SocketOpening = {
  /** undefined: its first message tells (WS-3). */
  readonly protocol: 'fapi' | 'trading' | undefined;
  /** Whether messages come as members of an object that names the stream. */
  readonly wraps: boolean;
  /** Streams, or listen keys. */
  readonly names: readonly string[];
  readonly listenKeys: readonly string[];
  /** Of listen keys; undefined: all. */
  readonly events: ReadonlySet<string> | undefined;
};

/** Takes every text of a socket that reads no streams; it bounds their number itself. */
export type Speaker = (text: string) => void;

export type Streams = {
  /** The replica's listener (replica.ts). Neither throws. */
  readonly onEvents: (events: readonly Event[]) => void;
  readonly onApplied: () => void;
  /** To be called some forty times a second. */
  readonly tick: () => void;
  readonly open: (socket: {
    readonly wire: Wire;
    /** The client's network address. */
    readonly client: string;
    readonly opening: SocketOpening;
    /** Whether the client's address may send so many messages more; counts them if so (WS-5). */
    readonly admitMessages: (messages: number) => boolean;
    /** Of a socket that is only looked after here: pings, backlog, goodbye (WS-6). */
    readonly speaker?: (reader: Reader) => Speaker;
  }) => Session;
  readonly listenKeys: ListenKeys;
  /** Closes every socket and takes no more. */
  readonly close: () => void;
  /** For whoever measures. */
  readonly figures: () => StreamFigures;
};

export type StreamFigures = {
  readonly readers: number;
  readonly channels: number;
  readonly subscriptions: number;
  /** Bytes that rings hold. */
  readonly ringBytes: number;
  /** Messages that wait for their readers' turn. */
  readonly waiting: number;
  /** Sockets that were cut because their reader was too far behind, since the start. */
  readonly readersCut: number;
  /** Bytes that those had not taken. */
  readonly bytesDropped: number;
  /** Messages made since the start, each serialised once, and how often one was sent. */
  readonly messages: number;
  readonly sends: number;
};
