// The whole state as a stream of sections, and back. A state that was read back continues exactly
// as the original: same events, same hashes. The archivist stores the bytes.
//
// The order of the sections is fixed: head, markets, accounts, pairs, triggers, due triggers, those
// of them with a place, the last places of accounts, tried triggers, expiring markets, orders,
// credits, accounts with deposits of the vault, parked money, what the vault has paid, nonces,
// timers, withdrawals, guests, vacancies, armed connections, ended ones, end. A long list takes
// several sections; an empty one takes none. snapshotHead.ts has the head. Data that follows from
// the records (queues, counts, waiting triggers by mark, holders of positions) is not written but
// rebuilt.

import { assert, Fault } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  readInteger,
  readUint32,
  writeInteger,
  writeUint32,
} from '../../std/bytes.ts';
import type { Heap } from '../../std/heap.ts';
import {
  beginSection,
  endSection,
  openNextSection,
  sectionBytesTarget,
} from '../../std/section.ts';
import type { OrderId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { decodeOrderRecord, encodeOrderRecord } from '../codec/orderRecordCodec.ts';
import { decodeTrigger, encodeTrigger } from '../codec/triggerCodec.ts';
import type { Exchange } from '../exchange.ts';
import { checkTimers } from '../invariants/checkTimers.ts';
import { createFindings } from '../invariants/findings.ts';
import { listTrigger } from '../listTrigger.ts';
import { liveAccounts } from '../liveAccounts.ts';
import { insuranceAccount, insuranceAddress } from '../marginModes.ts';
import type { Market } from '../market.ts';
import { ordersByPriority } from '../ordersByPriority.ts';
import { type Trigger, takesPlace, waits } from '../trigger.ts';
import {
  addPlaced,
  newItems,
  placedItems,
  placesOf,
  queueOf,
  queuesInOrder,
} from '../triggers/dueQueue.ts';
import { addTried, triedItems } from '../triggers/triedTriggers.ts';
import { removeWaiting } from '../triggers/waitingTriggers.ts';
import {
  addArmed,
  addEnded,
  decodeArmed,
  decodeEnded,
  encodeArmed,
  encodeEnded,
} from './encodeArmed.ts';
import { addPair, decodePair, encodePair } from './encodePair.ts';
import {
  addFunded,
  addPaid,
  addParked,
  decodePaid,
  decodeParked,
  encodeFunded,
  encodePaid,
  encodeParked,
  fundedByVault,
} from './encodeVault.ts';
import { createOrderQueue } from './orderQueue.ts';
import { rebuildIndexes } from './rebuildIndexes.ts';
import { decodeAccount, encodeAccount } from './snapshotAccounts.ts';
import { decodeHead, encodeHead } from './snapshotHead.ts';
import {
  addCredit,
  addGuest,
  addNonce,
  addPlace,
  addTimer,
  addVacancy,
  addWaves,
  addWithdrawal,
  decodeCredit,
  decodeExpiring,
  decodeGuest,
  decodeNonce,
  decodePlace,
  decodeTimer,
  decodeVacancy,
  decodeWithdrawal,
  encodeCredit,
  encodeExpiring,
  encodeGuest,
  encodeNonce,
  encodePlace,
  encodePlaced,
  encodeTimer,
  encodeVacancy,
  encodeWithdrawal,
} from './snapshotLists.ts';
import { decodeMarket, encodeMarket } from './snapshotMarkets.ts';

const headKind = 1;
const marketsKind = 2;
const accountsKind = 3;
const ordersKind = 4;
const creditsKind = 5;
const noncesKind = 6;
const timersKind = 7;
const endKind = 8;
const triggersKind = 9;
const withdrawalsKind = 10;
const dueKind = 11;
const guestsKind = 12;
const vacanciesKind = 13;
const placedKind = 14;
const placesKind = 15;
const expiringKind = 16;
const triedKind = 17;
const pairsKind = 18;
const armedKind = 19;
const endedKind = 20;
const fundedKind = 21;
const parkedKind = 22;
const paidKind = 23;

type Emit = (section: Buffer) => void;

/**
 * Gives the sections of the state one by one; the receiver owns each. The exchange must be between
 * two commands. Cost: one pass over the state, and memory for one section.
 */
export function encodeSnapshot(exchange: Exchange, emit: Emit): void {
  const { undo, ended, taker, flattened, shrunk, stirred, triggers } = exchange;
  const followed = flattened.length === 0 && shrunk.length === 0 && stirred.length === 0;
  const between = !undo.active && ended.length === 0 && taker === null && followed;
  assert(between, 'a snapshot is taken between two commands');
  const writer = createByteWriter(sectionBytesTarget * 2);
  const list = <T>(kind: number, items: Iterable<T>, encode: Encode<T>): void =>
    encodeList(writer, emit, { kind, items, encode });
  const queues = queuesInOrder(exchange.due);
  const due = queues.flatMap(newItems);
  const placed = queues.flatMap(placedItems);
  const tried = triedItems(exchange.due.tried);
  const counts = { due: due.length, placed: placed.length, tried: tried.length };
  beginSection(writer);
  encodeHead(writer, exchange, counts);
  emit(endSection(writer, headKind));
  list(marketsKind, exchange.markets, encodeMarket);
  list(accountsKind, liveAccounts(exchange), encodeAccount);
  list(
    pairsKind,
    exchange.pairs.values(),
    ascending(encodePair, 'pairs', ({ name }) => name.id),
  );
  list(
    triggersKind,
    triggers.values(),
    ascending(encodeTrigger, 'triggers', ({ id }) => id),
  );
  list(dueKind, due, encodeNumber);
  list(placedKind, placed, encodePlaced);
  list(placesKind, placesOf(exchange.due), encodePlace);
  list(triedKind, tried, encodeNumber);
  list(expiringKind, exchange.expiring, encodeExpiring);
  // By priority: one pass rebuilds levels and queues in their order.
  const byPriority = ascending(encodeOrderRecord, 'live orders', ({ priority }) => priority);
  list(ordersKind, ordersByPriority(exchange), byPriority);
  list(creditsKind, exchange.credits, encodeCredit);
  list(fundedKind, fundedByVault(exchange), encodeFunded);
  list(parkedKind, exchange.vault.parked, encodeParked);
  list(paidKind, exchange.vault.paid, encodePaid);
  list(noncesKind, exchange.nonces, encodeNonce);
  list(timersKind, inTurn(exchange.timers), encodeTimer);
  list(withdrawalsKind, exchange.withdrawals.values(), encodeWithdrawal);
  list(guestsKind, inTurn(exchange.guests.waiting), encodeGuest);
  list(vacanciesKind, inTurn(exchange.guests.vacancies), encodeVacancy);
  list(armedKind, exchange.connections.armed.values(), encodeArmed);
  list(endedKind, exchange.connections.queue, encodeEnded);
  beginSection(writer);
  emit(endSection(writer, endKind));
}

function encodeNumber(writer: ByteWriter, { id }: Readonly<Trigger>): void {
  writeInteger(writer, id);
}

/**
 * In the order in which they leave the heap. This order is a valid heap too; the heap's own array
 * depends on the order in which it was filled.
 */
function inTurn<T>({ items, before }: Heap<T>): T[] {
  return [...items].sort((a, b) => (before(a, b) ? -1 : 1));
}

/** `encode`, asserting that the items come in the order of their numbers. */
function ascending<T>(encode: Encode<T>, name: string, numberOf: (item: T) => number): Encode<T> {
  let before = 0;
  return (writer, item) => {
    const number = numberOf(item);
    if (number <= before) throw new Fault(`${name} stand in the order of their numbers`);
    before = number;
    encode(writer, item);
  };
}

/**
 * The exchange that `encodeSnapshot` wrote. Takes sections up to its own last one, so that an
 * iterator may carry others after it. Faults on anything missing, damaged or inconsistent.
 */
export function decodeSnapshot(source: Iterable<Buffer>): Exchange {
  const sections = source[Symbol.iterator]();
  const { exchange, counts } = decodeHead(openNextSection(sections, headKind));
  const list = (kind: number, count: number, decode: (reader: ByteReader) => void): void =>
    decodeList(sections, { kind, count }, decode);
  list(marketsKind, counts.markets, (reader) => addMarket(exchange, decodeMarket(reader)));
  list(accountsKind, counts.accounts, (reader) => addAccount(exchange, decodeAccount(reader)));
  list(pairsKind, counts.pairs, (reader) => addPair(exchange, decodePair(reader)));
  list(triggersKind, counts.triggers, (reader) => addTrigger(exchange, decodeTrigger(reader)));
  const due: Trigger[] = [];
  list(dueKind, counts.due, (reader) => due.push(takeDue(exchange, readInteger(reader))));
  addWaves(exchange.due, due);
  list(placedKind, counts.placed, (reader) => {
    const trigger = takeDue(exchange, readInteger(reader));
    addPlaced(queueOf(exchange.due, trigger), { trigger, round: readInteger(reader) });
  });
  list(placesKind, counts.places, (reader) => addPlace(exchange.due, decodePlace(reader)));
  list(triedKind, counts.tried, (reader) =>
    addTried(exchange.due.tried, takeDue(exchange, readInteger(reader))),
  );
  list(expiringKind, counts.expiring, (reader) => exchange.expiring.push(decodeExpiring(reader)));
  const orders = createOrderQueue(exchange, counts.orders);
  list(ordersKind, counts.orders, (reader) =>
    orders.add(decodeOrderRecord(reader, exchange.triggers)),
  );
  orders.flush();
  list(creditsKind, counts.credits, (reader) => addCredit(exchange, decodeCredit(reader)));
  list(fundedKind, counts.funded, (reader) => addFunded(exchange, reader));
  list(parkedKind, counts.parked, (reader) => addParked(exchange, decodeParked(reader)));
  list(paidKind, counts.paid, (reader) => addPaid(exchange, decodePaid(reader)));
  list(noncesKind, counts.nonces, (reader) => addNonce(exchange, decodeNonce(reader)));
  list(timersKind, counts.timers, (reader) => addTimer(exchange, decodeTimer(reader)));
  list(withdrawalsKind, counts.withdrawals, (reader) =>
    addWithdrawal(exchange, decodeWithdrawal(reader)),
  );
  list(guestsKind, counts.guests, (reader) => addGuest(exchange, decodeGuest(reader)));
  list(vacanciesKind, counts.vacancies, (reader) => addVacancy(exchange, decodeVacancy(reader)));
  list(armedKind, counts.armed, (reader) => addArmed(exchange, decodeArmed(reader)));
  list(endedKind, counts.ended, (reader) => addEnded(exchange, decodeEnded(reader)));
  const end = openNextSection(sections, endKind);
  assert(end.offset === end.end, 'the last section is empty');
  assert(exchange.accounts[0]?.address === insuranceAddress, 'the first account is the fund');
  rebuildIndexes(exchange);
  const findings = createFindings();
  checkTimers(findings, exchange);
  assert(findings.count === 0, 'what the state waits for has its timer');
  return exchange;
}

type Encode<T> = (writer: ByteWriter, item: T) => void;
type Encoding<T> = {
  readonly kind: number;
  readonly items: Iterable<T>;
  readonly encode: Encode<T>;
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

function addMarket(exchange: Exchange, market: Market): void {
  assert(market.id === exchange.markets.length, 'markets stand in the order of their numbers');
  assert(!exchange.marketBySymbol.has(market.symbol), 'a symbol comes twice');
  exchange.markets.push(market);
  exchange.marketBySymbol.set(market.symbol, market.id);
}

function addAccount(exchange: Exchange, account: Account): void {
  const isFree =
    account.id < exchange.accounts.length && exchange.accounts[account.id] === undefined;
  assert(isFree, 'a number of an account comes twice, or is none');
  assert(!exchange.accountByAddress.has(account.address), 'an address comes twice');
  assert(account.positions.length <= exchange.markets.length, 'a position is in no market');
  account.funded = account.id === insuranceAccount;
  exchange.accounts[account.id] = account;
  exchange.accountByAddress.set(account.address, account.id);
}

/** A due or tried trigger waits for its turn and not for a mark (TRG-6, TRG-8). */
function takeDue(exchange: Exchange, id: number): Trigger {
  const trigger = exchange.triggers.get(id as OrderId);
  assert(trigger !== undefined && waits(trigger), 'only a waiting trigger is due');
  removeWaiting(exchange.markets[trigger.market]!.triggers, trigger);
  return trigger;
}

/** Restores a trigger to its places: triggers come by number, which is the order of every list. */
function addTrigger(exchange: Exchange, trigger: Trigger): void {
  const { account, market, clientOrderId, status } = trigger;
  const owner = exchange.accounts[account];
  const known = owner !== undefined && exchange.markets[market] !== undefined;
  assert(known, 'a trigger has an account and a market');
  assert(takesPlace(trigger) || status === 'TRIGGERED', 'a trigger of the state has not ended');
  const { pair } = trigger;
  const paired = pair === null || exchange.pairs.has(pair.id);
  assert(paired, 'a leg of the state has its pair');
  assert(!exchange.triggers.has(trigger.id), 'a trigger comes twice');
  assert((owner.triggers.at(-1)?.id ?? 0) < trigger.id, 'triggers stand by their numbers');
  const taken = clientOrderId !== '' && owner.clientOrderIds.has(clientOrderId);
  assert(!taken, 'a client order id comes twice');
  listTrigger(exchange, trigger);
}
