// The accounts that an action of the operator would liquidate at once: a manual price, other terms
// of a market, the end of a halt (OPS-4). It judges as liquidations do, at the prices that the next
// tick would have. It changes nothing.

import { notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Ticks } from '../../units/units.ts';
import { isFund } from '../clearing/insurance.ts';
import type { PriceOf } from '../clearing/margin.ts';
import {
  isFailing,
  marginStatusAt,
  marginStatusAtIndex,
  marginStatusOf,
  positionsOf,
  type Subject,
  subjectOf,
} from '../clearing/marginStatus.ts';
import type { Exchange as ExchangeState } from '../exchange.ts';
import { isMarketLive, type Market as MarketState } from '../market.ts';
import type { MarketStatus, MarketTerms } from '../marketTerms.ts';
import { candidateIndex, freshPrices, manualSource } from '../pricing/indexGate.ts';
import { indexMovedToSettlement } from '../settlementTicks.ts';
import type { Exchange } from './exchange.ts';
import { markAtIndex, type PricesAtIndex, staysCountable } from './markAtIndex.ts';
import type { Market } from './market.ts';
import { stateOf } from './stateOf.ts';

export type Liquidations = {
  readonly accounts: number;
  readonly positions: number;
  /** The notional of those positions at the marks after the action. */
  readonly notional: Money;
};

export const noLiquidations: Liquidations = {
  accounts: 0,
  positions: 0,
  notional: 0 as Money,
};

/** With the index at this price. Cost: the positions of the market. */
export function liquidatedByPrice(exchange: Exchange, market: Market, index: Ticks): Liquidations {
  if (market.prices.index === 0 || !isOpen(market, market.status)) return noLiquidations;
  const prices = markAtIndex(stateOf.market(market), index, exchange.time);
  return liquidatedAt(stateOf.exchange(exchange), stateOf.market(market), index, prices);
}

/** Without the operator's price, at the index of the other sources. Cost: as above. */
export function liquidatedWithoutPrice(exchange: Exchange, market: Market): Liquidations {
  const { prices, terms } = market;
  const others = prices.sources.filter(({ source }) => source !== manualSource);
  const index = candidateIndex(terms.indexSources, freshPrices(others, exchange.time));
  return index === undefined ? noLiquidations : liquidatedByPrice(exchange, market, index);
}

/**
 * With these terms and this status. A source that is new to the market has no price yet, so only
 * the remaining sources count. Cost: as above.
 */
export function liquidatedByTerms(
  exchange: Exchange,
  market: Market,
  { terms, status }: { readonly terms: MarketTerms; readonly status: MarketStatus },
): Liquidations {
  const { prices } = market;
  if (prices.index === 0 || !isOpen(market, status)) return noLiquidations;
  const names = new Set(terms.indexSources.map(({ source }) => source));
  const left = prices.sources.filter(({ source }) => names.has(source));
  const fresh = freshPrices(left, exchange.time);
  const index = candidateIndex(terms.indexSources, fresh) ?? prices.index;
  const changed = { ...stateOf.market(market), terms, status };
  const then = markAtIndex(changed, index, exchange.time);
  return liquidatedAt(stateOf.exchange(exchange), stateOf.market(market), index, then);
}

const isOpen = ({ dues }: Market, status: MarketStatus): boolean =>
  status !== 'HALT' && dues.settledAt === 0;

/** Who fails at these prices of the market and does not fail already where it is live. */
function liquidatedAt(
  exchange: ExchangeState,
  market: MarketState,
  index: Ticks,
  { mark, movedIndex }: PricesAtIndex,
): Liquidations {
  // The engine will not take an index that it cannot count (UNIT-1).
  if (!staysCountable(market, index)) return noLiquidations;
  const markThen: PriceOf = (each) => (each === market ? mark : each.prices.mark);
  const indexThen: PriceOf = (each, now) => {
    if (each === market) return movedIndex;
    return isMarketLive(each, now) ? indexMovedToSettlement(each) : each.prices.mark;
  };
  const isLive = isMarketLive(market, exchange.time);
  const failsNow = (subject: Subject): boolean =>
    isLive &&
    isFailing(marginStatusOf(exchange, subject), () => marginStatusAtIndex(exchange, subject));
  const accounts = new Set<number>();
  let positions = 0;
  let notional = 0;
  for (const holder of market.risk.holders) {
    const account = exchange.accounts[holder.account]!;
    if (holder.lots === 0 || isFund(account)) continue;
    const subject = subjectOf(exchange, holder);
    const then = marginStatusAt(exchange, subject, markThen);
    if (!isFailing(then, () => marginStatusAt(exchange, subject, indexThen))) continue;
    if (failsNow(subject)) continue;
    accounts.add(account.id);
    for (const { market: id, lots } of positionsOf(subject)) {
      const each = exchange.markets[id]!;
      positions += 1;
      const size = Math.abs(lots) as Lots;
      notional += notionalOf(markThen(each, exchange.time), size, each.grain);
    }
  }
  return { accounts: accounts.size, positions, notional: notional as Money };
}
