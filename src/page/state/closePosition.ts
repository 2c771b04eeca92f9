// Closes a position at the market.

import type { Position } from './account.ts';
import { stepsOf } from './grid.ts';
import type { Page } from './page.ts';
import { placeOrder } from './placeOrder.ts';

/** Closes the whole position at the market. */
export async function closePosition(page: Page, position: Position): Promise<boolean> {
  const market = page.markets.value.find(({ symbol }) => symbol === position.symbol);
  if (market === undefined) return false;
  const { position_amt } = position;
  const isShort = position_amt.startsWith('-');
  return placeOrder(page, {
    market,
    side: isShort ? 'BUY' : 'SELL',
    type: 'MARKET',
    lots: stepsOf(position_amt.replace('-', ''), market.lot),
    reduceOnly: true,
  });
}
