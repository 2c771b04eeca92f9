// Commands as the agents of a simulation send them, with everything that they leave to the
// exchange filled in.

import type { PlaceOrder, PlaceTrigger } from '../src/engine/command.ts';
import type { Side, TimeInForce } from '../src/engine/order.ts';
import type { AccountId, Lots, Money, Rate, Ticks, Time } from '../src/units/units.ts';
import { market } from './simMarket.ts';

export type OrderWish = {
  readonly account: AccountId;
  readonly side: Side;
  readonly lots: number;
  /** 0: at the market. */
  readonly ticks: number;
  readonly timeInForce?: TimeInForce;
  readonly reduceOnly?: boolean;
};

export function placing(wish: OrderWish): PlaceOrder {
  const { account, side, lots, ticks, timeInForce = 'GTC', reduceOnly = false } = wish;
  return {
    kind: 'placeOrder',
    account,
    market,
    side,
    type: ticks === 0 ? 'MARKET' : 'LIMIT',
    timeInForce,
    lots: lots as Lots,
    quote: 0 as Money,
    ticks: ticks as Ticks,
    reduceOnly,
    selfTradeMode: undefined,
    workingType: 'MARK_PRICE',
    priceProtect: false,
    clientOrderId: '',
    maxSlippage: undefined,
    idempotencyKey: '',
    idempotencyRequest: '',
  };
}

/** A trigger that closes the whole position at the market. */
export function closingAt(
  account: AccountId,
  side: Side,
  type: 'STOP_MARKET' | 'TAKE_PROFIT_MARKET',
  stopTicks: number,
): PlaceTrigger {
  return {
    kind: 'placeTrigger',
    account,
    market,
    route: 'algo',
    side,
    type,
    timeInForce: 'GTC',
    lots: 0 as Lots,
    ticks: 0 as Ticks,
    stopTicks: stopTicks as Ticks,
    callbackRate: 0 as Rate,
    activationTicks: 0 as Ticks,
    goodTillDate: 0 as Time,
    reduceOnly: false,
    closePosition: true,
    selfTradeMode: undefined,
    workingType: 'MARK_PRICE',
    priceProtect: false,
    clientOrderId: '',
    idempotencyKey: '',
    idempotencyRequest: '',
  };
}
