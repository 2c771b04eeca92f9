// The channel `trades:<symbol>` (WS-2): the trades of a command in one message; first the last
// trades before.

import type { Traded } from '../../engine/event.ts';
import { buy, type Side } from '../../engine/orderTypes.ts';
import type { Market } from '../../engine/views/market.ts';
import { tradesIn } from '../../market-data/recentTrades.ts';
import { formatSteps } from '../../units/decimal.ts';
import type { Lots, Ticks, Time } from '../../units/units.ts';
import { type Opening, publish } from '../fanout.ts';
import { followTrades } from '../marketFeed.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';

/** The number of trades in a snapshot. */
export const snapshotTrades = 100;

type Trade = {
  readonly id: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly takerSide: Side;
  readonly time: Time;
};

export function tradesOpening(context: StreamContext, market: Market): Opening {
  const { fanout, exchange } = context;
  const name = `trades:${market.symbol}`;
  const tradeOf = ({ tradeId: id, ticks, lots, takerSide }: Traded): Trade => {
    return { id, ticks, lots, takerSide, time: exchange.time };
  };
  return {
    key: name,
    name,
    resumable: true,
    open: (channel) => {
      const end = followTrades(context.markets, market.id, (trades) => {
        const list = tradesText(market, trades.map(tradeOf));
        publish(fanout, channel(), (place) => messageText(place, false, list));
      });
      return {
        snapshot: (place) => {
          const { recent } = dataOf(context, market);
          const list = tradesText(market, tradesIn(recent, { limit: snapshotTrades }));
          return messageText(place, true, list);
        },
        close: end,
      };
    },
  };
}

const messageText = (place: string, snapshot: boolean, trades: string): string =>
  `{"type":"trade",${place},"snapshot":${snapshot},"trades":${trades}}`;

function tradesText(market: Market, trades: readonly Trade[]): string {
  const texts = trades.map(
    ({ id, ticks, lots, takerSide, time }) =>
      `{"trade_id":${id},"price":"${formatSteps(ticks, market.tick)}"` +
      `,"qty":"${formatSteps(lots, market.lot)}"` +
      `,"taker_side":"${takerSide === buy ? 'BUY' : 'SELL'}","time":${time}}`,
  );
  return `[${texts.join(',')}]`;
}
