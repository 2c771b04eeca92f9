// Both sides of trades, takeovers and deleveragings as rows (ID-1). A settlement at a delivery
// (SYM-2) is no fill, because it has no other side.

import type { Traded } from '../engine/event.ts';
import type { Fill } from '../engine/fill.ts';
import type { Side } from '../engine/orderTypes.ts';
import type { Deleveraged, TakenOver } from '../engine/riskEvent.ts';
import { type Exchange, marketById } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import { must } from '../std/assert.ts';
import { notionalOf } from '../units/notional.ts';
import type { Money, OrderId, Time } from '../units/units.ts';
import type { FillKind, FillRow } from './rows.ts';

/** The common part of both sides. */
type Close = Pick<Traded, 'id' | 'market' | 'tradeId' | 'ticks' | 'lots'> & {
  readonly kind: FillKind;
  readonly notional: Money;
  readonly time: Time;
};

type Part = {
  readonly side: Side;
  readonly maker: boolean;
  readonly order: Pick<Order, 'createdAt' | 'type' | 'markAtCreation'>;
};

/** Its place in the ledger is set at the end of the step (placeFills.ts). */
function rowOf(close: Close, { account, order, pnl, fee, position }: Fill, part: Part): FillRow {
  return {
    account,
    market: close.market,
    tradeId: close.tradeId,
    maker: part.maker,
    kind: close.kind,
    side: part.side,
    order,
    orderCreatedAt: part.order.createdAt,
    orderType: part.order.type,
    markAtCreation: part.order.markAtCreation,
    ticks: close.ticks,
    lots: close.lots,
    notional: close.notional,
    pnl,
    fee,
    position,
    event: close.id,
    ledgerId: 0,
    balance: 0 as Money,
    time: close.time,
  };
}

function closeOf(
  exchange: Exchange,
  { id, market, tradeId, ticks, lots }: Traded | TakenOver | Deleveraged,
  kind: FillKind,
): Close {
  const { grain } = must(marketById(exchange, market), 'what changes hands is of a market');
  const notional = notionalOf(ticks, lots, grain);
  return { id, market, tradeId, ticks, lots, kind, notional, time: exchange.time };
}

/** The taker's side, then the maker's. */
export function fillRowsOf(
  exchange: Exchange,
  traded: Traded,
  orderOf: (id: OrderId) => Readonly<Order>,
): readonly [FillRow, FillRow] {
  const { taker, maker, takerSide: side } = traded;
  const close = closeOf(exchange, traded, 'trade');
  const counterside = -side as Side;
  return [
    rowOf(close, taker, { side, maker: false, order: orderOf(taker.order) }),
    rowOf(close, maker, { side: counterside, maker: true, order: orderOf(maker.order) }),
  ];
}

/**
 * The rows of a takeover or a deleveraging. Both sides have no order but the event itself, which
 * appears as the convention shows such orders, LIMIT (conventions, 10.3): first the account that
 * had to close, then the one that took over.
 */
export function forcedFillRowsOf(
  exchange: Exchange,
  event: TakenOver | Deleveraged,
): readonly [FillRow, FillRow] {
  const { mark } = must(marketById(exchange, event.market), 'a close is of a market').prices;
  const order = { createdAt: exchange.time, type: 'LIMIT', markAtCreation: mark } as const;
  const closing = { side: event.side, maker: false, order };
  const taking = { side: -event.side as Side, maker: true, order };
  if (event.kind === 'takenOver') {
    const close = closeOf(exchange, event, 'takeover');
    return [rowOf(close, event.account, closing), rowOf(close, event.fund, taking)];
  }
  const close = closeOf(exchange, event, event.cause);
  return [rowOf(close, event.bankrupt, closing), rowOf(close, event.counterparty, taking)];
}
