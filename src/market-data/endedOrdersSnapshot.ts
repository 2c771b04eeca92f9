// The view of ended orders as sections, and back: part of the archivist's snapshot, after the
// engine's own sections.

import type { RecordCodecs } from '../engine/engine.ts';
import type { Order } from '../engine/views/order.ts';
import { assert } from '../std/assert.ts';
import type { OrderId } from '../units/units.ts';
import { createEndedOrders, type EndedOrders } from './endedOrders.ts';
import { rememberRow, rowsInOrder } from './rowRing.ts';
import { decodeRows, encodeRows, type RowSnapshot } from './rowSnapshot.ts';

const snapshotBy = (codecs: RecordCodecs): RowSnapshot<Readonly<Order>> => ({
  headKind: 32,
  rowsKind: 33,
  encode: codecs.encodeOrderRecord,
  decode: codecs.decodeOrderRecord,
});

/** Gives the sections of the view, the oldest order first; the receiver owns each. */
export function encodeEndedOrders(
  ended: EndedOrders,
  codecs: RecordCodecs,
  emit: (section: Buffer) => void,
): void {
  const { max, ring } = ended;
  encodeRows(snapshotBy(codecs), { max, count: ring.length, all: rowsInOrder(ended) }, emit);
}

/** The view again. Takes only its own sections. Faults on anything missing or damaged. */
export function decodeEndedOrders(source: Iterable<Buffer>, codecs: RecordCodecs): EndedOrders {
  const { max, rows } = decodeRows(snapshotBy(codecs), source[Symbol.iterator]());
  const ended = createEndedOrders(max);
  const seen = new Set<OrderId>();
  for (const order of rows) {
    assert(order.open === 0 && !seen.has(order.id), 'an order ends once');
    seen.add(order.id);
    rememberRow(ended, order);
  }
  return ended;
}
