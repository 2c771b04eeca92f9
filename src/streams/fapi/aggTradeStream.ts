// `<symbol>@aggTrade` (conventions, 13.4): what one order took at one price.

import { type AggregateTrade, aggregatesIn } from '../../market-data/recentTrades.ts';
import { formatSteps } from '../../units/decimal.ts';
import type { Opening } from '../fanout.ts';
import { followTrades } from '../marketFeed.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';
import type { TradeStream } from './tradeStream.ts';

/** The bound for one command: as many as the views remember. */
const aggregatesMax = 1000;

export function aggTradeStream(context: StreamContext, { name, market }: TradeStream): Opening {
  const { clock } = context;
  const { recent } = dataOf(context, market);
  return publicOpening(context, name, (send) => {
    const [last] = aggregatesIn(recent, { limit: 1 });
    let reported = last?.id ?? 0;
    return followTrades(context.markets, market.id, () => {
      for (const each of aggregatesIn(recent, { fromId: reported + 1, limit: aggregatesMax })) {
        reported = each.id;
        send({ e: 'aggTrade', E: clock.now(), s: market.symbol, ...figuresOf(each) });
      }
    });
  });

  function figuresOf({
    id,
    ticks,
    lots,
    firstId,
    lastId,
    time,
    takerSide,
  }: AggregateTrade): object {
    const quantity = formatSteps(lots, market.lot);
    return {
      a: id,
      p: formatSteps(ticks, market.tick),
      q: quantity,
      nq: quantity,
      f: firstId,
      l: lastId,
      T: time,
      m: takerSide < 0,
    };
  }
}
