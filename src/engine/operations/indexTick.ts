// New prices arrive (PRC-1, PRC-2). The engine takes new source prices, the gate judges the
// resulting index, and premium, mark and breaker are computed here and nowhere else. The effects of
// new prices begin here too, in the order of FUND-3: funding, deliveries, liquidations, triggers.
// Each has its own operation.

import { must } from '../../std/assert.ts';
import type { Ticks, Time } from '../../units/units.ts';
import type { IndexPrice, IndexTick } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { ticksMax } from '../limits.ts';
import type { Market, MarketPrices, SourcePrice } from '../market.ts';
import type { Outcome } from '../outcome.ts';
import { breakerMs, stepBreaker } from '../pricing/breaker.ts';
import { candidateIndex, freshPrices, indexGate, isTimely } from '../pricing/indexGate.ts';
import { markAtIndex, type PricesAtIndex, staysCountable } from '../views/markAtIndex.ts';
import { fireTriggers } from './fireTriggers.ts';
import { runLiquidations } from './runLiquidations.ts';
import { settleDueMarkets } from './settleDueMarkets.ts';
import { settleDueFunding } from './settleFunding.ts';

/** Takes the new prices; a price that is not newer than its source's last one is ignored. */
export function indexTick(exchange: Exchange, command: IndexTick): Outcome {
  const { taken, prices } = takePrices(exchange, command.prices);
  const markets = [...taken.keys()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const repriced = markets.map((market) => reprice(market, taken.get(market)!, exchange.time));
  // From here indexTick must succeed.
  exchange.committed = true;
  const moved = repriced.filter((next) => enact(exchange, next));
  const accepted = moved.map(({ market }) => market);
  settleDueFunding(exchange, accepted);
  settleDueMarkets(exchange, accepted);
  runLiquidations(exchange, accepted);
  fireTriggers(exchange, moved);
  return { kind: 'accepted', prices };
}

type Taken = Map<Market, readonly SourcePrice[]>;

/** The source prices of each market with a new one, and the number of new ones. */
function takePrices(
  exchange: Exchange,
  prices: readonly IndexPrice[],
): { readonly taken: Taken; readonly prices: number } {
  const taken: Taken = new Map();
  const takenAt = exchange.time;
  let count = 0;
  for (const price of prices) {
    const market = exchange.markets[price.market];
    if (market === undefined || market.dues.settledAt !== 0) continue;
    const present = taken.get(market) ?? market.prices.sources;
    if (!isNew(market, present, price) || !isTimely(price.observedAt, takenAt)) continue;
    const { source, ticks, observedAt } = price;
    const others = present.filter((candidate) => candidate.source !== source);
    taken.set(market, [...others, { source, ticks, observedAt, takenAt }]);
    count += 1;
  }
  return { taken, prices: count };
}

/** Whether the price comes from a configured source and is newer than the present one. */
function isNew(market: Market, present: readonly SourcePrice[], price: IndexPrice): boolean {
  const { source, ticks, observedAt } = price;
  if (!Number.isSafeInteger(ticks) || ticks < 1 || ticks > ticksMax) return false;
  if (!Number.isSafeInteger(observedAt)) return false;
  if (!market.terms.indexSources.some((configured) => configured.source === source)) return false;
  const last = present.find((candidate) => candidate.source === source);
  return last === undefined || observedAt > last.observedAt;
}

type Repriced = {
  readonly market: Market;
  /** The index that the gate judged. */
  readonly candidate: Ticks;
  readonly markBefore: Ticks;
  /**
   * What changes: everything, or only the sources and what is pending when the index is refused.
   */
  readonly next: Partial<MarketPrices> & Pick<MarketPrices, 'sources' | 'pending'>;
  /** undefined when the gate refused the index. */
  readonly accepted:
    | (Pick<PricesAtIndex, 'mark' | 'indexMinutes'> & { readonly tripped: boolean })
    | undefined;
};

/** A market's prices with these sources; writes nothing. */
function reprice(market: Market, sources: readonly SourcePrice[], now: Time): Repriced {
  const { prices, terms } = market;
  const fresh = freshPrices(sources, now);
  const configured = terms.indexSources;
  const candidate = must(candidateIndex(configured, fresh), 'a new price gives an index');
  const verdict = indexGate({ ticks: candidate, sources: configured, fresh, now }, prices);
  const { pending } = verdict;
  const judged = { market, candidate, markBefore: prices.mark };
  const refused = { ...judged, next: { sources, pending }, accepted: undefined };
  if (!verdict.accepted || !staysCountable(market, candidate)) return refused;
  const { mark, bookMark, premium, indexMinutes } = markAtIndex(market, candidate, now);
  // Before a delivery the mark may stand far above the index (SYM-2c), but it must not jump there.
  const jumps = mark > candidate && mark * 10 > prices.mark * 11;
  if (jumps && !staysCountable(market, mark)) return refused;
  // A mark that only moves to its settlement price trips no breaker.
  const { marks, tripped } = stepBreaker(prices.marks, bookMark, now);
  const breakerUntil = tripped ? ((now + breakerMs) as Time) : prices.breakerUntil;
  const priced = { index: candidate, mark, premium, premiumAt: now, indexAt: now };
  const next = { ...priced, sources, pending, marks, breakerUntil };
  return { ...judged, next, accepted: { mark, tripped, indexMinutes } };
}

/** Writes the decision; true when the index was accepted. */
function enact(exchange: Exchange, { market, candidate, next, accepted }: Repriced): boolean {
  Object.assign(market.prices, next);
  const { id } = market;
  if (accepted === undefined) {
    exchange.events.push({ kind: 'indexRefused', market: id, ticks: candidate });
    return false;
  }
  const { mark, tripped, indexMinutes } = accepted;
  market.indexMinutes = indexMinutes;
  exchange.events.push({ kind: 'priced', market: id, index: candidate, mark });
  if (tripped) {
    const until = market.prices.breakerUntil;
    exchange.events.push({ kind: 'breakerTripped', market: id, until });
  }
  return true;
}
