// A spot exchange as the streaming feed sees it: the address of its stream, the messages to send,
// and how to read its messages. Each exchange has a file beside this one. streamFeed.ts has the
// connection.

import type { Ticker } from './restExchange.ts';

export type StreamNews =
  | { readonly kind: 'ticker'; readonly ticker: Ticker }
  /** The exchange is alive and still streams these pairs: their last prices stay valid. */
  | { readonly kind: 'alive'; readonly names: readonly string[] }
  /** The exchange refuses the request. */
  | { readonly kind: 'refused' }
  /** A message without use here. */
  | { readonly kind: 'nothing' }
  /** Not the documented shape. */
  | { readonly kind: 'malformed' };

export type StreamExchange = {
  /** The name under which markets list it among their index sources. */
  readonly source: string;
  readonly namePattern: RegExp;
  readonly nameExample: string;
  readonly url: (names: readonly string[]) => string;
  /** The messages to send when the connection is open. */
  readonly greeting: (names: readonly string[]) => readonly string[];
  /**
   * The message to send every second to learn whether the exchange is alive; `beat` counts from 1.
   */
  readonly heartbeat?: (beat: number) => string;
  /** Reads one JSON message. */
  readonly read: (message: unknown) => StreamNews;
};

export const noNews: StreamNews = { kind: 'nothing' };
export const malformedNews: StreamNews = { kind: 'malformed' };
