// `<symbol>@trade` (conventions, 13.4): every trade.

import { formatSteps } from '../../units/decimal.ts';
import type { Opening } from '../fanout.ts';
import { followTrades } from '../marketFeed.ts';
import type { StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

export type TradeStream = Extract<NamedStream, { kind: 'aggTrade' | 'trade' }>;

export function tradeStream(context: StreamContext, { name, market }: TradeStream): Opening {
  const { exchange, clock } = context;
  return publicOpening(context, name, (send) =>
    followTrades(context.markets, market.id, (trades) => {
      for (const { tradeId, ticks, lots, takerSide } of trades) {
        send({
          e: 'trade',
          E: clock.now(),
          T: exchange.time,
          s: market.symbol,
          t: tradeId,
          p: formatSteps(ticks, market.tick),
          q: formatSteps(lots, market.lot),
          X: 'MARKET',
          m: takerSide < 0,
        });
      }
    }),
  );
}
