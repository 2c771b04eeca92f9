// The event `liquidation` of the channel `account` (WS-2): what the exchange itself did with the
// account. The new position and balance come in rows of their own.

import type { Event } from '../../engine/event.ts';
import type { Fill } from '../../engine/fill.ts';
import type { Account } from '../../engine/views/account.ts';
import { marketById } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { must } from '../../std/assert.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import {
  type Lots,
  type MarketId,
  type Money,
  moneyDecimals,
  type OrderId,
  type Ticks,
} from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import type { StreamContext } from '../streamContext.ts';

const moneyText = (money: Money): string => formatTrimmed(money, moneyDecimals);

/**
 * The effect of the event on the account: `flagged` and `cleared` (LIQ-1), `takeover` (LIQ-3),
 * `deleveraging` and `fund_reduction` (LIQ-4, LIQ-6), `fee` (LIQ-3), `profit_shared` (LIQ-4).
 */
export function liquidationTexts(
  context: StreamContext,
  { id }: Account,
  event: Event,
): readonly string[] {
  const { time } = context.exchange;
  switch (event.kind) {
    case 'liquidationFlagged':
      return [
        JSON.stringify({
          kind: event.flagged ? 'flagged' : 'cleared',
          symbol: event.market === undefined ? null : marketOf(context, event.market).symbol,
          equity: moneyText(event.equity),
          maint_margin: moneyText(event.maintenance),
          time,
        }),
      ];
    case 'takenOver':
      return closedTexts(context, id, { ...event, kind: 'takeover', fills: [event.account] });
    case 'deleveraged': {
      const fills = [event.bankrupt, event.counterparty];
      return closedTexts(context, id, { ...event, kind: event.cause, fills });
    }
    case 'liquidationFeePaid':
    case 'profitShared':
      return [
        JSON.stringify({
          kind: event.kind === 'profitShared' ? 'profit_shared' : 'fee',
          symbol: marketOf(context, event.market).symbol,
          amount: moneyText(event.amount),
          id: formatUuid(time, event.id),
          time,
        }),
      ];
    default:
      return [];
  }
}

type Closed = {
  readonly kind: string;
  readonly id: OrderId;
  readonly market: MarketId;
  readonly ticks: Ticks;
  readonly lots: Lots;
  /** The side of the first fill; the second fill has the other side. */
  readonly side: number;
  readonly fills: readonly Fill[];
};

/** The account's parts of a close outside the book. */
function closedTexts(context: StreamContext, account: Account['id'], closed: Closed): string[] {
  const market = marketOf(context, closed.market);
  const { time } = context.exchange;
  const texts: string[] = [];
  for (const [index, fill] of closed.fills.entries()) {
    if (fill.account !== account) continue;
    const buys = index === 0 ? closed.side > 0 : closed.side < 0;
    texts.push(
      JSON.stringify({
        kind: closed.kind,
        symbol: market.symbol,
        side: buys ? 'BUY' : 'SELL',
        price: formatSteps(closed.ticks, market.tick),
        qty: formatSteps(closed.lots, market.lot),
        realized_pnl: moneyText(fill.pnl),
        id: formatUuid(time, closed.id),
        time,
      }),
    );
  }
  return texts;
}

function marketOf({ exchange }: StreamContext, market: MarketId): Market {
  return must(marketById(exchange, market), 'an event is on a market');
}
