// Commands for the worlds of stream tests, in the seeded stream's markets: symbol 0 is BTCUSDT with
// ticks of 0.1 and lots of 0.001, at 5,000.

import type { Command, PlaceOrder, PlaceTrigger } from '../../src/engine/command.ts';
import type { Side } from '../../src/engine/order.ts';
import type { AccountId, Lots, MarketId, Money, Rate, Ticks, Time } from '../../src/units/units.ts';
import { priced, type StreamWorld } from './streamWorld.ts';

export type Terms = Partial<
  Pick<PlaceOrder, 'type' | 'timeInForce' | 'reduceOnly' | 'selfTradeMode' | 'clientOrderId'>
> & { readonly market?: number };

/** Whose, buy or sell, how many lots, at how many ticks. */
export type Deal = readonly [account: number, side: Side, lots: number, ticks: number];

export function order([account, side, lots, ticks]: Deal, terms: Terms = {}): PlaceOrder {
  const { market = 0, ...rest } = terms;
  return {
    kind: 'placeOrder',
    type: 'LIMIT',
    timeInForce: 'GTC',
    reduceOnly: false,
    selfTradeMode: undefined,
    clientOrderId: '',
    ...rest,
    account: account as AccountId,
    market: market as MarketId,
    side,
    lots: lots as Lots,
    ticks: ticks as Ticks,
    quote: 0 as Money,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    maxSlippage: undefined,
    idempotencyKey: '',
    idempotencyRequest: '',
  };
}

/** A stop that buys or sells at the market when the mark reaches its price. */
export function stop([account, side, lots, stopTicks]: Deal, terms: Partial<PlaceTrigger> = {}) {
  return {
    kind: 'placeTrigger',
    account: account as AccountId,
    market: 0 as MarketId,
    route: 'algo',
    side,
    type: 'STOP_MARKET',
    timeInForce: 'GTC',
    lots: lots as Lots,
    ticks: 0 as Ticks,
    stopTicks: stopTicks as Ticks,
    callbackRate: 0 as Rate,
    activationTicks: 0 as Ticks,
    goodTillDate: 0 as Time,
    reduceOnly: false,
    closePosition: false,
    selfTradeMode: undefined,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId: '',
    idempotencyKey: '',
    idempotencyRequest: '',
    ...terms,
  } as const satisfies PlaceTrigger;
}

/** Fresh prices, each `rate` times the usual one. */
export function prices(world: Pick<StreamWorld, 'clock'>, rate = 1): Command {
  world.clock.advance(1);
  const tick = priced(world.clock.now() as Time);
  if (tick.kind !== 'indexTick') throw new Error('prices come by an index tick');
  const moved = tick.prices.map((price) => ({
    ...price,
    ticks: Math.round(price.ticks * rate) as Ticks,
  }));
  return { ...tick, prices: moved };
}
