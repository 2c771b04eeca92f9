// Fields that several of the frequent commands share, at fixed places of a DataView: account,
// market, integers, an order by its id or by the client's own.

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
import type { AccountId, MarketId, OrderId, Time } from '../../units/units.ts';
import type { OrderReference } from '../command.ts';

/** Means no market in a field of sixteen bits. */
export const noMarket = 0xffff;

export function setAccount(view: DataView, at: number, account: AccountId): void {
  assert(account >>> 0 === account, 'an account number has 32 bits');
  view.setUint32(at, account, true);
}

export function setMarket(view: DataView, at: number, market: MarketId): void {
  assert((market & 0xffff) === market && market !== noMarket, 'a market number has 16 bits');
  view.setUint16(at, market, true);
}

function setAnyMarket(view: DataView, at: number, market: MarketId | undefined): void {
  if (market === undefined) view.setUint16(at, noMarket, true);
  else setMarket(view, at, market);
}

function getAnyMarket(view: DataView, at: number): MarketId | undefined {
  const market = view.getUint16(at, true);
  return market === noMarket ? undefined : (market as MarketId);
}

export function setInteger(view: DataView, at: number, value: number): void {
  assert(Number.isSafeInteger(value), 'a quantity, price or id is a safe integer');
  view.setFloat64(at, value, true);
}

export function getMarket(view: DataView, at: number): MarketId {
  const market = view.getUint16(at, true);
  assert(market !== noMarket, 'a command has no market');
  return market as MarketId;
}

// All orders or triggers of a market, or of all: 0 account u32 · 4 market u16.
const placeBytes = 6;
type Place = { readonly account: AccountId; readonly market: MarketId | undefined };

export function encodePlace(writer: ByteWriter, { account, market }: Place): void {
  const at = reserveBytes(writer, placeBytes);
  setAccount(writer.view, at, account);
  setAnyMarket(writer.view, at + 4, market);
}

export function decodePlace(reader: ByteReader): Place {
  const at = takeBytes(reader, placeBytes);
  const account = reader.view.getUint32(at, true) as AccountId;
  return { account, market: getAnyMarket(reader.view, at + 4) };
}

// An order reference is id and createdAt (f64 each), or a text.

export function encodeReference(writer: ByteWriter, reference: OrderReference): void {
  if ('clientOrderId' in reference) {
    writeText(writer, reference.clientOrderId);
    return;
  }
  const at = reserveBytes(writer, 16);
  setInteger(writer.view, at, reference.id);
  setInteger(writer.view, at + 8, reference.createdAt);
}

export function decodeReference(reader: ByteReader, byClientOrderId: boolean): OrderReference {
  if (byClientOrderId) return { clientOrderId: readText(reader) };
  const at = takeBytes(reader, 16);
  const id = integerAt(reader.view, at) as OrderId;
  return { id, createdAt: integerAt(reader.view, at + 8) as Time };
}

// The end of one order or trigger: 0 account u32 · 4 market u16 · 6 by client order id u8, then
// the reference.
const endBytes = 7;
type End = {
  readonly account: AccountId;
  readonly market: MarketId | undefined;
  readonly order: OrderReference;
};

export function encodeEnd(writer: ByteWriter, end: End): void {
  const at = reserveBytes(writer, endBytes);
  const { view } = writer;
  setAccount(view, at, end.account);
  setAnyMarket(view, at + 4, end.market);
  view.setUint8(at + 6, 'clientOrderId' in end.order ? 1 : 0);
  encodeReference(writer, end.order);
}

export function decodeEnd(reader: ByteReader): End {
  const at = takeBytes(reader, endBytes);
  const { view } = reader;
  const account = view.getUint32(at, true) as AccountId;
  const market = getAnyMarket(view, at + 4);
  const by = view.getUint8(at + 6);
  assert(by <= 1, 'a reference is by id or by client order id');
  return {
    account,
    market,
    order: decodeReference(reader, by === 1),
  };
}
