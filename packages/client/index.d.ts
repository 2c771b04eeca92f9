// What the package gives, with types of operations and messages from the exchange's own schemas.

import type {
  AccountBalanceMessage,
  AccountFiguresMessage,
  AccountFillMessage,
  AccountFundingMessage,
  AccountLiquidationMessage,
  AccountOrderMessage,
  AccountPositionMessage,
  AccountSnapshotMessage,
  AccountTriggerMessage,
  CancelOnDisconnectMessage,
  CandleMessage,
  DepthMessage,
  ErrorMessage,
  FapiCalls,
  LevelsMessage,
  NativeCalls,
  PricesMessage,
  TickerMessage,
  TickersMessage,
  TradeMessage,
} from './operations.js';

export * from './operations.js';

export interface ClientOptions {
  /** Without a slash at its end, for example http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** The two for signed requests of FAPI. */
  readonly apiKey?: string;
  readonly secretKey?: string;
  /** The bearer token of a login, for native requests. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
  /** Milliseconds for the timestamp of signatures; the wall clock unless given. */
  readonly clock?: { readonly now: () => number };
  /** hex(HMAC_SHA256(secret, text)); the platform's unless given. */
  readonly sign?: (secret: string, text: string) => string | Promise<string>;
}

/** Every call rejects with an ApiError unless the answer is a success. */
export interface Client {
  readonly fapi: FapiCalls;
  readonly native: NativeCalls;
}

export declare function createClient(options: ClientOptions): Client;

/** A refusal or rejection as the wire carried it. */
export declare class ApiError extends Error {
  /** The operation's name. */
  readonly operation: string;
  /** The HTTP status; 0 when a stream refused. */
  readonly status: number;
  /** A negative number on FAPI, a word elsewhere and on FAPI's authentication failures. */
  readonly code: number | string;
  /** The exchange's own description of the error. */
  readonly detail: string;
  /** The body as it was received. */
  readonly body: string;
}

/** A channel by the name that the exchange returns: symbols in capitals, without a separator. */
export type ChannelName =
  | 'account'
  | 'tickers'
  | `ticker:${string}`
  | `prices:${string}`
  | `depth:${string}`
  | LevelsName
  | `trades:${string}`
  | `candles:${string}:${string}`;

/** The best levels of a book. */
export type LevelsName = `depth:${string}:${5 | 10 | 20 | 50}`;

export type AccountMessage =
  | AccountSnapshotMessage
  | AccountOrderMessage
  | AccountTriggerMessage
  | AccountFillMessage
  | AccountPositionMessage
  | AccountBalanceMessage
  | AccountFundingMessage
  | AccountLiquidationMessage
  | AccountFiguresMessage;

/** The messages of a channel. */
export type MessageOf<Name extends ChannelName> = Name extends 'account'
  ? AccountMessage
  : Name extends 'tickers'
    ? TickersMessage
    : Name extends `ticker:${string}`
      ? TickerMessage
      : Name extends `prices:${string}`
        ? PricesMessage
        : Name extends LevelsName
          ? LevelsMessage
          : Name extends `depth:${string}`
            ? DepthMessage
            : Name extends `trades:${string}`
              ? TradeMessage
              : CandleMessage;

/** One connection, given by its owner. No handler is called after `onClose`. */
export interface StreamSocket {
  readonly send: (text: string) => void;
  readonly close: () => void;
}

export interface SocketEvents {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}

export interface StreamClientOptions {
  /** Of the socket, for example ws://127.0.0.1:8080/ws. */
  readonly url: string;
  /** A bearer token of a login, fetched for every connection; needed for `account`. */
  readonly token?: () => Promise<string>;
  /** Receives what the exchange refuses, unless a call rejects with it. */
  readonly onError?: (failure: ErrorMessage) => void;
  /**
   * Receives every confirmed choice of `cancelOnDisconnect`, also those that are sent again on a
   * new connection. Between the two the new connection is not armed.
   */
  readonly onArmed?: (answer: CancelOnDisconnectMessage) => void;
  /** Opens a connection; the platform's WebSocket unless given. */
  readonly openSocket?: (url: string, events: SocketEvents) => StreamSocket;
  /** How long to wait before the first attempt to reconnect; doubled at each further attempt. */
  readonly retryMs?: number;
}

/** Which orders end when the connection ends. */
export interface DisconnectChoice {
  /** False: the end of this connection ends nothing. */
  readonly enabled: boolean;
  /** Only with enabled; without it all symbols, also those that are listed later. */
  readonly symbols?: readonly string[];
}

/** What a client has counted since it was made. */
export interface StreamClientFigures {
  readonly connections: number;
  /** Channels that were resumed where they stopped. */
  readonly resumes: number;
  /** Channels that began anew because the exchange no longer had the missed messages. */
  readonly resets: number;
  /** Messages that did not follow the one before; each made its channel begin anew. */
  readonly gaps: number;
}

export interface StreamClient {
  /**
   * Calls with every message of a channel in order, none twice and none missing. A snapshot comes
   * first, and again whenever the channel had to begin anew. It replaces the subscriber's copy.
   * Messages without a number come only while the connection stands.
   *
   * `onLive` is called when this changes: whether the messages so far are all that there are. It
   * gets false when the connection breaks, when the exchange refuses the channel, and when another
   * subscription takes its place; true with the next message, or when the exchange has resumed a
   * channel without news. A peer that vanishes is noticed within 20 seconds.
   */
  readonly subscribe: <Name extends ChannelName>(
    channel: Name,
    onMessage: (message: MessageOf<Name>) => void,
    onLive?: (isLive: boolean) => void,
  ) => void;
  readonly unsubscribe: (channel: ChannelName) => void;
  /**
   * Cancel on disconnect: when this connection ends in any way, `close` included, the orders of the
   * account end, no matter how they were placed. It needs a token. Resolves when the exchange has
   * confirmed the choice, durably; rejects with an ApiError (its status is 0) when it refuses, and
   * then nothing has changed. The last confirmed choice is sent again on every new connection. When
   * the exchange refuses that, or has ended it with the login, `onError` says so, and it is sent
   * again every ten seconds.
   */
  readonly cancelOnDisconnect: (choice: DisconnectChoice) => Promise<CancelOnDisconnectMessage>;
  readonly figures: () => StreamClientFigures;
  /**
   * Sends another token of the same account over the connection as it stands, before the last one
   * expires: channels go on, and what is armed stays so.
   */
  readonly renewToken: () => void;
  /** Reconnects at once with another token: after INVALID_TOKEN. */
  readonly reconnect: () => void;
  /** Ends the connection for good. */
  readonly close: () => void;
}

/** Connects at once, reconnects by itself, and resumes each channel where it stopped. */
export declare function createStreamClient(options: StreamClientOptions): StreamClient;

/** A grid of prices or quantities: each step × 10^-decimals. */
export interface Grid {
  readonly decimals: number;
  readonly step: number;
}

/** The grid of a step as the exchange shows it (`tickSize`, `stepSize`). */
export declare function gridOf(step: string): Grid;

/** One side: prices in ascending order of whole ticks, and the whole lots of each. */
export interface BookSide {
  readonly ticks: readonly number[];
  readonly lots: ReadonlyMap<number, number>;
}

export interface Book {
  readonly grids: { readonly tick: Grid; readonly lot: Grid };
  readonly bids: BookSide;
  readonly asks: BookSide;
  /** The exchange's time of the last message; 0 before the first. */
  readonly time: number;
}

export interface BookOptions {
  /** As the exchange writes it: capitals, without a separator. */
  readonly symbol: string;
  readonly tick: Grid;
  readonly lot: Grid;
  /**
   * Called after every message, and when the connection breaks or comes back, with whether the copy
   * is the exchange's book. Do not trade on a copy that is not.
   */
  readonly onChange: (isLive: boolean) => void;
}

export interface KeptBook {
  readonly book: Book;
  /** How often it had to begin anew because a checksum did not hold. */
  readonly checksumFailures: () => number;
  readonly close: () => void;
}

/**
 * Keeps a copy of a book: the best 10,000 prices of each side, and what changes beyond. It begins
 * anew when a checksum does not hold. A client keeps one copy of a symbol.
 */
export declare function keepBook(client: StreamClient, options: BookOptions): KeptBook;

export interface Levels {
  readonly bids: readonly (readonly [price: string, quantity: string])[];
  readonly asks: readonly (readonly [price: string, quantity: string])[];
}

/** The best levels of each side as the exchange writes them, best first. */
export declare function levelsOf(book: Book, count: number): Levels;
