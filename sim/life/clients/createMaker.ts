// A market maker: keeps a ladder of post-only orders around the mark, in single requests and in
// batches, replaces orders that are too far away, amends, and uses a countdown.

import type { LifeMarket } from '../ports.ts';
import {
  type Act,
  type Actor,
  chance,
  forget,
  lotValue,
  newName,
  pick,
  priceOf,
  quantityOf,
  remember,
  seenOrder,
} from './actor.ts';
import { cancelOrder, modifyOrder, placeOrder } from './placeOrder.ts';

const ordersMax = 16;
const batchMax = 5;

export function createMaker(actor: Actor): Act {
  const { prng, open, prices } = actor;
  return () => {
    const market = pick(prng, prices.open());
    const draw = prng.below(100);
    const own = open.filter(({ symbol }) => symbol === market.symbol);
    if (own.length > ordersMax || (own.length > 0 && draw < 22)) cancelOrder(actor, own[0]!);
    else if (own.length > 0 && draw < 34)
      modifyOrder(actor, pick(prng, own), drawQuote(actor, market));
    else if (draw < 44) placeBatch(actor, market);
    else if (draw < 48) setCountdown(actor, market);
    else if (draw < 50) cancelAll(actor, market);
    else if (draw < 53 && own.length > 1) cancelBatch(actor, market, own.slice(0, batchMax));
    else placeOne(actor, market);
  };
}

/** Near the mark; of a size that a small account can bear a few times. */
function drawQuote(
  { prng, prices, available, boldness }: Actor,
  market: LifeMarket,
  side?: 'BUY' | 'SELL',
): { readonly price: string; readonly quantity: string } {
  const mark = prices.ticksOf(market);
  const away = 1 + prng.below(Math.max(3, Math.round(mark / 400)));
  const sign = (side ?? pick(prng, ['BUY', 'SELL'])) === 'BUY' ? -1 : 1;
  const ticks = Math.max(1, mark + sign * away);
  const money = ((available * boldness) / 100) * (1 + prng.below(4));
  const lots = Math.max(1, money / 8 / lotValue(market, ticks));
  return { price: priceOf(market, ticks), quantity: quantityOf(market, lots) };
}

function placeOne(actor: Actor, market: LifeMarket): void {
  const { prng } = actor;
  const side = pick(prng, ['BUY', 'SELL'] as const);
  const timeInForce = chance(prng, 70) ? 'GTX' : 'GTC';
  placeOrder(actor, market, {
    side,
    type: 'LIMIT',
    timeInForce,
    ...drawQuote(actor, market, side),
    newOrderRespType: 'RESULT',
  });
}

function placeBatch(actor: Actor, market: LifeMarket): void {
  const { prng, key } = actor;
  const { symbol } = market;
  const orders = Array.from({ length: 1 + prng.below(batchMax) }, () => {
    const side = pick(prng, ['BUY', 'SELL'] as const);
    const terms = { side, type: 'LIMIT', timeInForce: 'GTX', ...drawQuote(actor, market, side) };
    return { symbol, ...terms, newClientOrderId: newName(actor) };
  });
  actor.ask(
    {
      name: 'place batch',
      method: 'POST',
      path: '/fapi/v1/batchOrders',
      parameters: { batchOrders: JSON.stringify(orders) },
      // All items are of one place in the log (ORD-8).
      seen: ({ ok, body }) =>
        ok ? [body.flatMap((item: unknown) => seenOrder(key.account, item))] : [],
    },
    (received) => {
      if (received !== undefined && !received.ok) return;
      for (const [index, { newClientOrderId: clientOrderId, side }] of orders.entries()) {
        const status = received === undefined ? 'NEW' : received.body[index].status;
        if (status === 'NEW') remember(actor, { clientOrderId, symbol, side });
      }
    },
  );
}

function cancelBatch(
  actor: Actor,
  { symbol }: LifeMarket,
  orders: readonly { readonly clientOrderId: string }[],
): void {
  const names = orders.map(({ clientOrderId }) => clientOrderId);
  actor.ask(
    {
      name: 'cancel batch',
      method: 'DELETE',
      path: '/fapi/v1/batchOrders',
      parameters: { symbol, origClientOrderIdList: JSON.stringify(names) },
      seen: ({ ok, body }) =>
        ok ? [body.flatMap((item: unknown) => seenOrder(actor.key.account, item))] : [],
    },
    (received) => {
      if (received?.ok === true) for (const name of names) forget(actor, name);
    },
  );
}

function setCountdown(actor: Actor, { symbol }: LifeMarket): void {
  const countdownTime = pick(actor.prng, [0, 0, 1500, 5000, 30_000]);
  actor.ask({
    name: 'countdown',
    method: 'POST',
    path: '/fapi/v1/countdownCancelAll',
    parameters: { symbol, countdownTime },
  });
}

function cancelAll(actor: Actor, { symbol }: LifeMarket): void {
  const { open } = actor;
  const asked = { name: 'cancel all', method: 'DELETE', path: '/fapi/v1/allOpenOrders' } as const;
  actor.ask({ ...asked, parameters: { symbol } }, (received) => {
    if (received?.ok !== true) return;
    const own = open.filter((order) => order.symbol === symbol);
    for (const { clientOrderId } of own) forget(actor, clientOrderId);
  });
}
