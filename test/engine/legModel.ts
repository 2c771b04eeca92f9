// A slow and obvious model of legs (ATT-2, ATT-3, ATT-4), written from the rule page alone: it
// reads the events of a command one after the other and says which legs must now wait, and with how
// many lots.

import type { Event, Traded } from '../../src/engine/event.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { Fill } from '../../src/engine/fill.ts';

type ModelPair = {
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly kind: string;
  lots: number;
  opened: number;
  closed: number;
};

export type LegModel = {
  readonly positions: Map<string, number>;
  /** By the number of the pair. */
  readonly pairs: Map<number, ModelPair>;
  /**
   * The pair of each leg that has not ended, of each order of a parent, and of each order of a leg.
   */
  readonly legs: Map<number, number>;
  readonly parentOrders: Map<number, number>;
  readonly legOrders: Map<number, number>;
  /** Orders and triggers that have not ended. */
  readonly live: Set<number>;
  readonly failures: string[];
};

export function createLegModel(): LegModel {
  return {
    positions: new Map(),
    pairs: new Map(),
    legs: new Map(),
    parentOrders: new Map(),
    legOrders: new Map(),
    live: new Set(),
    failures: [],
  };
}

/** Reads the events of one command, and compares with the legs as the engine has them after it. */
export function followCommand(model: LegModel, events: readonly Event[], exchange: Exchange): void {
  // The legs of a parent that trades at once are reported after its trades.
  for (const event of events) if (event.kind === 'triggerPlaced') notePlaced(model, event.trigger);
  for (const event of events) readEvent(model, event);
  compare(model, exchange);
}

type Placed = Extract<Event, { readonly kind: 'triggerPlaced' }>['trigger'];

function notePlaced(model: LegModel, { id, pair, account, market, side, legs }: Placed): void {
  if (legs) model.parentOrders.set(id, id);
  if (!pair) return;
  model.legs.set(id, pair.id);
  if (pair.kind === 'order') model.parentOrders.set(pair.id, pair.id);
  if (model.pairs.has(pair.id)) return;
  const blank = { lots: 0, opened: 0, closed: 0 };
  model.pairs.set(pair.id, { account, market, side: -side, kind: pair.kind, ...blank });
}

function readEvent(model: LegModel, event: Event): void {
  switch (event.kind) {
    case 'orderPlaced':
      model.live.add(event.id);
      return;
    case 'orderEnded':
      model.live.delete(event.order.id);
      return;
    case 'triggerPlaced':
      model.live.add(event.trigger.id);
      return;
    case 'triggerEnded':
      noteEnd(model, event.trigger);
      return;
    case 'triggerFired':
      noteFired(model, event);
      return;
    case 'traded':
      noteFill(model, event, event.taker, event.takerSide);
      noteFill(model, event, event.maker, -event.takerSide);
      return;
    case 'takenOver':
      noteClose(model, event.market, event.account);
      noteClose(model, event.market, event.fund);
      return;
    case 'deleveraged':
      noteClose(model, event.market, event.bankrupt);
      noteClose(model, event.market, event.counterparty);
      return;
    case 'positionSettled':
      setPosition(model, event, 0);
      return;
    default:
  }
}

const keyOf = ({ account, market }: { account: number; market: number }): string =>
  `${account} ${market}`;

function noteFired(
  model: LegModel,
  { id, order }: { readonly id: number; readonly order: number },
): void {
  const pair = model.legs.get(id);
  if (pair !== undefined) {
    model.legOrders.set(order, pair);
    // One leg cancels the other and the parent (ATT-4).
    const rivals = [...model.legOrders, ...model.parentOrders].filter(
      ([one, of]) => of === pair && one !== order && one !== pair && model.live.has(one),
    );
    const parent = model.pairs.get(pair)!.kind === 'order' && model.live.has(pair);
    if (rivals.length > 0 || parent) model.failures.push(`leg ${id} fired beside an order`);
  }
  if (model.parentOrders.has(id)) model.parentOrders.set(order, id);
}

function noteFill(model: LegModel, { market, lots }: Traded, fill: Fill, side: number): void {
  const place = { account: fill.account, market };
  const before = model.positions.get(keyOf(place)) ?? 0;
  const closing = before * side < 0 ? Math.min(lots, Math.abs(before)) : 0;
  const opening = lots - closing;
  const leg = model.legOrders.get(fill.order);
  if (leg !== undefined) {
    const pair = model.pairs.get(leg)!;
    if (opening > 0) model.failures.push(`the order ${fill.order} of a leg opened ${opening}`);
    if (pair.kind !== 'position' && closing > pair.lots) {
      model.failures.push(`the order ${fill.order} of a leg closed ${closing} of ${pair.lots}`);
    }
    pair.closed += closing;
    pair.lots = Math.max(pair.lots - closing, 0);
  }
  if (closing > 0) setPosition(model, place, before + side * closing);
  setPosition(model, place, before + side * lots);
  if (fill.position !== before + side * lots) {
    model.failures.push(`order ${fill.order} leaves ${fill.position}, not ${before + side * lots}`);
  }
  const parent = model.parentOrders.get(fill.order);
  const pair = parent === undefined ? undefined : model.pairs.get(parent);
  if (pair === undefined || opening === 0) return;
  pair.lots += opening;
  pair.opened += opening;
}

function noteClose(model: LegModel, market: number, { account, position }: Fill): void {
  setPosition(model, { account, market }, position);
}

/** No pair has more lots than the position of its side. */
function setPosition(
  model: LegModel,
  place: { readonly account: number; readonly market: number },
  lots: number,
): void {
  model.positions.set(keyOf(place), lots);
  for (const pair of model.pairs.values()) {
    if (pair.account !== place.account || pair.market !== place.market) continue;
    pair.lots = Math.min(pair.lots, Math.max(lots * pair.side, 0));
  }
}

function noteEnd(model: LegModel, { id, status }: Placed): void {
  model.live.delete(id);
  const pair = model.legs.get(id);
  if (pair === undefined) return;
  model.legs.delete(id);
  const { lots, kind, opened, closed } = model.pairs.get(pair)!;
  if (status === 'EXPIRED' && lots > 0 && kind !== 'position') {
    model.failures.push(`leg ${id} has expired with ${lots} lots left`);
  }
  if (closed > opened && kind !== 'position') {
    model.failures.push(`pair ${pair} has closed ${closed} of ${opened} lots`);
  }
}

function compare(model: LegModel, exchange: Exchange): void {
  for (const [leg, id] of model.legs) {
    const { lots, kind, market } = model.pairs.get(id)!;
    const found = exchange.triggers.get(leg as never);
    if (found === undefined) {
      model.failures.push(`leg ${leg} is gone without an end`);
      continue;
    }
    if (found.status === 'TRIGGERED' || kind === 'position') continue;
    if (exchange.markets[market]!.dues.settledAt !== 0) continue;
    const canFill = kind === 'order' ? model.live.has(id) : exchange.triggers.has(id as never);
    const expected = lots > 0 ? `NEW ${lots}` : canFill ? 'PENDING 0' : 'EXPIRED';
    const reported = `${found.status} ${found.lots}`;
    if (reported !== expected) model.failures.push(`leg ${leg} is ${reported}, not ${expected}`);
  }
}
