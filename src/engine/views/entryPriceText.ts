// The entry price of a position, derived from its sums for display (UNIT-2).

import { formatQuotient } from '../../units/decimal.ts';
import { moneyDecimals } from '../../units/units.ts';
import type { Market, MarketGrid } from './market.ts';
import type { Position } from './position.ts';

const decimalsMax = 8;

/** |entry notional| / |quantity| in USDT a coin, at most 8 decimals; "0" when flat. */
export function entryPriceText(market: Market, position: Position): string {
  if (position.lots === 0) return '0';
  return averagePriceText(market, Math.abs(position.entry), Math.abs(position.lots));
}

/** notional / quantity as a price, at most 8 decimals; "0" for no quantity. */
export function averagePriceText(
  market: Pick<MarketGrid, 'lot'>,
  notional: number | bigint,
  lots: number | bigint,
): string {
  if (BigInt(lots) === 0n) return '0';
  const numerator = BigInt(notional) * 10n ** BigInt(market.lot.decimals);
  const denominator = BigInt(lots) * BigInt(market.lot.step) * 10n ** BigInt(moneyDecimals);
  return formatQuotient(numerator, denominator, decimalsMax);
}
