// Candles of the mark or the index of a market, for the page. They are loaded when they are chosen.

import type { Page } from './page.ts';
import { type PriceCandles, priceCandles } from './priceCandles.ts';
import { createPublicRequests } from './publicRequests.ts';

export const openPriceCandles = (
  { options, tickers, serverClock }: Page,
  wish: Pick<PriceCandles, 'kind' | 'symbol' | 'interval'>,
) =>
  priceCandles({
    ...wish,
    requests: createPublicRequests({ baseUrl: options.origin, fetch: options.fetch }),
    ticker: tickers.of(wish.symbol),
    now: serverClock.now,
  });
