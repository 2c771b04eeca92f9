// The port of the streams as the gateway sees them: sockets enter here.

import type { Event } from '../engine/event.ts';
import type { ListenKeys } from './fapi/listenKeys.ts';
import type { Reader, Wire } from './reader.ts';

/** One socket's conversation, for the owner of the socket. */
export type Session = {
  readonly onText: (text: string) => void;
  /** A frame that is not text. */
  readonly onBinary: () => void;
  readonly onPing: () => void;
  readonly onPong: () => void;
  /** The socket has closed, from either side. */
  readonly onClose: () => void;
};

/** What the address of a socket requests (conventions, 12.2, 13.1). */
export type SocketOpening = {
  /** undefined: its first message decides (WS-3). */
  readonly protocol: 'fapi' | 'trading' | undefined;
  /** Whether messages are members of an object that names the stream. */
  readonly wraps: boolean;
  /** Names of streams, or listen keys. */
  readonly names: readonly string[];
  readonly listenKeys: readonly string[];
  /** The events of listen keys; undefined: all. */
  readonly events: ReadonlySet<string> | undefined;
};

/** Takes every text of a socket that reads no streams; it limits their number itself. */
export type Speaker = (text: string) => void;

export type Streams = {
  /** The replica's listener (replica.ts). Neither throws. */
  readonly onEvents: (events: readonly Event[]) => void;
  readonly onApplied: () => void;
  /** To be called about forty times a second while it gives true: a socket is open. Else seldom. */
  readonly tick: () => boolean;
  readonly open: (socket: {
    readonly wire: Wire;
    /** The client's network address. */
    readonly client: string;
    readonly opening: SocketOpening;
    /** Whether the client's address may send this many more messages; counts them if so (WS-5). */
    readonly admitMessages: (messages: number) => boolean;
    /** Handles a message that was counted when it is the client's turn (CON-7); else at once. */
    readonly inTurn?: ((step: () => void) => void) | undefined;
    /** For a socket where this part does only pings, backlog and closing (WS-6). */
    readonly speaker?: (reader: Reader) => Speaker;
  }) => Session;
  readonly listenKeys: ListenKeys;
  /** Closes every socket and accepts no more. */
  readonly close: () => void;
  /** For metrics. */
  readonly figures: () => StreamFigures;
};

export type StreamFigures = {
  readonly readers: number;
  readonly channels: number;
  readonly subscriptions: number;
  /** Bytes in rings. */
  readonly ringBytes: number;
  /** Messages that wait to be sent. */
  readonly waiting: number;
  /** Sockets that were cut since the start because their reader was too far behind. */
  readonly readersCut: number;
  /** Bytes that those had not received. */
  readonly bytesDropped: number;
  /** Messages made since the start, each serialised once, and how often one was sent. */
  readonly messages: number;
  readonly sends: number;
};
