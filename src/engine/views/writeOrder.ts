// What a record shows of an order without trigger and legs, as bytes for a thread that has no
// state. Snapshots have their own bytes (codec/orderRecordCodec.ts).
//
//   0 flags u32 (codec/orderFlags.ts) · 4 market u16 · 6 the integers, f64 each · then the client
//   order id as a text

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  integerAt,
  readText,
  reserveBytes,
  takeBytes,
  writeText,
} from '../../std/bytes.ts';
import type { Lots, MarketId, Money, OrderId, Ticks, Time } from '../../units/units.ts';
import { orderFlags, readOrderFlags } from '../codec/orderFlags.ts';
import type { Order } from './order.ts';

const integersAt = 6;
const recordBytes = integersAt + 7 * 8;

/** An order as `writeOrder` keeps it. */
export type WrittenOrder = Omit<
  Order,
  'account' | 'markAtCreation' | 'leverage' | 'open' | 'freeze' | 'uncovered' | 'priority'
>;

/** Whether an order has nothing but what its bytes hold. */
export function isPlain({ trigger, legs }: Pick<Order, 'trigger' | 'legs'>): boolean {
  return trigger === null && (legs === null || legs === undefined);
}

/** The order must be plain. */
export function writeOrder(writer: ByteWriter, order: Order): void {
  assert(isPlain(order), 'the bytes hold no trigger and no legs');
  const at = reserveBytes(writer, recordBytes);
  const { view } = writer;
  view.setUint32(at, orderFlags(order), true);
  view.setUint16(at + 4, order.market, true);
  const first = at + integersAt;
  view.setFloat64(first, order.id, true);
  view.setFloat64(first + 8, order.createdAt, true);
  view.setFloat64(first + 16, order.updatedAt, true);
  view.setFloat64(first + 24, order.ticks, true);
  view.setFloat64(first + 32, order.lots, true);
  view.setFloat64(first + 40, order.filled, true);
  view.setFloat64(first + 48, order.filledNotional, true);
  writeText(writer, order.clientOrderId);
}

export function readOrder(reader: ByteReader): WrittenOrder {
  const at = takeBytes(reader, recordBytes);
  const { view } = reader;
  const first = at + integersAt;
  return {
    ...readOrderFlags(view.getUint32(at, true)),
    market: view.getUint16(at + 4, true) as MarketId,
    id: integerAt(view, first) as OrderId,
    createdAt: integerAt(view, first + 8) as Time,
    updatedAt: integerAt(view, first + 16) as Time,
    ticks: integerAt(view, first + 24) as Ticks,
    lots: integerAt(view, first + 32) as Lots,
    filled: integerAt(view, first + 40) as Lots,
    filledNotional: integerAt(view, first + 48) as Money,
    clientOrderId: readText(reader),
    trigger: null,
    legs: null,
  };
}
