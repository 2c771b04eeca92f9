// The type of the client of channels (WS-1, WS-2): the channels that can be subscribed, and their
// messages, with types from the schemas of the messages.

import type { ChannelMessages } from '../api/streams/channelMessages.ts';

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
type LevelsName = `depth:${string}:${5 | 10 | 20 | 50}`;

export type AccountMessage = ChannelMessages[
  | 'accountSnapshot'
  | 'accountOrder'
  | 'accountTrigger'
  | 'accountFill'
  | 'accountPosition'
  | 'accountBalance'
  | 'accountFunding'
  | 'accountLiquidation'
  | 'accountDeposit'
  | 'accountWithdrawal'
  | 'accountFigures'];

/** The messages of a channel. */
export type MessageOf<Name extends ChannelName> = Name extends 'account'
  ? AccountMessage
  : Name extends 'tickers'
    ? ChannelMessages['tickers']
    : Name extends `ticker:${string}`
      ? ChannelMessages['ticker']
      : Name extends `prices:${string}`
        ? ChannelMessages['prices']
        : Name extends LevelsName
          ? ChannelMessages['levels']
          : Name extends `depth:${string}`
            ? ChannelMessages['depth']
            : Name extends `trades:${string}`
              ? ChannelMessages['trade']
              : ChannelMessages['candle'];

export type StreamFailure = ChannelMessages['error'];

/** Which orders end when the connection ends (COD-1). */
export type DisconnectChoice = {
  /** False: the end of this connection ends nothing. */
  readonly enabled: boolean;
  /** Only with enabled; without it all symbols, also those that are listed later. */
  readonly symbols?: readonly string[];
};

/** The choice as the exchange has confirmed it. */
export type DisconnectAnswer = ChannelMessages['cancelOnDisconnect'];

/** What a client has counted since it was made. */
export type StreamClientFigures = {
  readonly connections: number;
  /** Channels that were resumed where they stopped. */
  readonly resumes: number;
  /** Channels that began anew because the exchange no longer had the missed messages. */
  readonly resets: number;
  /** Messages that did not follow the one before; each made its channel begin anew. */
  readonly gaps: number;
};

export type StreamClient = {
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
   * Cancel on disconnect (COD-1): when this connection ends in any way, `close` included, the
   * orders of the account end, no matter how they were placed. It needs a token. Resolves when the
   * exchange has confirmed the choice, durably; rejects with an ApiError (its status is 0) when it
   * refuses, and then nothing has changed. The last confirmed choice is sent again on every new
   * connection. When the exchange refuses that, or has ended it with the login, `onError` says so,
   * and it is sent again every ten seconds.
   */
  readonly cancelOnDisconnect: (choice: DisconnectChoice) => Promise<DisconnectAnswer>;
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
};
