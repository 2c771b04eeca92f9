// The channel `tickers` (WS-1): the tickers of all markets, each with what its market answers to.
// First all of them, then those that have changed, each market at most once a second.

import { marketsOf } from '../../engine/views/exchange.ts';
import { type Market, restrictionOf, shownStatus } from '../../engine/views/market.ts';
import { tickerOf } from '../../market-data/tickerOf.ts';
import { type Opening, publish } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';

/** Markets that one turn of the event loop looks at: 1 ms of the trading thread. */
const marketsPerTurn = 64;

export function tickersOpening(context: StreamContext): Opening {
  const { fanout, rhythms, bounds, exchange, clock } = context;
  const name = 'tickers';
  const text = (snapshot: boolean, rows: readonly string[]): string =>
    `{"type":"tickers","channel":"${name}","snapshot":${snapshot},"time":${exchange.time}` +
    `,"tickers":[${rows.join(',')}]}`;
  return {
    key: name,
    name,
    resumable: false,
    open: (channel) => {
      const looks = createLooks(context);
      do looks.changed();
      while (!looks.areDone());
      const run = (): boolean => {
        const rows = looks.changed();
        if (rows.length > 0) publish(fanout, channel(), () => text(false, rows));
        return looks.areDone();
      };
      const stop = addRhythm(rhythms, { everyMs: bounds.tickersMs, run }, clock.now());
      // As of the last message, so that the next one changes it.
      return { snapshot: () => text(true, looks.rows()), close: stop };
    },
  };
}

type Looks = {
  /** Looks at the next markets; gives the rows of those that have changed. */
  readonly changed: () => readonly string[];
  /** Whether all markets were looked at equally often. */
  readonly areDone: () => boolean;
  /** The last row of each market. */
  readonly rows: () => readonly string[];
};

function createLooks(context: StreamContext): Looks {
  const seen = new Map<Market, string>();
  let next = 0;
  const changed = (): readonly string[] => {
    const markets = marketsOf(context.exchange);
    const rows: string[] = [];
    for (const market of markets.slice(next, next + marketsPerTurn)) {
      const row = rowOf(context, market);
      if (row === undefined || seen.get(market) === row) continue;
      seen.set(market, row);
      rows.push(row);
    }
    next += marketsPerTurn;
    if (next >= markets.length) next = 0;
    return rows;
  };
  return { changed, areDone: () => next === 0, rows: () => [...seen.values()] };
}

/** undefined before the first index, because there is no price yet. */
function rowOf(context: StreamContext, market: Market): string | undefined {
  const { time } = context.exchange;
  const ticker = tickerOf(market, dataOf(context, market), time);
  if (ticker === undefined) return undefined;
  const { type: _, ...figures } = ticker;
  const status = shownStatus(market, time);
  return JSON.stringify({ ...figures, status, restriction: restrictionOf(market, time) });
}
