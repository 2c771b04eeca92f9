// The leverage of the account on a market, as far as the page knows it.

import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';

/** What the exchange takes for an account that has set nothing (MAR-5). */
const usual = 20;

export function leverageOf({ terms }: Page, { symbol, maxLeverage }: Market): number {
  const known = terms.value?.markets.find((each) => each.symbol === symbol)?.leverage;
  return Math.min(known ?? usual, maxLeverage);
}
