// The `fill` event of the channel `account` (WS-2): one side of a trade, with the members of
// userTrades in snake_case, the client's order id and the command's time.

import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import type { Event, Traded } from '../../engine/event.ts';
import type { Fill } from '../../engine/fill.ts';
import type { Account } from '../../engine/views/account.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { notionalOf } from '../../units/notional.ts';
import { moneyDecimals } from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import type { AccountStep } from '../accountFeed.ts';
import { collateral } from '../collateral.ts';
import type { StreamContext } from '../streamContext.ts';

/** The account's sides of the event: none, one, or both of a trade with itself, the taker first. */
export function fillTexts(
  context: StreamContext,
  { id }: Account,
  { event, step }: { readonly event: Event; readonly step: AccountStep },
): string[] {
  if (event.kind !== 'traded') return [];
  return [event.taker, event.maker]
    .filter(({ account }) => account === id)
    .map((fill) => fillText(context, event, { fill, step }));
}

function fillText(
  { exchange }: StreamContext,
  traded: Traded,
  { fill, step }: { readonly fill: Fill; readonly step: AccountStep },
): string {
  const { ticks, lots, tradeId, takerSide } = traded;
  const market = must(marketById(exchange, traded.market), 'a trade is on a market');
  const order = must(step.orderOf(fill.order), 'a fill is of an order');
  const maker = fill === traded.maker;
  const buyer = maker ? takerSide < 0 : takerSide > 0;
  return (
    `{"symbol":"${market.symbol}","id":${tradeId}` +
    `,"order_id":"${formatUuid(order.createdAt, order.id)}"` +
    `,"client_order_id":${JSON.stringify(clientOrderIdOf(order))}` +
    `,"side":"${buyer ? 'BUY' : 'SELL'}","price":"${formatSteps(ticks, market.tick)}"` +
    `,"qty":"${formatSteps(lots, market.lot)}"` +
    `,"quote_qty":"${formatTrimmed(notionalOf(ticks, lots, market.grain), moneyDecimals)}"` +
    `,"realized_pnl":"${formatTrimmed(fill.pnl, moneyDecimals)}"` +
    `,"commission":"${formatTrimmed(fill.fee, moneyDecimals)}"` +
    `,"commission_asset":"${collateral}","time":${exchange.time},"position_side":"BOTH"` +
    `,"buyer":${buyer},"maker":${maker}}`
  );
}
