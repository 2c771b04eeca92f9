// What an account may at most hold, seen from outside: the leverage at which it opened (MAR-9), and
// its part of a side's cap on open interest (MAR-11). It uses the figures that clients see.

import { ownEquityOf } from '../../src/engine/clearing/margin.ts';
import type { Event } from '../../src/engine/event.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { Fill } from '../../src/engine/fill.ts';
import { accountFigures } from '../../src/engine/views/accountFigures.ts';
import { notionalOf } from '../../src/units/notional.ts';
import type { AccountId, Lots, MarketId } from '../../src/units/units.ts';

export type TermsWatch = {
  /**
   * The highest (Σ |notional| / highest leverage of its market) / equity of an account just after
   * it opened; an isolated position counts alone.
   */
  marginUse: number;
  /** The largest part of a side's cap in the hands of one account, by notional at the mark. */
  capShare: number;
  /** Orders refused because a side is full. */
  capRefusals: number;
};

export const createTermsWatch = (): TermsWatch => ({ marginUse: 0, capShare: 0, capRefusals: 0 });

export function watchTerms(watch: TermsWatch, exchange: Exchange, events: readonly Event[]): void {
  for (const event of events) {
    if (event.kind === 'rejected' && event.reason === 'openInterestCapExceeded')
      watch.capRefusals += 1;
    if (event.kind !== 'traded' || event.liquidation) continue;
    watchFill(watch, exchange, event.market, event.taker);
    watchFill(watch, exchange, event.market, event.maker);
  }
}

function watchFill(watch: TermsWatch, exchange: Exchange, market: MarketId, fill: Fill): void {
  const account = exchange.accounts[fill.account]!;
  const position = account.positions[market];
  // A fill that realised something has closed; the last fill of a step shows the position.
  if (account.house || fill.pnl !== 0 || position === undefined || position.lots === 0) return;
  const { terms } = exchange.markets[market]!;
  const notional = notionalAt(exchange, market, position.lots);
  watch.capShare = Math.max(watch.capShare, notional / terms.openInterestCap);
  const needed =
    account.marginMode === 'isolated'
      ? notional / terms.maxLeverage
      : marginNeeded(exchange, fill.account);
  const equity =
    account.marginMode === 'isolated'
      ? ownEquityOf(exchange.markets[market]!, position)
      : accountFigures(exchange, account).equity;
  if (equity > 0) watch.marginUse = Math.max(watch.marginUse, needed / equity);
}

const notionalAt = (exchange: Exchange, market: MarketId, lots: Lots): number => {
  const { prices, grain } = exchange.markets[market]!;
  return notionalOf(prices.mark, Math.abs(lots) as Lots, grain);
};

/** Σ |quantity| × mark / highest leverage */
function marginNeeded(exchange: Exchange, id: AccountId): number {
  let needed = 0;
  for (const position of exchange.accounts[id]!.positions) {
    if (position === undefined || position.lots === 0) continue;
    const { maxLeverage } = exchange.markets[position.market]!.terms;
    needed += notionalAt(exchange, position.market, position.lots) / maxLeverage;
  }
  return needed;
}
