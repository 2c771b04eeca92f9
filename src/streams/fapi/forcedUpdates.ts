// ORDER_TRADE_UPDATE for positions closed outside the book (LIQ-3, LIQ-4, LIQ-6). There was no
// order, so the message reports one that filled whole, under the client ids that the convention
// gives such orders.

import type { Fill } from '../../engine/fill.ts';
import type { Deleveraged, TakenOver } from '../../engine/riskEvent.ts';
import type { Account } from '../../engine/views/account.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { moneyDecimals } from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import { collateral } from '../collateral.ts';
import type { StreamContext } from '../streamContext.ts';
import { untriggeredMembers } from './triggerMembers.ts';
import type { UserEvent } from './userStream.ts';

const deleveragedClientId = 'adl_autoclose';

type Part = {
  readonly fill: Fill;
  readonly buys: boolean;
  /** As its fill in history says: the account that took over the other's position. */
  readonly maker: boolean;
  readonly clientId: string;
};

/** The account's parts: its own of a takeover, either side of a deleveraging. */
export function forcedUpdates(
  context: StreamContext,
  { id: account }: Account,
  event: TakenOver | Deleveraged,
): UserEvent[] {
  const liquidated = `autoclose-${event.id}`;
  const parts =
    event.kind === 'takenOver'
      ? [{ fill: event.account, buys: event.side > 0, maker: false, clientId: liquidated }]
      : [
          { fill: event.bankrupt, buys: event.side > 0, maker: false, clientId: liquidated },
          {
            fill: event.counterparty,
            buys: event.side < 0,
            maker: true,
            clientId: deleveragedClientId,
          },
        ];
  return parts
    .filter(({ fill }) => fill.account === account)
    .map((part) => forced(context, event, part));
}

function forced(
  { exchange }: StreamContext,
  event: TakenOver | Deleveraged,
  part: Part,
): UserEvent {
  const { time } = exchange;
  const market = must(marketById(exchange, event.market), 'an event is of a market');
  const price = formatSteps(event.ticks, market.tick);
  const quantity = formatSteps(event.lots, market.lot);
  return {
    e: 'ORDER_TRADE_UPDATE',
    T: time,
    o: {
      s: market.symbol,
      c: part.clientId,
      S: part.buys ? 'BUY' : 'SELL',
      o: 'LIMIT',
      f: 'IOC',
      q: quantity,
      p: price,
      ap: formatTrimmed(event.ticks * market.tick.step, market.tick.decimals),
      x: 'CALCULATED',
      X: 'FILLED',
      i: formatUuid(time, event.id),
      z: quantity,
      l: quantity,
      L: price,
      N: collateral,
      n: formatTrimmed(part.fill.fee, moneyDecimals),
      t: event.tradeId,
      m: part.maker,
      rp: formatTrimmed(part.fill.pnl, moneyDecimals),
      T: time,
      b: '0',
      a: '0',
      R: true,
      wt: 'CONTRACT_PRICE',
      ot: 'LIMIT',
      ps: 'BOTH',
      pP: false,
      si: 0,
      ss: 0,
      V: 'NONE',
      pm: 'NONE',
      er: '0',
      ...untriggeredMembers,
    },
  };
}
