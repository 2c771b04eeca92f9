// A taker: MARKET orders, IOC and FOK at prices that cross, with as much leverage as its account
// allows, and reduce-only orders to close. Small accounts that do this are liquidated.

import type { LifeMarket } from '../ports.ts';
import { type Act, type Actor, chance, lotValue, pick, priceOf, quantityOf } from './actor.ts';
import type { Parameters } from './createCaller.ts';
import { placeOrder } from './placeOrder.ts';

export function createTaker(actor: Actor): Act {
  const { prng, prices, positions } = actor;
  return () => {
    const market = pick(prng, prices.open());
    const held = positions.get(market.symbol) ?? 0;
    if (held !== 0 && chance(prng, 18)) reduce(actor, market, held);
    else open(actor, market, held);
  };
}

/** Prefers the side of its present position, so that positions grow until they fail. */
function open(actor: Actor, market: LifeMarket, held: number): void {
  const { prng } = actor;
  const same = held === 0 ? chance(prng, 50) : chance(prng, 75) === held > 0;
  const side = same ? 'BUY' : 'SELL';
  placeOrder(actor, market, { side, ...drawTerms(actor, market, side) });
}

function drawTerms(actor: Actor, market: LifeMarket, side: 'BUY' | 'SELL'): Parameters {
  const { prng, prices, available, boldness } = actor;
  const mark = prices.ticksOf(market);
  const worth = lotValue(market, mark);
  const leverage = 1 + prng.below(Math.max(1, Math.round((market.maxLeverage * boldness) / 100)));
  const lots = Math.max(1, ((available * (10 + prng.below(70))) / 100) * (leverage / worth));
  const quantity = quantityOf(market, lots);
  const draw = prng.below(10);
  if (draw < 4) return { type: 'MARKET', quantity };
  if (draw === 4) {
    const quoteOrderQty = (Math.max(1, Math.round(lots)) * worth).toFixed(2);
    return { type: 'MARKET', quoteOrderQty };
  }
  const reach = (side === 'BUY' ? 1 : -1) * prng.below(Math.max(2, Math.round(mark / 200)));
  const timeInForce = pick(prng, ['IOC', 'IOC', 'FOK', 'GTC']);
  const mode = pick(prng, ['EXPIRE_MAKER', 'EXPIRE_TAKER', 'EXPIRE_BOTH', 'NONE']);
  const selfTrade = chance(prng, 20) ? { selfTradePreventionMode: mode } : {};
  return {
    type: 'LIMIT',
    timeInForce,
    quantity,
    price: priceOf(market, mark + reach),
    ...selfTrade,
  };
}

function reduce(actor: Actor, market: LifeMarket, held: number): void {
  const { prng, prices } = actor;
  const side = held > 0 ? 'SELL' : 'BUY';
  const lots = (Math.abs(held) * (20 + prng.below(100))) / 100;
  const terms = { side, reduceOnly: true, quantity: quantityOf(market, lots) } as const;
  if (chance(prng, 60)) placeOrder(actor, market, { ...terms, type: 'MARKET' });
  else {
    const price = priceOf(market, prices.ticksOf(market) * (held > 0 ? 1.004 : 0.996));
    placeOrder(actor, market, { ...terms, type: 'LIMIT', timeInForce: 'GTC', price });
  }
}
