// Prices enter (PRC-1): new source prices are taken in, and index, premium and mark of each market
// they touch are computed here and nowhere else.

import { assert, must } from '../../std/assert.ts';
import type { Ticks } from '../../units/units.ts';
import { bestLive } from '../book/sweep.ts';
import type { IndexPrice, IndexTick } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { ticksMax } from '../limits.ts';
import type { Market, MarketPrices, SourcePrice } from '../market.ts';
import type { Outcome } from '../outcome.ts';
import { weightedMedian } from '../pricing/indexPrice.ts';
import { markPrice, type Quotes, stepPremium } from '../pricing/markPrice.ts';

/** Takes the prices that are new; a price that is not newer than its source's last is ignored. */
export function indexTick(exchange: Exchange, command: IndexTick): Outcome {
  const taken = new Map<Market, readonly SourcePrice[]>();
  let prices = 0;
  for (const price of command.prices) {
    const market = exchange.markets[price.market];
    if (market === undefined) continue;
    const present = taken.get(market) ?? market.prices.sources;
    if (!isNew(market, present, price)) continue;
    const { source, ticks, observedAt } = price;
    const others = present.filter((candidate) => candidate.source !== source);
    taken.set(market, [...others, { source, ticks, observedAt }]);
    prices += 1;
  }
  const markets = [...taken].sort(([a], [b]) => a.id - b.id);
  const repriced = markets.map(([market, sources]) => reprice(exchange, market, sources));
  // From here the order must succeed.
  exchange.sure = true;
  for (const { market, ...next } of repriced) {
    Object.assign(market.prices, next);
    const { index, mark } = next;
    exchange.events.push({ kind: 'priced', market: market.id, index, mark });
  }
  return { kind: 'accepted', prices };
}

/** Whether the price is one of a configured source and newer than what stands. */
function isNew(market: Market, present: readonly SourcePrice[], price: IndexPrice): boolean {
  const { source, ticks, observedAt } = price;
  if (!Number.isSafeInteger(ticks) || ticks < 1 || ticks > ticksMax) return false;
  if (!market.terms.indexSources.some((configured) => configured.source === source)) return false;
  const last = present.find((candidate) => candidate.source === source);
  return last === undefined || observedAt > last.observedAt;
}

type Repriced = Omit<MarketPrices, 'epoch'> & { readonly market: Market };

/** What a market's prices become with these sources; writes nothing. */
function reprice(exchange: Exchange, market: Market, sources: readonly SourcePrice[]): Repriced {
  const { prices, terms } = market;
  const index = must(weightedMedian(terms.indexSources, sources), 'a new price gives an index');
  const quotes = quotesOf(market);
  const elapsedMs = prices.premiumAt === 0 ? 0 : exchange.time - prices.premiumAt;
  assert(elapsedMs >= 0, 'time does not run backwards');
  const premium =
    quotes === undefined
      ? prices.premium
      : stepPremium(prices.premium, { index, quotes, elapsedMs });
  const { last } = market.figures;
  const mark = markPrice({ index, premium, quotes, last, clamp: terms.markClamp });
  const { time } = exchange;
  return { market, index, mark, premium, premiumAt: time, indexAt: time, sources };
}

function quotesOf(market: Market): Quotes | undefined {
  const bid: Ticks | undefined = bestLive(market.book.bids)?.ticks;
  const ask: Ticks | undefined = bestLive(market.book.asks)?.ticks;
  return bid === undefined || ask === undefined ? undefined : { bid, ask };
}
