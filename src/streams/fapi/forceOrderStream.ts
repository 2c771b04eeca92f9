// `<symbol>@forceOrder` and `!forceOrder@arr` (conventions, 13.4): liquidation orders that closed
// something; for each market the last one of a second. The messages name no account.

import type { Event } from '../../engine/event.ts';
import { buy } from '../../engine/orderTypes.ts';
import { averagePriceText } from '../../engine/views/entryPriceText.ts';
import { marketById } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Order } from '../../engine/views/order.ts';
import { must } from '../../std/assert.ts';
import { formatSteps } from '../../units/decimal.ts';
import type { MarketId } from '../../units/units.ts';
import type { Opening } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

const everyMs = 1000;

export function forceOrderStream(
  context: StreamContext,
  {
    name,
    market,
  }: Pick<Extract<NamedStream, { kind: 'bookTicker' | 'forceOrder' }>, 'name' | 'market'>,
): Opening {
  const { exchange, clock, rhythms, steps } = context;
  return publicOpening(context, name, (send) => {
    const last = new Map<MarketId, Readonly<Order>>();
    const onStep = (events: readonly Event[]): void => {
      for (const event of events) {
        if (event.kind !== 'orderEnded' || event.order.origin !== 'liquidation') continue;
        if (event.order.filled === 0) continue;
        if (market === undefined || market.id === event.order.market) {
          last.set(event.order.market, event.order);
        }
      }
    };
    steps.add(onStep);
    const run = (): boolean => {
      const reported = last.size > 0;
      for (const order of last.values()) {
        const of = must(marketById(exchange, order.market), 'an order is on a market');
        send({ e: 'forceOrder', E: clock.now(), o: forceOrder(of, order) });
      }
      last.clear();
      return reported;
    };
    const stop = addRhythm(rhythms, { everyMs, run });
    return () => {
      stop();
      steps.delete(onStep);
    };
  });
}

function forceOrder(market: Market, order: Readonly<Order>): object {
  const filled = formatSteps(order.filled, market.lot);
  return {
    s: market.symbol,
    S: order.side === buy ? 'BUY' : 'SELL',
    o: order.type,
    f: order.timeInForce,
    q: formatSteps(order.lots, market.lot),
    p: formatSteps(order.ticks, market.tick),
    ap: averagePriceText(market, order.filledNotional, order.filled),
    X: order.status,
    l: filled,
    z: filled,
    T: order.updatedAt,
  };
}
