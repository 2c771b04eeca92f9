// Orders that end a position: at the market or at a price.

import type { Position } from './account.ts';
import { stepsOf } from './grid.ts';
import type { Market } from './market.ts';
import type { OrderWish } from './orderWish.ts';
import type { Page } from './page.ts';
import { placeOrder } from './placeOrder.ts';

export const isShort = ({ position_amt }: Pick<Position, 'position_amt'>): boolean =>
  position_amt.startsWith('-');

/** Whole lots, without a sign. */
export const lotsOfPosition = ({ position_amt }: Position, { lot }: Market): bigint =>
  stepsOf(position_amt.replace('-', ''), lot);

/** What both ways to close share: the other side. */
const closing = (position: Position, market: Market) =>
  ({ market, side: isShort(position) ? 'BUY' : 'SELL' }) as const;

/** Closes the whole position at the market. */
export async function closePosition(page: Page, position: Position): Promise<boolean> {
  const market = page.markets.value.find(({ symbol }) => symbol === position.symbol);
  if (market === undefined) return false;
  return placeOrder(page, closingAtMarket(position, market));
}

/** An order at the market that closes the whole position and opens nothing. */
export function closingAtMarket(position: Position, market: Market): OrderWish {
  const lots = lotsOfPosition(position, market);
  return { ...closing(position, market), type: 'MARKET', lots, reduceOnly: true };
}

/** An order that closes at a price and opens nothing. */
export function closingOrder(
  position: Position,
  market: Market,
  { ticks, lots }: { readonly ticks: bigint; readonly lots: bigint },
): OrderWish {
  return {
    ...closing(position, market),
    type: 'LIMIT',
    ticks,
    lots,
    timeInForce: 'GTC',
    reduceOnly: true,
  };
}
