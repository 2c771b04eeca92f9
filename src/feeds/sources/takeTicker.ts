// Turns an exchange's ticker into a statement on the price board: the middle of its bid and ask.

import { middlePrice } from './middlePrice.ts';
import type { PriceBoard } from './priceBoard.ts';
import type { Ticker } from './restExchange.ts';

/** Gives the problem, as the end of a sentence, when the ticker is not a price or is dropped. */
export function takeTicker(
  board: Pick<PriceBoard, 'take'>,
  symbol: string,
  { bid, ask, order }: Ticker,
): string | undefined {
  const middle = middlePrice(bid, ask);
  return middle.kind === 'refused'
    ? middle.problem
    : board.take({ symbol, price: middle.price, order });
}
