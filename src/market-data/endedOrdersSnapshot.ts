// The view of ended orders as sections, and back: part of the archivist's snapshot, after the
// engine's own sections.

import type { RecordCodecs } from '../engine/engine.ts';
import type { Order } from '../engine/views/order.ts';
import { assert } from '../std/assert.ts';
import type { OrderId } from '../units/units.ts';
import { createEndedOrders, type EndedOrders } from './endedOrders.ts';
import { addEarlier, rememberRow, rowCount, rowsInOrder } from './rowRing.ts';
import { encodeRows, type RowSnapshot, type RowsOutput, takeRows } from './rowSnapshot.ts';

/** `later`: rows of a listed snapshot are decoded after the start. */
export type WhenDecoded = 'now' | 'later';

const snapshotBy = (codecs: RecordCodecs): RowSnapshot<Readonly<Order>> => ({
  headKind: 32,
  rowsKind: 33,
  encode: codecs.encodeOrderRecord,
  decode: codecs.decodeOrderRecord,
});

/** Gives the sections of the view, the oldest order first. */
export function encodeEndedOrders(
  ended: EndedOrders,
  codecs: RecordCodecs,
  output: RowsOutput,
): void {
  const rows = { max: ended.max, count: rowCount(ended), all: rowsInOrder(ended) };
  encodeRows(snapshotBy(codecs), rows, output);
}

/**
 * The view again. Takes only its own sections. Faults on anything missing or damaged, but what can
 * be no order faults when it is decoded.
 */
export function decodeEndedOrders(
  source: Iterable<Buffer>,
  codecs: RecordCodecs,
  when: WhenDecoded = 'now',
): EndedOrders {
  const { max, count, next } = takeRows(snapshotBy(codecs), source[Symbol.iterator]());
  const ended = createEndedOrders(max);
  const seen = new Set<OrderId>();
  const nextOrder = (): Readonly<Order> => {
    const order = next();
    assert(order.open === 0 && !seen.has(order.id), 'an order ends once');
    seen.add(order.id);
    return order;
  };
  if (when === 'later') addEarlier(ended, { count, next: nextOrder });
  else for (let i = 0; i < count; i += 1) rememberRow(ended, nextOrder());
  return ended;
}
