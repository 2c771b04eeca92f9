// Pairs in a snapshot (ATT-2). The records of legs and parents name them, so they come first.

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readFlag,
  readInteger,
  readUint16,
  readUint32,
  writeFlag,
  writeInteger,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import type { AccountId, Lots, MarketId } from '../../units/units.ts';
import { decodeLegs, decodePairName, encodeLegs, encodePairName } from '../codec/encodeLegs.ts';
import type { Exchange } from '../exchange.ts';
import { listPair } from '../listPair.ts';
import { buy, sell } from '../orderTypes.ts';
import { createPair, type Pair } from '../pair.ts';

export function encodePair(writer: ByteWriter, pair: Pair): void {
  encodePairName(writer, pair.name);
  writeUint32(writer, pair.account);
  writeUint16(writer, pair.market);
  writeFlag(writer, pair.side === buy);
  writeInteger(writer, pair.lots);
  encodeLegs(writer, pair.legs);
}

export function decodePair(reader: ByteReader): Pair {
  const name = decodePairName(reader);
  const account = readUint32(reader) as AccountId;
  const market = readUint16(reader) as MarketId;
  const side = readFlag(reader) ? buy : sell;
  const lots = readInteger(reader) as Lots;
  const pair = createPair({ name, account, market, side, legs: decodeLegs(reader) });
  pair.lots = lots;
  return pair;
}

/** Restores a pair to its places: pairs come by number. */
export function addPair(exchange: Exchange, pair: Pair): void {
  const { accounts, markets, pairs } = exchange;
  const known = accounts[pair.account] !== undefined && markets[pair.market] !== undefined;
  assert(known, 'a pair has an account and a market');
  assert(!pairs.has(pair.name.id), 'a pair comes twice');
  listPair(exchange, pair);
}
