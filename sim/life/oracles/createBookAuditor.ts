// A slow and obvious book of every market, made from events alone: a list of orders in the order of
// their places. The first order in its line must trade first (ORD-1), no order fills beyond its
// quantity or after its end, and the resting orders at the end of a step are those of the engine.
// Accounts and positions are not part of it.

import type { Event, Traded } from '../../../src/engine/event.ts';
import type { Exchange } from '../../../src/engine/exchange.ts';
import type { Order } from '../../../src/engine/views/order.ts';
import { directGet } from '../../../src/std/directMap.ts';
import type { AccountId, MarketId, OrderId } from '../../../src/units/units.ts';
import type { Auditor } from './witness.ts';

type Line = {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: 1 | -1;
  ticks: number;
  lots: number;
  filled: number;
};

/** In the order of their places: a modified order goes to the end (ORD-5). */
type Lines = Line[];

export function createBookAuditor(): Auditor {
  const lines: Lines = [];
  return ({ events, exchange }) => {
    const wrong: string[] = [];
    const leaving = new Set(
      events.flatMap((event) => (event.kind === 'orderEnded' ? [event.order.id] : [])),
    );
    for (const event of events) {
      const found = takeEvent(lines, event, leaving);
      if (found !== undefined) wrong.push(found);
    }
    if (events.length > 0) wrong.push(...differences(lines, exchange));
    return wrong;
  };
}

function takeEvent(lines: Lines, event: Event, leaving: ReadonlySet<OrderId>): string | undefined {
  switch (event.kind) {
    case 'orderPlaced': {
      const { id, account, market, side, ticks, lots } = event;
      if (lines.some((line) => line.id === id)) return `order ${id} was placed twice`;
      lines.push({ id, account, market, side, ticks, lots, filled: 0 });
      return undefined;
    }
    case 'orderModified':
    case 'orderCut':
      return change(lines, event);
    case 'traded':
      return trade(lines, event, leaving);
    case 'orderEnded':
      return end(lines, event.order);
    default:
      return undefined;
  }
}

function change(
  lines: Lines,
  event: Extract<Event, { kind: 'orderModified' | 'orderCut' }>,
): string | undefined {
  const at = lines.findIndex(({ id }) => id === event.id);
  const line = lines[at];
  if (line === undefined) return `order ${event.id}, which is not there, was changed`;
  line.lots = event.lots;
  if (event.kind === 'orderCut') return undefined;
  line.ticks = event.ticks;
  lines.splice(at, 1);
  lines.push(line);
  return undefined;
}

function trade(
  lines: Lines,
  { market, taker, maker, takerSide, ticks, lots }: Traded,
  leaving: ReadonlySet<OrderId>,
): string | undefined {
  const rested = lines.find(({ id }) => id === maker.order);
  const came = lines.find(({ id }) => id === taker.order);
  if (rested === undefined || came === undefined) {
    return `a trade of orders ${taker.order} and ${maker.order}, of which one is not there`;
  }
  for (const line of [rested, came]) {
    line.filled += lots;
    if (line.filled > line.lots) return `order ${line.id} filled ${line.filled} of ${line.lots}`;
  }
  if (rested.ticks !== ticks)
    return `a trade at ${ticks} with order ${rested.id} at ${rested.ticks}`;
  if (rested.side === takerSide || came.side !== takerSide) return 'a trade of one side';
  if (came.ticks !== 0 && (ticks - came.ticks) * takerSide > 0) {
    return `order ${came.id} traded at ${ticks}, beyond ${came.ticks}`;
  }
  const better = lines.find(
    (line) =>
      line !== came &&
      line.market === market &&
      line.side === rested.side &&
      line.filled < line.lots &&
      (line.ticks - ticks) * line.side >= 0 &&
      (line.ticks !== ticks || lines.indexOf(line) < lines.indexOf(rested)) &&
      line !== rested &&
      line.account !== came.account &&
      !leaving.has(line.id),
  );
  if (better === undefined) return undefined;
  return `order ${rested.id} at ${ticks} traded before ${better.id} at ${better.ticks} (ORD-1)`;
}

function end(lines: Lines, { id, filled, lots, status }: Readonly<Order>): string | undefined {
  const at = lines.findIndex((line) => line.id === id);
  const line = lines[at];
  if (line === undefined) return `order ${id} ended, and was not there`;
  lines.splice(at, 1);
  if (line.filled !== filled) return `order ${id} ended with ${filled} filled, not ${line.filled}`;
  if ((status === 'FILLED') !== (filled === lots)) {
    return `order ${id} ended ${status} with ${filled} of ${lots}`;
  }
  return undefined;
}

function differences(lines: Lines, exchange: Exchange): string[] {
  if (lines.length !== exchange.orders.size) {
    return [`${exchange.orders.size} orders rest, by events ${lines.length}`];
  }
  return lines.flatMap(({ id, ticks, lots, filled }) => {
    const order = directGet(exchange.orders, id);
    if (order === undefined) return [`order ${id} does not rest`];
    const same = order.ticks === ticks && order.lots === lots && order.filled === filled;
    return same && order.open === lots - filled
      ? []
      : [`order ${id} is ${order.filled}/${order.lots}@${order.ticks}, by events otherwise`];
  });
}
