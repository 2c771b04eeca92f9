// Commands as the agents of a simulation send them, with the defaults filled in.

import type { PlaceOrder, PlaceTrigger } from '../src/engine/command.ts';
import type { Side, TimeInForce } from '../src/engine/orderTypes.ts';
import type { AccountId } from '../src/units/units.ts';
import { orderCommand, stopCommand } from '../test/fixtures/orderCommands.ts';
import { market } from './simMarket.ts';

export type OrderWish = {
  readonly account: AccountId;
  readonly side: Side;
  readonly lots: number;
  /** 0: a MARKET order. */
  readonly ticks: number;
  readonly timeInForce?: TimeInForce;
  readonly reduceOnly?: boolean;
};

export function placing(wish: OrderWish): PlaceOrder {
  const type = wish.ticks === 0 ? 'MARKET' : 'LIMIT';
  return orderCommand({ ...wish, market, type, workingType: 'MARK_PRICE' });
}

/** A trigger that closes the whole position with a MARKET order. */
export function closingAt(
  account: AccountId,
  side: Side,
  type: 'STOP_MARKET' | 'TAKE_PROFIT_MARKET',
  stopTicks: number,
): PlaceTrigger {
  const closing = { type, closePosition: true, workingType: 'MARK_PRICE' } as const;
  return stopCommand({ account, market, side, lots: 0, stopTicks, ...closing });
}
