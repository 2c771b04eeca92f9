// `<symbol>@bookTicker` and `!bookTicker` (conventions, 13.4): the best price of each side and its
// quantity, whenever a batch has changed them.

import { bestOf, updateIdOf } from '../../engine/views/depthOfMarket.ts';
import { marketsOf } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatSteps } from '../../units/decimal.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import type { Opening } from '../fanout.ts';
import type { StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

export function bookTickerStream(
  context: StreamContext,
  {
    name,
    market,
  }: Pick<Extract<NamedStream, { kind: 'bookTicker' | 'forceOrder' }>, 'name' | 'market'>,
): Opening {
  const { exchange, clock, batchEnds } = context;
  const chosen = (): readonly Market[] => (market === undefined ? marketsOf(exchange) : [market]);
  return publicOpening(context, name, (send) => {
    const reported = new Map(marketsOf(exchange).map((each) => [each.id, bestMark(each)]));
    const onBatch = (): void => {
      for (const each of chosen()) {
        const mark = bestMark(each);
        if (reported.get(each.id) === mark) continue;
        reported.set(each.id, mark);
        send(bookTicker(each, { E: clock.now(), T: exchange.time }));
      }
    };
    batchEnds.add(onBatch);
    return () => batchEnds.delete(onBatch);
  });
}

function bestMark(market: Market): string {
  const { bidTicks, bidLots, askTicks, askLots } = bestOf(market);
  return `${bidTicks} ${bidLots} ${askTicks} ${askLots}`;
}

function bookTicker(market: Market, times: { readonly E: number; readonly T: number }): object {
  const { bidTicks, bidLots, askTicks, askLots } = bestOf(market);
  const price = (ticks: Ticks): string => (ticks === 0 ? '0' : formatSteps(ticks, market.tick));
  const quantity = (lots: Lots): string => (lots === 0 ? '0' : formatSteps(lots, market.lot));
  return {
    e: 'bookTicker',
    u: updateIdOf(market),
    ...times,
    s: market.symbol,
    b: price(bidTicks),
    B: quantity(bidLots),
    a: price(askTicks),
    A: quantity(askLots),
  };
}
