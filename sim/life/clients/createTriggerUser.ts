// Uses triggers of both routes: stops and take-profits with and without closePosition, trailing
// stops, dates, and pairs of which one is cancelled when the other has ended.

import type { LifeMarket } from '../ports.ts';
import { type Act, type Actor, chance, newName, pick, priceOf, quantityOf } from './actor.ts';
import type { Parameters } from './createCaller.ts';
import { cancelOrder, placeOrder, readOrder } from './placeOrder.ts';

const waitingMax = 20;

export function createTriggerUser(actor: Actor): Act {
  const { prng, prices, open, positions } = actor;
  const algos: string[] = [];
  return () => {
    const market = pick(prng, prices.open());
    const held = positions.get(market.symbol) ?? 0;
    const draw = prng.below(100);
    if (open.length > waitingMax || (open.length > 0 && draw < 15)) cancelOrder(actor, open[0]!);
    else if (open.length > 0 && draw < 22) readOrder(actor, pick(prng, open));
    else if (algos.length > waitingMax || (algos.length > 0 && draw < 30)) {
      cancelAlgo(actor, algos.shift()!);
    } else if (draw < 55) placeAlgo(actor, market, held, algos);
    else if (draw < 70 && held !== 0) placePair(actor, market, held);
    else if (draw < 76) openPosition(actor, market);
    else placeTrigger(actor, market, held);
  };
}

function openPosition(actor: Actor, market: LifeMarket): void {
  const side = pick(actor.prng, ['BUY', 'SELL'] as const);
  const lots = 1 + actor.prng.below(8);
  placeOrder(actor, market, { side, type: 'MARKET', quantity: quantityOf(market, lots) });
}

type Distance = { readonly side: 'BUY' | 'SELL'; readonly profit: boolean };

/** A price that the mark has not reached yet, but near enough that it may. */
function stopAt({ prng, prices }: Actor, market: LifeMarket, { side, profit }: Distance): number {
  const mark = prices.ticksOf(market);
  const away = 1 + prng.below(Math.max(3, Math.round(mark / 150)));
  return Math.max(1, (side === 'BUY') === profit ? mark - away : mark + away);
}

function drawTrigger(
  actor: Actor,
  market: LifeMarket,
  held: number,
): { readonly side: 'BUY' | 'SELL' } & Parameters {
  const { prng } = actor;
  const profit = chance(prng, 50);
  const closes = held !== 0 && chance(prng, 60);
  const closing = held > 0 ? 'SELL' : 'BUY';
  const side = closes ? closing : pick(prng, ['BUY', 'SELL'] as const);
  const limited = chance(prng, 40);
  const type = `${profit ? 'TAKE_PROFIT' : 'STOP'}${limited ? '' : '_MARKET'}`;
  const ticks = stopAt(actor, market, { side, profit });
  const stopPrice = priceOf(market, ticks);
  const quantity = quantityOf(market, 1 + prng.below(10));
  if (closes && !limited && chance(prng, 50)) return { side, type, stopPrice, closePosition: true };
  const limit = limited ? { price: priceOf(market, ticks), timeInForce: 'GTC' } : {};
  return { side, type, stopPrice, quantity, ...limit, ...(closes ? { reduceOnly: true } : {}) };
}

function placeTrigger(actor: Actor, market: LifeMarket, held: number): void {
  placeOrder(actor, market, drawTrigger(actor, market, held));
}

/** A stop and a target for one position; one is cancelled when the other is known to have ended. */
function placePair(actor: Actor, market: LifeMarket, held: number): void {
  const { symbol } = market;
  const side = held > 0 ? 'SELL' : 'BUY';
  const leg = (profit: boolean): string =>
    placeOrder(actor, market, {
      side,
      type: profit ? 'TAKE_PROFIT_MARKET' : 'STOP_MARKET',
      stopPrice: priceOf(market, stopAt(actor, market, { side, profit })),
      closePosition: true,
    });
  const [stop, target] = [leg(false), leg(true)];
  actor.world.clock.after(3000 + actor.prng.below(8000), () => {
    readOrder(actor, { symbol, side, clientOrderId: stop });
    cancelOrder(actor, { symbol, side, clientOrderId: target });
  });
}

function placeAlgo(actor: Actor, market: LifeMarket, held: number, algos: string[]): void {
  const { prng, world } = actor;
  const clientAlgoId = newName(actor);
  const { stopPrice, side, ...terms } = drawTrigger(actor, market, held);
  const trailing = chance(prng, 40);
  const callbackRate = (1 + prng.below(30)) / 10;
  const quantity = quantityOf(market, 1 + prng.below(10));
  const own = trailing
    ? { type: 'TRAILING_STOP_MARKET', callbackRate, quantity }
    : { ...terms, triggerPrice: stopPrice! };
  const dated = 'price' in own && chance(prng, 30);
  const goodTillDate = Math.ceil(world.clock.now() / 1000) * 1000 + 601_000 + prng.below(60) * 1000;
  actor.ask(
    {
      name: 'place algo',
      method: 'POST',
      path: '/fapi/v1/algoOrder',
      parameters: {
        algoType: 'CONDITIONAL',
        symbol: market.symbol,
        side,
        ...own,
        ...(dated ? { timeInForce: 'GTD', goodTillDate } : {}),
        clientAlgoId,
      },
    },
    (received) => {
      if (received === undefined || received.ok) algos.push(clientAlgoId);
    },
  );
}

function cancelAlgo(actor: Actor, clientAlgoId: string): void {
  actor.ask({
    name: 'cancel algo',
    method: 'DELETE',
    path: '/fapi/v1/algoOrder',
    parameters: { clientAlgoId },
  });
}
