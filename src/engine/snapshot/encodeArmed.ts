// Connections in a snapshot (COD-1): those that are armed, and those that have ended and whose
// orders must still end; and both in the hash of the state.

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readInteger,
  readUint16,
  readUint32,
  writeInteger,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import { type Hash, hashNumber, hashPair } from '../../std/hash.ts';
import type { AccountId, MarketId } from '../../units/units.ts';
import { decodeMarketNumbers, encodeMarketNumbers } from '../codec/encodeArmConnection.ts';
import type { ArmedConnection, Connections, EndedConnection } from '../connection.ts';
import type { Exchange } from '../exchange.ts';

export function encodeArmed(writer: ByteWriter, { id, account, markets }: ArmedConnection): void {
  writeInteger(writer, id);
  writeUint32(writer, account);
  encodeMarketNumbers(writer, markets);
}

export function decodeArmed(reader: ByteReader): ArmedConnection {
  const id = readInteger(reader);
  const account = readUint32(reader) as AccountId;
  return { id, account, markets: decodeMarketNumbers(reader) };
}

/** Lists it, and counts it for its account. */
export function addArmed(exchange: Exchange, connection: ArmedConnection): void {
  const { armed } = exchange.connections;
  const account = exchange.accounts[connection.account];
  assert(account !== undefined, 'an armed connection has an account');
  assert(!armed.has(connection.id), 'an armed connection comes twice');
  assertMarkets(exchange, connection.markets);
  armed.set(connection.id, connection);
  account.armedConnections += 1;
}

export function encodeEnded(writer: ByteWriter, ended: EndedConnection): void {
  writeUint32(writer, ended.account);
  encodeMarketNumbers(writer, ended.markets);
  writeInteger(writer, ended.sequence);
  writeUint16(writer, ended.done);
}

export function decodeEnded(reader: ByteReader): EndedConnection {
  const account = readUint32(reader) as AccountId;
  const markets = decodeMarketNumbers(reader);
  const sequence = readInteger(reader);
  return { account, markets, sequence, done: readUint16(reader) };
}

export function addEnded(exchange: Exchange, ended: EndedConnection): void {
  assert(exchange.accounts[ended.account] !== undefined, 'an ended connection has an account');
  assertMarkets(exchange, ended.markets);
  exchange.connections.queue.push(ended);
}

function assertMarkets({ markets: all }: Exchange, markets: readonly MarketId[]): void {
  const known = markets.every((market) => market < all.length);
  assert(known, 'a connection names markets that are listed');
}

/** The order of both lists is state: it decides whose orders end first. */
export function hashConnections(hash: Hash, { armed, queue, turn }: Connections): void {
  hashPair(hash, armed.size, queue.length);
  hashNumber(hash, turn);
  for (const { id, account, markets } of armed.values()) {
    hashNumber(hash, id);
    hashPair(hash, account, markets.length);
    for (const market of markets) hashNumber(hash, market);
  }
  for (const { account, markets, sequence, done } of queue) {
    hashPair(hash, account, markets.length);
    for (const market of markets) hashNumber(hash, market);
    hashNumber(hash, sequence);
    hashNumber(hash, done);
  }
}
