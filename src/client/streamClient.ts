// The type of the client of channels (WS-1, WS-2): what can be subscribed, and what comes of it,
// typed by the schemas of the messages.

import type { ChannelMessages } from '../api/streams/channelMessages.ts';

/** A channel by the name that the exchange returns: symbols in capitals, without a separator. */
export type ChannelName =
  | 'account'
  | `ticker:${string}`
  | `depth:${string}`
  | `trades:${string}`
  | `candles:${string}:${string}`;

export type AccountMessage = ChannelMessages[
  | 'accountSnapshot'
  | 'accountOrder'
  | 'accountFill'
  | 'accountPosition'
  | 'accountBalance'
  | 'accountFunding'
  | 'accountLiquidation'];

/** What comes on a channel. */
export type MessageOf<Name extends ChannelName> = Name extends 'account'
  ? AccountMessage
  : Name extends `ticker:${string}`
    ? ChannelMessages['ticker']
    : Name extends `depth:${string}`
      ? ChannelMessages['depth']
      : Name extends `trades:${string}`
        ? ChannelMessages['trade']
        : ChannelMessages['candle'];

export type StreamFailure = ChannelMessages['error'];

/** What a client has seen of its connection since it was made. */
export type StreamClientFigures = {
  readonly connections: number;
  /** Channels taken up again where they were left. */
  readonly resumes: number;
  /** Channels begun anew because the exchange no longer had what was missed. */
  readonly resets: number;
  /** Messages that did not follow the one before; each began its channel anew. */
  readonly gaps: number;
};

export type StreamClient = {
  /**
   * Calls with every message of a channel in order, none twice and none left out. A snapshot comes
   * first and whenever the channel had to begin anew: it replaces what was kept.
   */
  readonly subscribe: <Name extends ChannelName>(
    channel: Name,
    onMessage: (message: MessageOf<Name>) => void,
  ) => void;
  readonly unsubscribe: (channel: ChannelName) => void;
  readonly figures: () => StreamClientFigures;
  /** Comes back at once, with another token: after INVALID_TOKEN. */
  readonly reconnect: () => void;
  /** Ends the connection for good. */
  readonly close: () => void;
};
