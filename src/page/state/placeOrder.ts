// Places an order, and says what became of it at once.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Order } from './account.ts';
import { gridText } from './grid.ts';
import { grouping } from './grouping.ts';
import type { Market } from './market.ts';
import { newRequestKey } from './newRequestKey.ts';
import type { Page } from './page.ts';
import { sayFailure } from './sayFailure.ts';

export type Side = 'BUY' | 'SELL';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTX';

export type OrderWish = {
  readonly market: Market;
  readonly side: Side;
  readonly type: 'LIMIT' | 'MARKET';
  readonly lots: bigint;
  /** Of LIMIT. */
  readonly ticks?: bigint;
  readonly timeInForce?: TimeInForce;
  readonly reduceOnly?: boolean;
  /** Of MARKET: a fraction as text. */
  readonly maxSlippage?: string;
};

/** Returns whether the exchange took the order. */
export async function placeOrder(page: Page, wish: OrderWish): Promise<boolean> {
  const { market, side, type, lots, ticks, timeInForce, reduceOnly, maxSlippage } = wish;
  const { notices, requests, options } = page;
  try {
    const order = await requests.placeNativeOrder(
      {
        symbol: market.symbol,
        side,
        type,
        quantity: gridText(lots, market.lot),
        ...(ticks === undefined ? {} : { price: gridText(ticks, market.tick) }),
        ...(timeInForce === undefined ? {} : { time_in_force: timeInForce }),
        ...(reduceOnly === true ? { reduce_only: true } : {}),
        ...(maxSlippage === undefined ? {} : { max_slippage: maxSlippage }),
      },
      { idempotencyKey: newRequestKey(options.fillRandom) },
    );
    notices.say(placedNotice(order));
    return true;
  } catch (error) {
    sayFailure(page, tradingMessages().orderRefused, error);
    return false;
  }
}

type Placed = Pick<
  Order,
  'symbol' | 'side' | 'type' | 'status' | 'orig_qty' | 'executed_qty' | 'avg_price' | 'price'
>;

function placedNotice(order: Placed) {
  const text = tradingMessages();
  const { symbol, side, type, status, orig_qty, executed_qty, avg_price, price } = order;
  const what = `${text.sides[side]} ${orig_qty} ${symbol}`;
  switch (status) {
    case 'FILLED':
      return {
        kind: 'good',
        title: text.filled,
        text: `${what} @ ${grouping(avg_price)}`,
      } as const;
    case 'NEW':
    case 'PARTIALLY_FILLED':
      return {
        kind: 'good',
        title: text.placed,
        text: type === 'MARKET' ? what : `${what} @ ${grouping(price)}`,
      } as const;
    default:
      return {
        kind: 'plain',
        title: text.endedUnfilled,
        text: `${what}: ${text.filledPart(executed_qty, orig_qty)}`,
      } as const;
  }
}
