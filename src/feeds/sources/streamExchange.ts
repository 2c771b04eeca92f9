// What a spot exchange is to the streaming feed: where its stream is, what is said to it, and how
// its messages are read. One file beside this one for each; the connection stands in streamFeed.ts.

import type { Ticker } from './restExchange.ts';

export type StreamNews =
  | { readonly kind: 'ticker'; readonly ticker: Ticker }
  /** The exchange is alive and still streams these pairs: their last prices stand. */
  | { readonly kind: 'alive'; readonly names: readonly string[] }
  /** The exchange refuses what it was asked for. */
  | { readonly kind: 'refused' }
  /** A message of no interest. */
  | { readonly kind: 'nothing' }
  /** Not the documented shape. */
  | { readonly kind: 'malformed' };

export type StreamExchange = {
  /** The name under which markets list it among their index sources. */
  readonly source: string;
  readonly namePattern: RegExp;
  readonly nameExample: string;
  readonly url: (names: readonly string[]) => string;
  /** What is said when the connection is open. */
  readonly greeting: (names: readonly string[]) => readonly string[];
  /** What is sent every second to learn that the exchange is alive; `beat` counts from 1. */
  readonly heartbeat?: (beat: number) => string;
  /** Reads one JSON message. */
  readonly read: (message: unknown) => StreamNews;
};

export const noNews: StreamNews = { kind: 'nothing' };
export const malformedNews: StreamNews = { kind: 'malformed' };
