// Prices enter (PRC-1): new source prices are taken in, and index, premium and mark of each market
// they touch are computed here and nowhere else.

import { assert } from '../../std/assert.ts';
import type { Ticks } from '../../units/units.ts';
import { bestLive } from '../book/sweep.ts';
import type { IndexPrice, IndexTick } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { ticksMax } from '../limits.ts';
import type { Market } from '../market.ts';
import type { Outcome } from '../outcome.ts';
import { weightedMedian } from '../pricing/indexPrice.ts';
import { markPrice, type Quotes, stepPremium } from '../pricing/markPrice.ts';

/** Takes the prices that are new; a price that is not newer than its source's last is ignored. */
export function indexTick(exchange: Exchange, command: IndexTick): Outcome {
  // From here the order must succeed.
  exchange.sure = true;
  const touched = new Set<Market>();
  let prices = 0;
  for (const price of command.prices) {
    const market = exchange.markets[price.market];
    if (market === undefined || !takePrice(market, price)) continue;
    touched.add(market);
    prices += 1;
  }
  for (const market of [...touched].sort((a, b) => a.id - b.id)) reprice(exchange, market);
  return { kind: 'accepted', prices };
}

/** Whether the price is one of a configured source and newer than what stands. */
function takePrice(market: Market, price: IndexPrice): boolean {
  const { source, ticks, observedAt } = price;
  if (!Number.isSafeInteger(ticks) || ticks < 1 || ticks > ticksMax) return false;
  if (!market.terms.indexSources.some((configured) => configured.source === source)) return false;
  const present = market.prices.sources.find((candidate) => candidate.source === source);
  if (present !== undefined && observedAt <= present.observedAt) return false;
  const others = market.prices.sources.filter((candidate) => candidate.source !== source);
  market.prices.sources = [...others, { source, ticks, observedAt }];
  return true;
}

function reprice(exchange: Exchange, market: Market): void {
  const { prices, terms } = market;
  const index = weightedMedian(terms.indexSources, prices.sources);
  if (index === undefined) return;
  const quotes = quotesOf(market);
  const elapsedMs = prices.premiumAt === 0 ? 0 : exchange.time - prices.premiumAt;
  assert(elapsedMs >= 0, 'time does not run backwards');
  if (quotes !== undefined) {
    prices.premium = stepPremium(prices.premium, { index, quotes, elapsedMs });
  }
  prices.premiumAt = exchange.time;
  prices.index = index;
  prices.indexAt = exchange.time;
  const { premium } = prices;
  const { last } = market.figures;
  prices.mark = markPrice({ index, premium, quotes, last, clamp: terms.markClamp });
  exchange.events.push({ kind: 'priced', market: market.id, index, mark: prices.mark });
}

function quotesOf(market: Market): Quotes | undefined {
  const bid: Ticks | undefined = bestLive(market.book.bids)?.ticks;
  const ask: Ticks | undefined = bestLive(market.book.asks)?.ticks;
  return bid === undefined || ask === undefined ? undefined : { bid, ask };
}
