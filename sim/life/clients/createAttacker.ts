// Tries what must fail: orders and keys of other clients, repeated requests, invalid numbers,
// leverage beyond all bounds, one Idempotency-Key for two things. It also does what is allowed and
// must do no harm: trading with itself and with a friend, sizes just inside the filters, floods.

import type { LifeMarket } from '../ports.ts';
import { type Act, type Actor, chance, newName, pick, priceOf, quantityOf } from './actor.ts';
import { type Ask, type Caller, createCaller } from './createCaller.ts';
import { placeOrder } from './placeOrder.ts';

/** The other clients: the public halves of their keys, and orders that the attacker knows. */
export type Strangers = {
  readonly apiKeys: readonly string[];
  /** The latest; of others and its own. */
  readonly orders: {
    readonly account: number;
    readonly symbol: string;
    readonly orderId: string;
  }[];
};

const noNumbers = ['-1', 'NaN', 'Infinity', '0x10', '1,5', '1e400', '9'.repeat(40), '0', 'one'];

export function createAttacker(actor: Actor, strangers: Strangers, friend: Actor): Act {
  const thief = createThief(actor, strangers);
  const attacks: readonly ((market: LifeMarket) => void)[] = [
    () => touchForeign(actor, strangers, 'DELETE'),
    () => touchForeign(actor, strangers, 'GET'),
    (market) => stealKey(actor, thief, market),
    () => replay(actor),
    (market) => sendNoNumber(actor, market),
    (market) => overdoLeverage(actor, market),
    (market) => reuseKey(actor, market),
    (market) => tradeWithSelf(actor, market),
    (market) => wash(actor, friend, market),
    (market) => squeezeFilter(actor, market),
    (market) => flood(actor, market),
    () => forgeToken(actor),
  ];
  return () => pick(actor.prng, attacks)(pick(actor.prng, actor.prices.open()));
}

function touchForeign(actor: Actor, { orders }: Strangers, method: 'DELETE' | 'GET'): void {
  const order = orders.findLast(({ account }) => account !== actor.key.account);
  if (order === undefined) return;
  const { symbol, orderId } = order;
  const asked = { name: 'attack foreign order', method, path: '/fapi/v1/order' } as const;
  actor.ask({ ...asked, parameters: { symbol, orderId }, mustFail: true });
}

/** Signs with its own secret under the keys of others. */
function createThief({ world, diary, key, prng }: Actor, { apiKeys }: Strangers): Caller[] {
  return apiKeys
    .filter((apiKey) => apiKey !== key.apiKey)
    .slice(0, 5)
    .map((apiKey) =>
      createCaller({ world, diary, prng, address: '198.51.100.66', key: { ...key, apiKey } }),
    );
}

function stealKey({ prng, prices }: Actor, thieves: readonly Caller[], market: LifeMarket): void {
  if (thieves.length === 0) return;
  const price = priceOf(market, prices.ticksOf(market));
  const quantity = quantityOf(market, 1);
  const terms = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price, quantity };
  pick(prng, thieves).ask({
    name: 'attack stolen key',
    method: 'POST',
    path: '/fapi/v1/order',
    parameters: { symbol: market.symbol, ...terms },
    mustFail: true,
  });
}

/** Repeats its own last request, byte for byte, as an eavesdropper could. */
function replay(actor: Actor): void {
  const request = actor.last();
  // A request that was sent on the condition that it is not doubled stays single.
  if (request !== undefined && request.single !== true) actor.replay(request);
}

function sendNoNumber(actor: Actor, market: LifeMarket): void {
  const { prng, prices } = actor;
  const good = { price: priceOf(market, prices.ticksOf(market)), quantity: quantityOf(market, 5) };
  const bad = pick(prng, ['price', 'quantity']);
  const order = { symbol: market.symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
  actor.ask({
    name: 'attack no number',
    method: 'POST',
    path: '/fapi/v1/order',
    parameters: { ...order, ...good, [bad]: pick(prng, noNumbers) },
    mustFail: true,
  });
}

function overdoLeverage(actor: Actor, { symbol }: LifeMarket): void {
  const leverage = pick(actor.prng, [0, -1, 1e9, '1.5', '', '1e3']);
  const asked = { name: 'attack leverage', method: 'POST', path: '/fapi/v1/leverage' } as const;
  actor.ask({ ...asked, parameters: { symbol, leverage }, mustFail: true });
}

/** One key for two different orders: when the first was made, the second is refused (ID-3). */
function reuseKey(actor: Actor, market: LifeMarket): void {
  const { prices } = actor;
  const idempotencyKey = `reused-${newName(actor)}`;
  const ticks = prices.ticksOf(market) * 0.99;
  const order = (lots: number): Ask => ({
    name: 'attack reused key',
    method: 'POST',
    path: '/fapi/v1/order',
    parameters: {
      ...{ symbol: market.symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'IOC' },
      ...{ price: priceOf(market, ticks), quantity: quantityOf(market, lots) },
    },
    idempotencyKey,
  });
  actor.ask(order(20), (received) => {
    if (received?.ok === true) actor.ask({ ...order(21), mustFail: true });
  });
}

function tradeWithSelf(actor: Actor, market: LifeMarket): void {
  const { prng, prices } = actor;
  const price = priceOf(market, prices.ticksOf(market) + prng.below(5) - 2);
  const mode = pick(prng, ['NONE', 'EXPIRE_MAKER', 'EXPIRE_TAKER', 'EXPIRE_BOTH']);
  for (const side of ['BUY', 'SELL'] as const) {
    const terms = { side, type: 'LIMIT', timeInForce: 'GTC', price } as const;
    const quantity = quantityOf(market, 1 + prng.below(6));
    placeOrder(actor, market, { ...terms, quantity, selfTradePreventionMode: mode });
  }
}

function wash(actor: Actor, friend: Actor, market: LifeMarket): void {
  const { prng, prices } = actor;
  const quantity = quantityOf(market, 1 + prng.below(10));
  const price = priceOf(market, prices.ticksOf(market) + prng.below(9) - 4);
  const terms = { type: 'LIMIT', price, quantity } as const;
  placeOrder(actor, market, { ...terms, side: 'BUY', timeInForce: 'GTC' });
  placeOrder(friend, market, { ...terms, side: 'SELL', timeInForce: 'IOC' });
}

function squeezeFilter(actor: Actor, market: LifeMarket): void {
  const { prng, prices } = actor;
  const far = pick(prng, [0.9501, 0.98, 1.02, 1.0499]);
  const side = far < 1 ? 'BUY' : 'SELL';
  const price = priceOf(market, prices.ticksOf(market) * far);
  const quantity = quantityOf(market, pick(prng, [1, 2, 3, 1000]));
  placeOrder(actor, market, { side, type: 'LIMIT', timeInForce: 'GTC', price, quantity });
}

const floodSize = 12;

function flood(actor: Actor, market: LifeMarket): void {
  const { prng, prices } = actor;
  if (!chance(prng, 25)) return;
  for (let i = 0; i < floodSize; i += 1) {
    const price = priceOf(market, prices.ticksOf(market) * 0.97);
    const quantity = quantityOf(market, 10 + i);
    placeOrder(actor, market, { side: 'BUY', type: 'LIMIT', timeInForce: 'IOC', price, quantity });
  }
}

/** Neither a key nor a text that looks like a token gives access to a native route (AUTH-5). */
function forgeToken({ world, diary, key, prng }: Actor): void {
  const token = pick(prng, [key.apiKey, 'a.b.c', `${key.token ?? 'e30.e30.'}x`]);
  const caller = createCaller({
    world,
    diary,
    prng,
    address: '198.51.100.67',
    key: { ...key, token },
  });
  const asked = { name: 'attack token', method: 'POST', path: '/api/v1/withdraw/request' } as const;
  caller.ask({ ...asked, parameters: { amount: '1' }, credential: 'token', mustFail: true });
}
