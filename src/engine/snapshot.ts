// The whole state as a stream of sections, and back. What comes back continues exactly as the
// original would: same events, same hashes. Where the bytes lie is the archivist's business.
//
// The order of the sections is fixed: head, markets, accounts, orders, credits, nonces, timers,
// end. A list that is long takes several sections; one that is empty takes none. The head holds
// the format and the lengths of the lists, so that a missing section is a fault.

import { assert } from '../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  readInteger,
  readText,
  readUint32,
  writeInteger,
  writeText,
  writeUint32,
} from '../std/bytes.ts';
import { beginSection, endSection, openNextSection, sectionBytesTarget } from '../std/section.ts';
import type { Lots, Money, Time } from '../units/units.ts';
import { type Account, positionIn } from './account.ts';
import { insertOrder } from './book/book.ts';
import { createExchange, type Exchange, type Funds } from './exchange.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import { decodeOrderRecord, encodeOrderRecord } from './orderRecordCodec.ts';
import { queueAppend } from './position.ts';
import { decodeAccount, encodeAccount } from './snapshotAccounts.ts';
import {
  addCredit,
  addNonce,
  decodeCredit,
  decodeNonce,
  decodeTimer,
  encodeCredit,
  encodeNonce,
  encodeTimer,
} from './snapshotLists.ts';
import { decodeMarket, encodeMarket } from './snapshotMarkets.ts';

const format = 1;
const headKind = 1;
const marketsKind = 2;
const accountsKind = 3;
const ordersKind = 4;
const creditsKind = 5;
const noncesKind = 6;
const timersKind = 7;
const endKind = 8;

type Emit = (section: Buffer) => void;

/**
 * Gives the sections of the state one by one; each is the receiver's. The exchange must stand
 * between two commands. Cost: one pass over the state, and memory for one section.
 */
export function encodeSnapshot(exchange: Exchange, emit: Emit): void {
  const between = !exchange.undo.active && exchange.ended.length === 0 && exchange.taker === null;
  assert(between, 'a snapshot is taken between two commands');
  const writer = createByteWriter(sectionBytesTarget * 2);
  encodeHead(writer, exchange, emit);
  encodeList(writer, emit, { kind: marketsKind, items: exchange.markets, encode: encodeMarket });
  encodeList(writer, emit, { kind: accountsKind, items: exchange.accounts, encode: encodeAccount });
  // The map's order is that of priority: the same pass rebuilds levels and queues in their order.
  let priority = 0;
  const encodeOrder = (target: ByteWriter, order: Order): void => {
    assert(order.priority > priority, 'live orders stand in the order of their priority');
    priority = order.priority;
    encodeOrderRecord(target, order);
  };
  const orders = exchange.orders.values();
  encodeList(writer, emit, { kind: ordersKind, items: orders, encode: encodeOrder });
  encodeList(writer, emit, { kind: creditsKind, items: exchange.credits, encode: encodeCredit });
  encodeList(writer, emit, { kind: noncesKind, items: exchange.nonces, encode: encodeNonce });
  const timers = exchange.timers.items;
  encodeList(writer, emit, { kind: timersKind, items: timers, encode: encodeTimer });
  beginSection(writer);
  emit(endSection(writer, endKind));
}

/**
 * The exchange that `encodeSnapshot` wrote. Takes sections up to its own last one, so that an
 * iterator may carry others behind it. Faults on anything missing, damaged or inconsistent.
 */
export function decodeSnapshot(source: Iterable<Buffer>): Exchange {
  const sections = source[Symbol.iterator]();
  const { exchange, counts } = decodeHead(openNextSection(sections, headKind));
  decodeList(sections, { kind: marketsKind, count: counts.markets }, (reader) =>
    addMarket(exchange, decodeMarket(reader)),
  );
  decodeList(sections, { kind: accountsKind, count: counts.accounts }, (reader) =>
    addAccount(exchange, decodeAccount(reader)),
  );
  decodeList(sections, { kind: ordersKind, count: counts.orders }, (reader) =>
    addOrder(exchange, decodeOrderRecord(reader)),
  );
  decodeList(sections, { kind: creditsKind, count: counts.credits }, (reader) =>
    addCredit(exchange, decodeCredit(reader)),
  );
  decodeList(sections, { kind: noncesKind, count: counts.nonces }, (reader) =>
    addNonce(exchange, decodeNonce(reader)),
  );
  decodeList(sections, { kind: timersKind, count: counts.timers }, (reader) => {
    exchange.timers.items.push(decodeTimer(reader));
  });
  const end = openNextSection(sections, endKind);
  assert(end.offset === end.end, 'the last section is empty');
  addApiKeys(exchange);
  return exchange;
}

type Encoding<T> = {
  readonly kind: number;
  readonly items: Iterable<T>;
  readonly encode: (writer: ByteWriter, item: T) => void;
};

// Each section begins with the number of its items.
function encodeList<T>(writer: ByteWriter, emit: Emit, encoding: Encoding<T>): void {
  let count = 0;
  let countAt = 0;
  const begin = (): void => {
    beginSection(writer);
    countAt = writer.length;
    writeUint32(writer, 0);
    count = 0;
  };
  const end = (): void => {
    writer.view.setUint32(countAt, count, true);
    emit(endSection(writer, encoding.kind));
  };
  begin();
  for (const item of encoding.items) {
    encoding.encode(writer, item);
    count += 1;
    if (writer.length < sectionBytesTarget) continue;
    end();
    begin();
  }
  if (count > 0) end();
}

function decodeList(
  sections: Iterator<Buffer>,
  expected: { readonly kind: number; readonly count: number },
  decode: (reader: ByteReader) => void,
): void {
  let left = expected.count;
  while (left > 0) {
    const reader = openNextSection(sections, expected.kind);
    const count = readUint32(reader);
    assert(count > 0 && count <= left, 'a section holds more items than there are');
    for (let i = 0; i < count; i += 1) decode(reader);
    assert(reader.offset === reader.end, 'a section holds more than its items');
    left -= count;
  }
}

function encodeHead(writer: ByteWriter, exchange: Exchange, emit: Emit): void {
  beginSection(writer);
  writeUint32(writer, format);
  writeInteger(writer, exchange.chainId);
  writeInteger(writer, exchange.time);
  writeInteger(writer, exchange.sequence);
  writeUint32(writer, exchange.markets.length);
  writeUint32(writer, exchange.accounts.length);
  writeUint32(writer, exchange.orders.size);
  writeUint32(writer, exchange.credits.size);
  writeUint32(writer, exchange.nonces.size);
  writeUint32(writer, exchange.timers.items.length);
  encodeFunds(writer, exchange.funds);
  emit(endSection(writer, headKind));
}

type Counts = Record<'markets' | 'accounts' | 'orders' | 'credits' | 'nonces' | 'timers', number>;

function decodeHead(reader: ByteReader): { exchange: Exchange; counts: Counts } {
  assert(readUint32(reader) === format, 'a snapshot of another format');
  const exchange = createExchange(readInteger(reader));
  exchange.time = readInteger(reader) as Time;
  exchange.sequence = readInteger(reader);
  const counts = {
    markets: readUint32(reader),
    accounts: readUint32(reader),
    orders: readUint32(reader),
    credits: readUint32(reader),
    nonces: readUint32(reader),
    timers: readUint32(reader),
  };
  decodeFunds(reader, exchange.funds);
  assert(reader.offset === reader.end, 'the first section holds more than its head');
  return { exchange, counts };
}

function encodeFunds(writer: ByteWriter, funds: Funds): void {
  writeInteger(writer, funds.insurance);
  writeInteger(writer, funds.feeRevenue);
  writeInteger(writer, funds.referralPayable);
  writeInteger(writer, funds.pendingWithdrawals);
  writeInteger(writer, funds.shortfall);
  writeText(writer, funds.deposits.toString());
  writeText(writer, funds.withdrawals.toString());
}

function decodeFunds(reader: ByteReader, funds: Funds): void {
  funds.insurance = readInteger(reader) as Money;
  funds.feeRevenue = readInteger(reader) as Money;
  funds.referralPayable = readInteger(reader) as Money;
  funds.pendingWithdrawals = readInteger(reader) as Money;
  funds.shortfall = readInteger(reader) as Money;
  funds.deposits = readTotal(reader);
  funds.withdrawals = readTotal(reader);
}

function readTotal(reader: ByteReader): bigint {
  const text = readText(reader);
  assert(/^-?\d{1,40}$/.test(text), 'a total of the snapshot is no number');
  return BigInt(text);
}

function addMarket(exchange: Exchange, market: Market): void {
  assert(market.id === exchange.markets.length, 'markets stand in the order of their numbers');
  assert(!exchange.marketBySymbol.has(market.symbol), 'a symbol comes twice');
  exchange.markets.push(market);
  exchange.marketBySymbol.set(market.symbol, market.id);
}

function addAccount(exchange: Exchange, account: Account): void {
  assert(account.id === exchange.accounts.length, 'accounts stand in the order of their numbers');
  assert(!exchange.accountByAddress.has(account.address), 'an address comes twice');
  assert(account.positions.length <= exchange.markets.length, 'a position is in no market');
  exchange.accounts.push(account);
  exchange.accountByAddress.set(account.address, account.id);
}

/** Puts an order where it was: orders come by priority, which is the order of every queue. */
function addOrder(exchange: Exchange, order: Order): void {
  const account = exchange.accounts[order.account];
  const market = exchange.markets[order.market];
  assert(account !== undefined && market !== undefined, 'an order has an account and a market');
  assert(!exchange.orders.has(order.id), 'an order comes twice');
  insertOrder(market.book, order);
  const position = positionIn(account, market.id);
  const queue = order.side > 0 ? position.buys : position.sells;
  assert(
    queue.newest === null || queue.newest.priority < order.priority,
    'orders stand in the order of their priority',
  );
  queueAppend(queue, order);
  position.orderCount += 1;
  if (order.reduceOnly) position.reduceOnlyCount += 1;
  position.covered = (position.covered + order.cover) as Lots;
  exchange.orders.set(order.id, order);
  if (order.clientOrderId === '') return;
  assert(!account.clientOrderIds.has(order.clientOrderId), 'a client order id comes twice');
  account.clientOrderIds.set(order.clientOrderId, order.id);
}

/** The map of all keys, in the order of their creation. */
function addApiKeys(exchange: Exchange): void {
  const keys = exchange.accounts.flatMap((account) => account.apiKeys);
  keys.sort((a, b) => a.id - b.id);
  for (const key of keys) {
    assert(!exchange.apiKeys.has(key.apiKey), 'an API key comes twice');
    exchange.apiKeys.set(key.apiKey, key);
  }
}
