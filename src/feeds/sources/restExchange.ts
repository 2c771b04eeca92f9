// What a spot exchange is to the polling feed: where its tickers are asked for, and how its answer
// is read. One file beside this one for each exchange; when it is asked stands in restFeed.ts.

/** The best bid and ask of one pair, as the exchange wrote them. */
export type Ticker = {
  /** The exchange's own name of the pair. */
  readonly name: string;
  /** Whatever stood there: only plain decimal text becomes a price. */
  readonly bid: unknown;
  readonly ask: unknown;
  /** When or as which number the exchange states it; never less than in the answer before. */
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
  /** What the exchange's names of pairs look like. */
  readonly namePattern: RegExp;
  /** How a name of that form looks, for the person who writes the configuration. */
  readonly nameExample: string;
  /** For how many pairs one request asks. */
  readonly namesPerRequest: number;
  /** `order` is the exchange's clock at the answer: it moves even when the market is calm. */
  readonly orderIsClock: boolean;
  readonly url: (names: readonly string[]) => string;
  /** Reads a JSON answer to a request for `names`. */
  readonly read: (answer: unknown, names: readonly string[]) => TickerAnswer;
};

export const unknownName: TickerAnswer = { kind: 'unknownName' };
export const unavailable: TickerAnswer = { kind: 'unavailable' };
export const malformedAnswer: TickerAnswer = { kind: 'malformed' };
