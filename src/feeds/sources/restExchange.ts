// A spot exchange as the polling feed sees it: the requests for its tickers, and how to read its
// answers. Each exchange has a file beside this one. restFeed.ts decides when to ask.

/** The best bid and ask of one pair, as the exchange wrote them. */
export type Ticker = {
  /** The exchange's own name of the pair. */
  readonly name: string;
  /** Any value; only plain decimal text becomes a price. */
  readonly bid: unknown;
  readonly ask: unknown;
  /** The exchange's time or number of the statement; never less than in the answer before. */
  readonly order?: number | undefined;
};

export type TickerAnswer =
  | { readonly kind: 'tickers'; readonly tickers: readonly Ticker[] }
  /** The exchange says that it does not know a name. */
  | { readonly kind: 'unknownName' }
  /** The exchange answers with an error of another kind: it is busy, or under maintenance. */
  | { readonly kind: 'unavailable' }
  /** Not the documented shape. */
  | { readonly kind: 'malformed' };

export type RestExchange = {
  /** The name under which markets list it among their index sources. */
  readonly source: string;
  /** The form of the exchange's names of pairs. */
  readonly namePattern: RegExp;
  /** An example of such a name, for the person who writes the configuration. */
  readonly nameExample: string;
  /** The number of pairs in one request. */
  readonly namesPerRequest: number;
  /**
   * `order` is the exchange's clock at the time of the answer: it advances even when the market is
   * calm.
   */
  readonly orderIsClock: boolean;
  readonly url: (names: readonly string[]) => string;
  /** Reads a JSON answer to a request for `names`. */
  readonly read: (answer: unknown, names: readonly string[]) => TickerAnswer;
};

export const unknownName: TickerAnswer = { kind: 'unknownName' };
export const unavailable: TickerAnswer = { kind: 'unavailable' };
export const malformedAnswer: TickerAnswer = { kind: 'malformed' };
