// An order or a trigger that a person wants, in whole steps, and the parameters of the request that
// places it.

import { gridText } from './grid.ts';
import type { Market } from './market.ts';
import type { Requests } from './requests.ts';

export type Side = 'BUY' | 'SELL';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTX';

/** What happens when the order meets an order of its own account (ORD-4). */
export const selfTradeModes = ['EXPIRE_MAKER', 'EXPIRE_TAKER', 'EXPIRE_BOTH', 'NONE'] as const;
export type SelfTradeMode = (typeof selfTradeModes)[number];

export type TriggerType =
  | 'STOP'
  | 'STOP_MARKET'
  | 'TAKE_PROFIT'
  | 'TAKE_PROFIT_MARKET'
  | 'TRAILING_STOP_MARKET';

/** A take-profit or a stop-loss; without a price it becomes a MARKET order (ATT-1). */
export type LegWish = { readonly triggerTicks: bigint; readonly ticks?: bigint | undefined };

export type LegsWish = {
  readonly takeProfit?: LegWish | undefined;
  readonly stopLoss?: LegWish | undefined;
};

type AnyWish = LegsWish & {
  readonly market: Market;
  readonly side: Side;
  /** Of limit types. */
  readonly ticks?: bigint | undefined;
  readonly reduceOnly?: boolean | undefined;
  /** By default the market's. */
  readonly selfTrade?: SelfTradeMode | undefined;
};

export type OrderWish = AnyWish & {
  readonly type: 'LIMIT' | 'MARKET';
  readonly lots: bigint;
  readonly timeInForce?: TimeInForce | undefined;
  /** Of MARKET: a fraction as text. */
  readonly maxSlippage?: string | undefined;
};

export type TriggerWish = AnyWish & {
  readonly type: TriggerType;
  /** Undefined closes the whole position (TRG-3). */
  readonly lots: bigint | undefined;
  /** Of all but trailing stops. */
  readonly triggerTicks?: bigint | undefined;
  /** Of trailing stops. */
  readonly activationTicks?: bigint | undefined;
  /** Of trailing stops: percent as text. */
  readonly callback?: string | undefined;
  readonly timeInForce?: TimeInForce | undefined;
  /** Milliseconds at which it ends (TRG-5). */
  readonly goodTill?: number | undefined;
};

export type Wish = OrderWish | TriggerWish;

export const isTriggerWish = (wish: Wish): wish is TriggerWish =>
  wish.type !== 'LIMIT' && wish.type !== 'MARKET';

type OrderRequest = NonNullable<Parameters<Requests['placeNativeOrder']>[0]>;
type TriggerRequest = NonNullable<Parameters<Requests['placeNativeTrigger']>[0]>;
type LegRequest = { readonly trigger_price: string; readonly price?: string };

const priceText = ({ tick }: Market, ticks: bigint | undefined): string | undefined =>
  ticks === undefined ? undefined : gridText(ticks, tick);

/** What every order and trigger sends; a member that is undefined is not sent. */
function anyRequest({ market, side, ticks, reduceOnly, selfTrade, ...legs }: AnyWish) {
  return {
    symbol: market.symbol,
    side,
    price: priceText(market, ticks),
    reduce_only: reduceOnly === true ? true : undefined,
    self_trade_prevention_mode: selfTrade,
    take_profit: legs.takeProfit && legRequest(market, legs.takeProfit),
    stop_loss: legs.stopLoss && legRequest(market, legs.stopLoss),
  };
}

export function legRequest({ tick }: Market, { triggerTicks, ticks }: LegWish): LegRequest {
  const trigger_price = gridText(triggerTicks, tick);
  return ticks === undefined ? { trigger_price } : { trigger_price, price: gridText(ticks, tick) };
}

/** Of `POST /api/v1/orders` and its preview. */
export function orderRequest(wish: OrderWish): OrderRequest {
  const { market, type, lots, timeInForce, maxSlippage } = wish;
  return sentOf({
    ...anyRequest(wish),
    type,
    quantity: gridText(lots, market.lot),
    time_in_force: timeInForce,
    max_slippage: maxSlippage,
  });
}

/** Of `POST /api/v1/triggers`. */
export function triggerRequest(wish: TriggerWish): TriggerRequest {
  const { market, type, lots, goodTill } = wish;
  return sentOf({
    ...anyRequest(wish),
    type,
    quantity: lots === undefined ? undefined : gridText(lots, market.lot),
    close_position: lots === undefined ? true : undefined,
    trigger_price: priceText(market, wish.triggerTicks),
    activate_price: priceText(market, wish.activationTicks),
    callback_rate: wish.callback,
    time_in_force: goodTill === undefined ? wish.timeInForce : 'GTD',
    good_till_date: goodTill,
  });
}

/** Without the members that are undefined. */
const sentOf = <T extends object>(request: T): T =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as T;
