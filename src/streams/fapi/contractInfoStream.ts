// `!contractInfo` (conventions, 13.4): a market was listed, changed or settled.

import type { Event } from '../../engine/event.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { type Market, shownStatus } from '../../engine/views/market.ts';
import { must } from '../../std/assert.ts';
import type { MarketId, Time } from '../../units/units.ts';
import { farFuture } from '../collateral.ts';
import type { Opening } from '../fanout.ts';
import type { StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';

export function contractInfoStream(context: StreamContext, name: string): Opening {
  const { exchange, clock, steps } = context;
  return publicOpening(context, name, (send) => {
    const onStep = (events: readonly Event[]): void => {
      for (const id of changedIn(events)) {
        const market = must(marketById(exchange, id), 'an event is of a market');
        send(contractInfo(market, { now: clock.now(), time: exchange.time }));
      }
    };
    steps.add(onStep);
    return () => steps.delete(onStep);
  });
}

function changedIn(events: readonly Event[]): ReadonlySet<MarketId> {
  const changed = new Set<MarketId>();
  for (const event of events) {
    switch (event.kind) {
      case 'marketListed':
      case 'marketChanged':
      case 'marketSettled':
        changed.add(event.market);
        break;
      default:
        break;
    }
  }
  return changed;
}

function contractInfo(
  market: Market,
  { now, time }: { readonly now: number; readonly time: Time },
): object {
  const { symbol, terms, listedAt } = market;
  return {
    e: 'contractInfo',
    E: now,
    s: symbol,
    ps: symbol,
    ct: 'PERPETUAL',
    dt: terms.deliveryTime === 0 ? farFuture : terms.deliveryTime,
    ot: listedAt,
    cs: shownStatus(market, time),
  };
}
