// The bytes of one command in the log. Encoded once, at the gateway; every replica decodes them.
// Here: the frame of a record and which codec its kind has. The fields stand in
// orderCommandCodec.ts (the frequent commands) and rareCommandCodec.ts.
//
//   0 length u24 (of the whole record) · 3 kind u8 · 4 deadline f64 · 12 the fields of the kind

import { assert, Fault, unreachable } from '../std/assert.ts';
import { type ByteReader, type ByteWriter, reserveBytes, takeBytes } from '../std/bytes.ts';
import type { Time } from '../units/units.ts';
import type { Command } from './command.ts';
import * as order from './orderCommandCodec.ts';
import * as rare from './rareCommandCodec.ts';

// The place in this list is the kind on the disk: append, never reorder. Zeros are no kind.
const kinds = [
  'none',
  'placeOrder',
  'cancelOrder',
  'modifyOrder',
  'batch',
  'cancelAllOrders',
  'indexTick',
  'setLeverage',
  'setCountdown',
  'listMarket',
  'changeMarket',
  'credit',
  'flagAccount',
  'login',
  'createApiKey',
  'updateApiKey',
  'deleteApiKey',
  'setRateTier',
] as const satisfies readonly (Command['kind'] | 'none')[];

const headBytes = 12;
const recordBytesMax = 0xffffff;

/** A command and the time after which it must be rejected. */
export type TimedCommand = { readonly deadline: Time; readonly command: Command };

/** Appends one record. Faults on a value that its field cannot carry; then nothing is appended. */
export function encodeCommand(writer: ByteWriter, command: Command, deadline: Time): void {
  assert(Number.isSafeInteger(deadline), 'a deadline is a safe integer');
  const start = reserveBytes(writer, headBytes);
  try {
    encodeFields(writer, command);
    const length = writer.length - start;
    assert(length <= recordBytesMax, 'a command is too long for its record');
    writer.view.setUint32(start, (length | (kinds.indexOf(command.kind) << 24)) >>> 0, true);
    writer.view.setFloat64(start + 4, deadline, true);
  } catch (error) {
    writer.length = start;
    throw error;
  }
}

/** Takes one record. Faults unless it is exactly one command of a known kind. */
export function decodeCommand(reader: ByteReader): TimedCommand {
  const start = takeBytes(reader, headBytes);
  const head = reader.view.getUint32(start, true);
  const deadline = reader.view.getFloat64(start + 4, true);
  assert(Number.isSafeInteger(deadline), 'a deadline is not a safe integer');
  const batchEnd = reader.end;
  const end = start + (head & recordBytesMax);
  assert(end >= reader.offset && end <= batchEnd, 'the length of a record is wrong');
  // Inside the record the reader ends where the record ends, so no field can reach into the next.
  reader.end = end;
  const command = decodeFields(reader, head >>> 24);
  assert(reader.offset === end, 'a record holds more than its command');
  reader.end = batchEnd;
  return { deadline: deadline as Time, command };
}

/** Passes over one record without looking at its fields. */
export function skipCommand(reader: ByteReader): void {
  const start = takeBytes(reader, headBytes);
  const end = start + (reader.view.getUint32(start, true) & recordBytesMax);
  assert(end >= reader.offset && end <= reader.end, 'the length of a record is wrong');
  reader.offset = end;
}

function encodeFields(writer: ByteWriter, command: Command): void {
  switch (command.kind) {
    case 'placeOrder':
      order.encodePlaceOrder(writer, command);
      return;
    case 'cancelOrder':
      order.encodeCancelOrder(writer, command);
      return;
    case 'modifyOrder':
      order.encodeModifyOrder(writer, command);
      return;
    case 'batch':
      order.encodeBatch(writer, command);
      return;
    case 'cancelAllOrders':
      order.encodeCancelAllOrders(writer, command);
      return;
    case 'indexTick':
      rare.encodeIndexTick(writer, command);
      return;
    case 'setLeverage':
      rare.encodeSetLeverage(writer, command);
      return;
    case 'setCountdown':
      rare.encodeSetCountdown(writer, command);
      return;
    case 'listMarket':
      rare.encodeListMarket(writer, command);
      return;
    case 'changeMarket':
      rare.encodeChangeMarket(writer, command);
      return;
    case 'credit':
      rare.encodeCredit(writer, command);
      return;
    case 'flagAccount':
      rare.encodeFlagAccount(writer, command);
      return;
    case 'login':
      rare.encodeLogin(writer, command);
      return;
    case 'createApiKey':
      rare.encodeCreateApiKey(writer, command);
      return;
    case 'updateApiKey':
      rare.encodeUpdateApiKey(writer, command);
      return;
    case 'deleteApiKey':
      rare.encodeDeleteApiKey(writer, command);
      return;
    case 'setRateTier':
      rare.encodeSetRateTier(writer, command);
      return;
    default:
      unreachable(command);
  }
}

function decodeFields(reader: ByteReader, code: number): Command {
  if (code === 1) return order.decodePlaceOrder(reader);
  const kind = kinds[code];
  switch (kind) {
    case 'placeOrder':
      return order.decodePlaceOrder(reader);
    case 'cancelOrder':
      return order.decodeCancelOrder(reader);
    case 'modifyOrder':
      return order.decodeModifyOrder(reader);
    case 'batch':
      return order.decodeBatch(reader);
    case 'cancelAllOrders':
      return order.decodeCancelAllOrders(reader);
    case 'indexTick':
      return rare.decodeIndexTick(reader);
    case 'setLeverage':
      return rare.decodeSetLeverage(reader);
    case 'setCountdown':
      return rare.decodeSetCountdown(reader);
    case 'listMarket':
      return rare.decodeListMarket(reader);
    case 'changeMarket':
      return rare.decodeChangeMarket(reader);
    case 'credit':
      return rare.decodeCredit(reader);
    case 'flagAccount':
      return rare.decodeFlagAccount(reader);
    case 'login':
      return rare.decodeLogin(reader);
    case 'createApiKey':
      return rare.decodeCreateApiKey(reader);
    case 'updateApiKey':
      return rare.decodeUpdateApiKey(reader);
    case 'deleteApiKey':
      return rare.decodeDeleteApiKey(reader);
    case 'setRateTier':
      return rare.decodeSetRateTier(reader);
    case 'none':
    case undefined:
      throw new Fault(`no command has the kind ${code}`);
    default:
      return unreachable(kind);
  }
}
