// One row of the table of open orders: an order that rests or a trigger that waits, with what both
// have under the same names.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { AccountCopy, Order, Trigger } from '../state/account.ts';
import type { Side } from '../state/orderWish.ts';
import { type ClockKind, dateText } from '../state/timeText.ts';
import { orderMessages } from './orderMessages.ts';
import { tableMessages } from './tableMessages.ts';

export type OpenRow = {
  readonly id: string;
  readonly time: number;
  readonly symbol: string;
  readonly side: Side;
  readonly type: string;
  /** Undefined of what becomes a market order. */
  readonly price: string | undefined;
  /** Undefined of orders. */
  readonly triggerPrice: string | undefined;
  /** Undefined of what closes the whole position. */
  readonly size: string | undefined;
  /** Undefined of what has no order yet. */
  readonly filled: string | undefined;
} & (
  | { readonly order: Order; readonly trigger?: undefined }
  | { readonly trigger: Trigger; readonly order?: undefined }
);

/** Newest first. An order that has not changed has the same row as before. */
export function openRowsOf({ orders, triggers }: AccountCopy): OpenRow[] {
  const waiting = [...triggers.value.values()].filter(
    ({ algo_status: status }) => status === 'NEW' || status === 'PENDING',
  );
  return [...Array.from(orders.value.values(), rowOf), ...waiting.map(rowOf)].sort(
    (a, b) => b.time - a.time,
  );
}

const rows = new WeakMap<Order | Trigger, OpenRow>();

function rowOf(open: Order | Trigger): OpenRow {
  const known = rows.get(open);
  if (known !== undefined) return known;
  const row = 'algo_id' in open ? rowOfTrigger(open) : rowOfOrder(open);
  rows.set(open, row);
  return row;
}

const rowOfOrder = (order: Order): OpenRow => ({
  id: order.order_id,
  time: order.time,
  symbol: order.symbol,
  side: order.side,
  type: order.type,
  price: order.price,
  triggerPrice: undefined,
  size: order.orig_qty,
  filled: order.executed_qty,
  order,
});

const rowOfTrigger = (trigger: Trigger): OpenRow => ({
  id: trigger.algo_id,
  time: trigger.create_time,
  symbol: trigger.symbol,
  side: trigger.side,
  type: trigger.order_type,
  price: hasPrice(trigger) ? trigger.price : undefined,
  triggerPrice: trigger.trigger_price,
  size: trigger.close_position || isLegOfPosition(trigger) ? undefined : trigger.quantity,
  filled: undefined,
  trigger,
});

const hasPrice = ({ order_type: type }: Trigger): boolean =>
  type === 'STOP' || type === 'TAKE_PROFIT';

const isLeg = ({ pair_id }: Trigger): boolean => pair_id !== undefined;

const isLegOfPosition = (trigger: Trigger): boolean =>
  isLeg(trigger) && trigger.parent_id === undefined;

/** The lots of a leg follow its pair (ATT-2), those of closePosition the position. */
export const hasOwnSize = ({ trigger, size }: OpenRow): boolean =>
  size !== undefined && (trigger === undefined || !isLeg(trigger));

/** A leg has lots when its order has filled (ATT-2). */
export const isWaitingLeg = ({ trigger }: OpenRow): boolean => trigger?.algo_status === 'PENDING';

/** The stop of a trailing one follows the mark. */
export const hasOwnTrigger = ({ trigger }: OpenRow): boolean =>
  trigger !== undefined && trigger.order_type !== 'TRAILING_STOP_MARKET';

export function typeOf({ type }: OpenRow): string {
  const names: Readonly<Record<string, string>> = {
    ...tableMessages().types,
    ...tradingMessages().triggerTypes,
  };
  return names[type] ?? type;
}

export function conditionsOf({ order, trigger }: OpenRow, clock: ClockKind): string {
  const text = orderMessages();
  const { time_in_force, reduce_only } = order ?? trigger;
  // How long a market order stays is no question.
  const said: string[] = trigger === undefined || hasPrice(trigger) ? [time_in_force] : [];
  if (reduce_only) said.push(text.reduceOnly);
  if ((order ?? trigger).take_profit_id ?? (order ?? trigger).stop_loss_id)
    said.push(text.withLegs);
  if (trigger === undefined) return said.join(' · ');
  if (trigger.good_till_date > 0) said.push(text.until(dateText(trigger.good_till_date, clock)));
  if (trigger.callback_rate !== '') said.push(text.callback(trigger.callback_rate));
  if (isLeg(trigger)) said.push(isLegOfPosition(trigger) ? text.ofPosition : text.ofOrder);
  if (trigger.algo_status === 'PENDING') said.push(text.pending);
  if (trigger.failure !== undefined) said.push(text.tried);
  return said.join(' · ');
}
