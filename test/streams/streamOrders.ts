// Commands for the worlds of stream tests, in the seeded stream's markets: symbol 0 is BTCUSDT with
// ticks of 0.1 and lots of 0.001, at 5,000.

import type { Command, PlaceOrder, PlaceTrigger } from '../../src/engine/command.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import type { Ticks, Time } from '../../src/units/units.ts';
import { orderCommand, type StopTerms, stopCommand } from '../fixtures/orderCommands.ts';
import { priced, type StreamWorld } from './streamWorld.ts';

export type Terms = Partial<
  Pick<PlaceOrder, 'type' | 'timeInForce' | 'reduceOnly' | 'selfTradeMode' | 'clientOrderId'>
> & { readonly market?: number };

/** The account, buy or sell, lots and ticks. */
export type Deal = readonly [account: number, side: Side, lots: number, ticks: number];

export function order([account, side, lots, ticks]: Deal, terms: Terms = {}): PlaceOrder {
  return orderCommand({ market: 0, ...terms, account, side, lots, ticks });
}

/** A stop that buys or sells at the market when the mark reaches its price. */
export function stop([account, side, lots, stopTicks]: Deal, terms: StopTerms = {}): PlaceTrigger {
  return stopCommand({ market: 0, account, side, lots, stopTicks, ...terms });
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
