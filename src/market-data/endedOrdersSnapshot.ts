// The view of ended orders as sections, and back: part of the archivist's snapshot, behind the
// engine's own sections.

import { decodeOrderRecord, encodeOrderRecord } from '../engine/orderRecordCodec.ts';
import { assert } from '../std/assert.ts';
import { createByteWriter, readUint32, writeUint32 } from '../std/bytes.ts';
import { beginSection, endSection, openNextSection, sectionBytesTarget } from '../std/section.ts';
import type { OrderId } from '../units/units.ts';
import {
  createEndedOrders,
  type EndedOrders,
  endedInOrder,
  rememberEndedOrder,
} from './endedOrders.ts';

const headKind = 32;
const ordersKind = 33;

/** Gives the sections of the view, the oldest order first; each is the receiver's. */
export function encodeEndedOrders(ended: EndedOrders, emit: (section: Buffer) => void): void {
  const writer = createByteWriter(sectionBytesTarget * 2);
  beginSection(writer);
  writeUint32(writer, ended.max);
  writeUint32(writer, ended.ring.length);
  emit(endSection(writer, headKind));
  beginSection(writer);
  const empty = writer.length;
  for (const order of endedInOrder(ended)) {
    encodeOrderRecord(writer, order);
    if (writer.length < sectionBytesTarget) continue;
    emit(endSection(writer, ordersKind));
    beginSection(writer);
  }
  if (writer.length > empty) emit(endSection(writer, ordersKind));
}

/** The view again. Takes its own sections only. Faults on anything missing or damaged. */
export function decodeEndedOrders(source: Iterable<Buffer>): EndedOrders {
  const sections = source[Symbol.iterator]();
  const head = openNextSection(sections, headKind);
  const ended = createEndedOrders(readUint32(head));
  const count = readUint32(head);
  assert(head.offset === head.end && count <= ended.max, 'the head of the ended orders is wrong');
  const seen = new Set<OrderId>();
  while (seen.size < count) {
    const reader = openNextSection(sections, ordersKind);
    while (reader.offset < reader.end) {
      const order = decodeOrderRecord(reader);
      assert(order.open === 0 && !seen.has(order.id), 'an order ends once');
      seen.add(order.id);
      rememberEndedOrder(ended, order);
    }
    assert(seen.size <= count, 'the ended orders are more than their head says');
  }
  return ended;
}
